import { cutTo } from '../lib/text.ts'
import { withoutControlCharacters } from './book/control-characters.ts'

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
