import type { PortableScenario } from '../../domain/portable/portable.ts'
import { isBlank } from '../../lib/text.ts'

// The texts of a character that a scenario keeps together, and the way back to fields of their own.

/** The headings of these two texts in the plot essentials. The description is preceded by the name of the character. */
export const [PERSONALITY, SCENARIO] = ['Personality: ', 'Scenario: ']

interface Persona {
  description: string
  personality: string
  scenario: string
}

/** The plot essentials in the fields from which they were put together; `char` is what texts call the character. */
export function personaIn({ memory }: Pick<PortableScenario, 'memory'>, char: string): Persona {
  const scenarioAt = startOf(SCENARIO, memory, memory.length)
  const personalityAt = startOf(PERSONALITY, memory, scenarioAt)
  const description = memory.slice(0, personalityAt).trim()
  const name = `${char}: `
  return {
    description: description.startsWith(name) ? description.slice(name.length) : description,
    personality: memory.slice(personalityAt, scenarioAt).slice(PERSONALITY.length).trim(),
    scenario: memory.slice(scenarioAt).slice(SCENARIO.length).trim(),
  }
}

/** The start of the paragraph with a heading; `end` without one. */
function startOf(heading: string, text: string, end: number): number {
  if (text.startsWith(heading)) return 0
  const at = text.lastIndexOf(`\n\n${heading}`, end - 1)
  return at === -1 ? end : at + 2
}

/** Precedes what the model should follow above everything else: the last of the AI instructions. */
export const ABOVE_ALL = 'Above all: '

/** The AI instructions in the two fields from which they were put together. */
export function instructionsIn(text: string): { system: string; last: string } {
  const at = startOf(ABOVE_ALL, text, text.length)
  return { system: text.slice(0, at).trim(), last: text.slice(at).slice(ABOVE_ALL.length).trim() }
}

/** The author and version of a card, and the name that texts use for the character if it is another one. */
interface Origin {
  creator: string
  version: string
  nickname: string
}

const WORDS = { creator: 'by ', version: 'version ', nickname: 'nickname ' } as const satisfies Origin

/** The origin of a card as the last line of a description. */
export function originLine(origin: Partial<Origin>): string {
  const names = Object.keys(WORDS) as (keyof Origin)[]
  return names.flatMap((name) => (isBlank(origin[name] ?? '') ? [] : WORDS[name] + origin[name])).join(', ')
}

/** A description without its line of origin, and what that says. */
export function originIn(description: string): Origin & { notes: string } {
  const start = description.lastIndexOf('\n\n') + 1
  const line = (start === 0 ? description : description.slice(start + 1)).trim()
  const [before, nickname] = splitOff(line, WORDS.nickname)
  const [by, version] = splitOff(before, WORDS.version)
  const isOrigin = line !== '' && !line.includes('\n') && (by === '' || by.startsWith(WORDS.creator))
  if (!isOrigin) return { notes: description, creator: '', version: '', nickname: '' }
  const notes = description.slice(0, Math.max(0, start - 1))
  return { notes, creator: by.slice(WORDS.creator.length), version, nickname }
}

/** A line without the part at its end that begins with a word, and the rest of that part. */
function splitOff(line: string, word: string): [before: string, rest: string] {
  if (line.startsWith(word)) return ['', line.slice(word.length)]
  const at = line.lastIndexOf(`, ${word}`)
  return at === -1 ? [line, ''] : [line.slice(0, at), line.slice(at + 2 + word.length)]
}
