import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { npm, withPackage } from '../../../scripts/bun.mjs'

const root = join(import.meta.dir, '../../..')
const VERSION = '1.19.0'
const INTEGRITY =
  'sha512-RNu7duRWf/YJUBLA7UKNzTy4R0KJXu+e9K+s6WHBOK+GSV51JQ6ifcSdIqFTxHV4kJfUkgBqJ2PbrSLlhTl2+Q=='
const READER = 'src/character-card-parser.js'
const VALIDATOR = 'src/validator/TavernCardValidator.js'
/** What its reader of cards needs. */
const PACKAGES = ['png-chunks-extract@1.0.0', 'png-chunk-text@1.0.0', 'crc@4.3.2']

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
  const folder = join(root, '.runtime', `sillytavern-${VERSION}`)
  if (!existsSync(folder)) fetchInto(folder)
  const reader: CardReader = await import(join(folder, 'package', READER))
  const { TavernCardValidator } = await import(join(folder, 'package', VALIDATOR))
  return { ...reader, validatorOf: (card) => new TavernCardValidator(card) }
}

function fetchInto(folder: string): void {
  const unfinished = `${folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  const files = [READER, VALIDATOR, 'src/png/encode.js', 'package.json'].map((name) => `package/${name}`)
  const unpack = (file: string) => {
    const { success, stderr } = Bun.spawnSync(['tar', '-xzf', join(root, file), '-C', unfinished, ...files])
    if (!success) throw new Error(`tar: ${stderr}`)
  }
  if (!withPackage('sillytavern', VERSION, INTEGRITY, unpack))
    throw new Error('The registry sent another package than the pinned one.')
  npm('install', '--prefix', unfinished, '--no-save', '--no-package-lock', ...PACKAGES)
  renameSync(unfinished, folder)
}
