import type { Prompt } from '../prompt/prompt.ts'
import { isSpeech, typedWords } from '../text/player-line.ts'
import type { PathResolver } from '../world/path-resolver.ts'

/** Texts of a prompt that its reply may repeat. */
export interface Echoes {
  /** The player's lines that wait for this reply, as they were sent. */
  playerLines: readonly string[]
  earlierLines?: readonly string[]
  notes?: readonly string[]
  /** The names of the story's people: their speech is prose, whatever they are called. */
  names?: readonly string[]
  /** Absent in a story without stats. */
  paths?: Pick<PathResolver, 'knows'> | null
}

export interface KnownTexts {
  /** The waiting lines as they may be said back first: as sent, as typed, in the first person. Folded. */
  lines: ReadonlySet<string>
  /** Lines as sent that no prose begins with by chance. */
  longLines: ReadonlySet<string>
  /** The words of each line in the window, and the words for the player in the first person. */
  lineWords: readonly ReadonlySet<string>[]
  /** Lines and sentences of our notes. Folded. */
  notes: ReadonlySet<string>
  /** Beginnings of our notes in brackets, in lower case. */
  openings: readonly string[]
  names: ReadonlySet<string>
  /** Recognises the keys of a state block; null in a story without stats. */
  isPath: ((key: string) => boolean) | null
}

/** Fewer words than these may be somebody's answer: "Hello." */
const MIN_WORDS = 3
/** A shorter line, such as "You wait.", is also a natural beginning of prose. In bytes, because denser scripts have more of them. */
const MIN_REPEATED_START = 9
/** The share of its words that a quoted paragraph has from a line of the player. */
const MIN_SHARE = 0.8
const FIRST_PERSON = ['i', 'my', 'me', 'mine', 'myself']
/** Words of a bracketed note that are enough to know it again. */
const OPENING = /^\[(?:[^\s\]]+ ){2}[^\s\],.:]+/

export function prepareEchoes(echoes: Echoes): KnownTexts {
  const { playerLines, earlierLines = [], notes = [], names = [], paths = null } = echoes
  const sent = sentForms(playerLines)
  return {
    lines: new Set([...sent, ...typedForms(playerLines)]),
    longLines: new Set(sent.filter((line) => new TextEncoder().encode(line).length >= MIN_REPEATED_START)),
    lineWords: [...playerLines, ...earlierLines].map((line) => new Set([...wordsOf(line), ...FIRST_PERSON])),
    notes: new Set(foldedLines(notes.flatMap((note) => [note, ...note.split(/(?<=[.!?…])\s+/)]))),
    openings: notes.flatMap((note) => OPENING.exec(note.toLowerCase()) ?? []),
    names: new Set(names.map((name) => name.toLowerCase())),
    isPath: paths && ((key) => paths.knows(key)),
  }
}

/** `people` are the story's, besides those of its cards. */
export function echoesOf(
  { parts, cards }: Pick<Prompt, 'parts' | 'cards'>,
  people: readonly string[],
  paths: PathResolver | null,
): Echoes {
  const newest = parts.findLastIndex(({ role }) => role === 'assistant')
  const isLine = (part: (typeof parts)[number]) => part.label === 'history' && part.role === 'user'
  return {
    playerLines: parts.slice(newest + 1).flatMap((part) => (isLine(part) ? [part.text] : [])),
    earlierLines: parts.slice(0, newest + 1).flatMap((part) => (isLine(part) ? [part.text] : [])),
    notes: parts.flatMap(({ label, text }) => (label === 'history' ? [] : [text])),
    names: [...people, ...cards.map(({ name }) => name)],
    paths,
  }
}

/** True for a text whose words are those of a line of the player, but for one in five. */
export function isPlayerLine(text: string, { lineWords, lines }: KnownTexts, fewest = MIN_WORDS): boolean {
  if (lines.has(foldedLine(text))) return true
  const words = wordsOf(text)
  return lineWords.some((line) => {
    const shared = words.filter((word) => line.has(word)).length
    return shared >= fewest && shared >= MIN_SHARE * words.length
  })
}

/** Folds case, quotes and punctuation. A sigma at the end of a word is as any other. */
export function foldedLine(line: string): string {
  return line
    .replace(/[\s"'“”‘’«»„>*_#.,!?…:。！？]/g, '')
    .replaceAll('Σ', 'σ')
    .toLowerCase()
}

export function foldedLines(texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap((text) => text.split('\n')).map(foldedLine))].filter(Boolean)
}

/** In the first person, and as it was typed. */
function typedForms(lines: readonly string[]): string[] {
  return foldedLines(
    lines.flatMap((line) => {
      const done = typedWords('do', line)
      const bare = [done, typedWords('say', line)].filter((words) => words.split(/\s+/).length >= MIN_WORDS)
      return [`You ${done.replace(/^I /i, '')}`, `I ${done}`, ...bare]
    }),
  )
}

/** As it was sent, also with “you say” behind what is said. */
function sentForms(lines: readonly string[]): string[] {
  const said = lines.filter(isSpeech).map((line) => typedWords('say', line))
  return foldedLines([...lines, ...said.flatMap((words) => [`${words} you say`, `${words} you ask`])])
}

/** Scripts without spaces count by character. */
function wordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .match(
        /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}'’]+/gu,
      ) ?? []
  )
}
