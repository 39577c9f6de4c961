import { isObject } from '../../lib/objects.ts'
import { isBlank } from '../../lib/text.ts'

/** The names of those who speak in a chat. */
export interface Speakers {
  readers: ReadonlySet<string>
  characters: ReadonlySet<string>
}

export function speakersIn(values: readonly unknown[]): Speakers {
  const [readers, characters] = [new Set<string>(), new Set<string>()]
  for (const value of values) {
    if (!isObject(value) || !('mes' in value) || isProgramNote(value)) continue
    const name = speakerOf(value)
    if (name !== '') (value.is_user === true ? readers : characters).add(name)
  }
  return { readers, characters }
}

/** The name of who speaks in a message; '' for nobody, such as the narrator of /sys. */
export function speakerOf({ name, extra }: Record<string, unknown>): string {
  if (typeof name !== 'string' || isBlank(name) || (isObject(extra) && extra.type === NARRATOR)) return ''
  return name.toWellFormed().trim()
}

const NARRATOR = 'narrator'

/**
 * True for a note of the program, or a comment of the player. One that the player has hidden from the model has the
 * same mark, and no type.
 */
export function isProgramNote({ is_system, extra }: Record<string, unknown>): boolean {
  if (is_system !== true || !isObject(extra) || typeof extra.type !== 'string') return false
  return !isBlank(extra.type) && extra.type !== NARRATOR
}
