import { LIMITS } from '../domain/limits.ts'
import { cutTo, isBlank } from '../lib/text.ts'
import { withoutControlCharacters } from './book/control-characters.ts'

/** How the names of exported files end, so that two exports of one title have two names. */
export const ENDINGS = {
  adventure: {
    json: 'story.json',
    family: 'branches.zip',
    legacy: 'earlier-story.json',
    jsonl: 'jsonl',
    markdown: 'md',
    html: 'html',
    epub: 'epub',
  },
  scenario: {
    json: 'scenario.json',
    legacy: 'earlier-scenario.json',
    card: 'card.json',
    png: 'png',
    charx: 'charx',
    lorebook: 'lorebook.json',
  },
  cards: { json: 'cards.json' },
} as const

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
 * A title as the name of a file that every system takes: no sign that means something in a path, none that is not seen or
 * turns the line round, and no name that Windows keeps for itself. `ending` is without its dot.
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
