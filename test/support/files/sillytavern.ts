import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const VERSION = '1.19.0'
const INTEGRITY = 'RNu7duRWf/YJUBLA7UKNzTy4R0KJXu+e9K+s6WHBOK+GSV51JQ6ifcSdIqFTxHV4kJfUkgBqJ2PbrSLlhTl2+Q=='
const READER = 'src/character-card-parser.js'
const VALIDATOR = 'src/validator/TavernCardValidator.js'
/** What its reader of cards needs. */
const PACKAGES = ['png-chunks-extract@1.0.0', 'png-chunk-text@1.0.0', 'crc@4.3.2']
const QUIET = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error']

interface CardReader {
  read(picture: Buffer): string
  write(picture: Buffer, card: string): Buffer
}

interface CardValidator {
  validateV2(): boolean
  validateV3(): boolean
  lastValidationError: string | null
}

/** SillyTavern's own reader of cards in pictures, and its validator. Its package is fetched once, by its hash. */
export async function sillyTavern(): Promise<CardReader & { validatorOf(card: unknown): CardValidator }> {
  const folder = join(import.meta.dir, '../../../.runtime', `sillytavern-${VERSION}`)
  if (!existsSync(folder)) fetchInto(folder)
  const reader: CardReader = await import(join(folder, 'package', READER))
  const { TavernCardValidator } = await import(join(folder, 'package', VALIDATOR))
  return { ...reader, validatorOf: (card) => new TavernCardValidator(card) }
}

function fetchInto(folder: string): void {
  const unfinished = `${folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  run('npm', 'pack', `sillytavern@${VERSION}`, '--pack-destination', unfinished, ...QUIET)
  const archive = join(unfinished, readdirSync(unfinished).find((name) => name.endsWith('.tgz')) ?? '')
  const hash = createHash('sha512').update(readFileSync(archive)).digest('base64')
  if (hash !== INTEGRITY) throw new Error('The registry sent another package than the pinned one.')
  const files = [READER, VALIDATOR, 'src/png/encode.js', 'package.json'].map((name) => `package/${name}`)
  run('tar', '-xzf', archive, '-C', unfinished, ...files)
  rmSync(archive)
  run('npm', 'install', '--prefix', unfinished, '--no-save', '--no-package-lock', ...PACKAGES, ...QUIET)
  renameSync(unfinished, folder)
}

function run(...command: string[]): void {
  const { success, stderr } = Bun.spawnSync(command, { stdout: 'ignore', stderr: 'pipe' })
  if (!success) throw new Error(`${command.slice(0, 3).join(' ')}: ${stderr}`)
}
