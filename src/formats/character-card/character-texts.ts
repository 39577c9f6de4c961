import type { PortableScenario } from '../../domain/portable/portable.ts'
import { isBlank } from '../../lib/text.ts'

// The texts of a character that a scenario keeps together, and the way back to fields of their own.

/** In front of these two in the plot essentials. The description has the name of the character in front. */
export const [PERSONALITY, SCENARIO] = ['Personality: ', 'Scenario: ']

interface Persona {
  description: string
  personality: string
  scenario: string
}

/** The plot essentials in the fields from which they were put together. */
export function personaIn({ title, memory }: Pick<PortableScenario, 'title' | 'memory'>): Persona {
  const scenarioAt = startOf(SCENARIO, memory, memory.length)
  const personalityAt = startOf(PERSONALITY, memory, scenarioAt)
  const description = memory.slice(0, personalityAt).trim()
  const name = `${title}: `
  return {
    description: description.startsWith(name) ? description.slice(name.length) : description,
    personality: memory.slice(personalityAt, scenarioAt).slice(PERSONALITY.length).trim(),
    scenario: memory.slice(scenarioAt).slice(SCENARIO.length).trim(),
  }
}

/** Where the paragraph with a heading begins; `end` without one. */
function startOf(heading: string, text: string, end: number): number {
  if (text.startsWith(heading)) return 0
  const at = text.lastIndexOf(`\n\n${heading}`, end - 1)
  return at === -1 ? end : at + 2
}

/** In front of what the model should heed before all else: the last of the AI instructions. */
export const ABOVE_ALL = 'Above all: '

/** The AI instructions in the two fields from which they were put together. */
export function instructionsIn(text: string): { system: string; last: string } {
  const at = startOf(ABOVE_ALL, text, text.length)
  return { system: text.slice(0, at).trim(), last: text.slice(at).slice(ABOVE_ALL.length).trim() }
}

interface Origin {
  notes: string
  creator: string
  version: string
}

const [BY, VERSION] = ['by ', 'version ']

/** Whose card it is and in which version, as the last lines of a description. */
export function originLine(creator: string, version: string): string {
  const parts = [isBlank(creator) ? '' : BY + creator, isBlank(version) ? '' : VERSION + version]
  return parts.filter(Boolean).join(', ')
}

/** A description without its line of origin, and what that says. */
export function originIn(description: string): Origin {
  const start = description.lastIndexOf('\n\n') + 1
  const line = (start === 0 ? description : description.slice(start + 1)).trim()
  const at = line.startsWith(VERSION) ? 0 : line.lastIndexOf(`, ${VERSION}`)
  const by = at === -1 ? line : line.slice(0, at)
  const isOrigin = !line.includes('\n') && (by === '' ? at === 0 : by.startsWith(BY))
  if (!isOrigin || line === '') return { notes: description, creator: '', version: '' }
  return {
    notes: description.slice(0, Math.max(0, start - 1)),
    creator: by.slice(BY.length),
    version: at === -1 ? '' : line.slice(at + (at === 0 ? 0 : 2) + VERSION.length),
  }
}
