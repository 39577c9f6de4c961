import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { typographic } from '../src/domain/text/typography.ts'
import { pythonWith } from './real/python.ts'

/** What typogrify needs, without the rest of the tools of Standard Ebooks. */
const PACKAGES = [
  ['webencodings==0.5.1', 'tinycss2==1.5.1'],
  ['pygments==2.21.0', 'rich==15.0.0', 'natsort==8.4.0', 'regex==2026.11.19', 'lxml==6.1.3'],
  ['cssselect==1.6.0', 'pyphen==0.18.1', 'smartypants==2.0.2'],
  ['--no-deps', '--no-binary', 'standardebooks', 'standardebooks==4.1.0'],
]

const CLASSICS = join(import.meta.dir, '../test/domain/text/classics.txt')

/**
 * English text with our marks and with those of typogrify: the share of paragraphs that are alike, and the first ones that are
 * not. Without a file, what typogrify makes of the paragraphs of the tests is written beside them.
 */
export function typographyTable([file]: string[]): object {
  const typed = readFileSync(file ?? CLASSICS, 'utf8').replaceAll('\r\n', '\n')
  const script = join(import.meta.dir, 'typography.py')
  const made = Bun.spawnSync([pythonWith(PACKAGES), script], { stdin: Buffer.from(typed), stderr: 'inherit' })
  if (!made.success) throw new Error('typogrify failed.')
  const reference = made.stdout.toString()
  if (file === undefined) writeFileSync(CLASSICS.replace('.txt', '.typogrified.txt'), reference)
  const theirs = paragraphsOf(reference)
  const ours = paragraphsOf(typed).map((one) => typographic(one, 'en'))
  const unlike = ours.flatMap((one, i) => (one === theirs[i] ? [] : [{ ours: one, theirs: theirs[i] }]))
  for (const pair of unlike.slice(0, 20)) console.log(pair)
  return {
    paragraphs: ours.length,
    alike: `${((100 * (ours.length - unlike.length)) / ours.length).toFixed(2)} %`,
  }
}

function paragraphsOf(text: string): string[] {
  return text.split(/\n{2,}/).flatMap((one) => one.trim() || [])
}
