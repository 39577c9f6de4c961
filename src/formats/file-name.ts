import { LIMITS } from '../domain/limits.ts'
import { cutTo, isBlank } from '../lib/text.ts'
import { withoutControlCharacters } from './book/control-characters.ts'

/**
 * The formats of exports, and how the names of their files end, so that two exports of one title have two names. `family` is
 * an archive with all branches of a story, `legacy` is for the earlier release, `card` and `charx` are character cards in
 * JSON and in an archive, `lorebook` is SillyTavern's World Info.
 */
export const ENDINGS = {
  adventure: {
    json: 'story.json',
    family: 'branches.zip',
    markdown: 'md',
    html: 'html',
    epub: 'epub',
    jsonl: 'jsonl',
    legacy: 'earlier-story.json',
  },
  scenario: {
    json: 'scenario.json',
    png: 'png',
    card: 'card.json',
    charx: 'charx',
    lorebook: 'lorebook.json',
    legacy: 'earlier-scenario.json',
  },
  cards: { json: 'cards.json' },
} as const

export type AdventureFormat = keyof typeof ENDINGS.adventure
export type ScenarioFormat = keyof typeof ENDINGS.scenario

export const ADVENTURE_FORMATS = namesOf(ENDINGS.adventure)
export const SCENARIO_FORMATS = namesOf(ENDINGS.scenario)

function namesOf<Name extends string>(endings: Record<Name, string>) {
  return Object.keys(endings) as [Name, ...Name[]]
}

const DOUBLE = Object.values(ENDINGS)
  .flatMap((endings) => Object.values(endings))
  .filter((ending) => ending.includes('.'))

/** The name of a file as a title: without folders and ending. */
export function titleFrom(name: string): string {
  const [last = ''] = name.toWellFormed().split(/[/\\]/).slice(-1)
  const double = DOUBLE.find((ending) => last.toLowerCase().endsWith(`.${ending}`))
  const bare = double ? last.slice(0, -1 - double.length) : last.replace(/\.[a-z0-9]{1,8}$/i, '')
  const title = cutTo(bare.trim(), LIMITS.name)
  return isBlank(title) ? 'Imported' : title
}

/** Characters in the name of a file that leave room for its ending on every system: at most 240 bytes. */
const LONGEST = 60

/**
 * A title as a file name that is valid on every system: without characters that mean something in a path, are invisible or
 * change the direction of text, and not a name that Windows reserves. `ending` is without its dot.
 */
export function fileName(title: string, ending: string): string {
  const name = withoutControlCharacters(title)
    .replace(/\p{Cf}+/gu, '')
    .replace(/[\p{C}\p{Z}\s]+/gu, ' ')
    .replace(/[<>:"/\\|?*]+/g, '-')
    .replace(/^[\s.~-]+|(?<![\s.-])[\s.-]+$/g, '')
  const cut = cutTo(name, LONGEST).replace(/(?<![\s.-])[\s.-]+$/, '')
  const isTaken = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(cut)
  return `${isTaken ? `story-${cut}` : cut || 'story'}.${ending}`
}
