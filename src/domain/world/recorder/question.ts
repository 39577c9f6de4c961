import type { WritableStat } from './schema.ts'

/** With more paths than this, the question relies on the guide in the prompt. */
const MAX_LISTED = 60

export const RECORDER_OPENING = '[Before the story goes on'

/**
 * Asks what the last passage changed, in a message after it. The form is in words as well, because a server that enforces a
 * schema need not show it to the model; it has no example, because small models answer with the example. How far a value may
 * go is in the guide.
 */
export function recorderQuestion(writable: readonly WritableStat[]): string {
  const listed = writable.length > MAX_LISTED ? [] : pathLines(writable)
  return [
    `${RECORDER_OPENING}: most passages change no value. Has your last one certainly changed one? Name only what it tells as done. JSON {"edits":[{"because":sentence,"changes":[{"path":…,"by" (numbers) or "to":…}]}]} or {"edits":[]}:`,
    ...listed,
  ]
    .join('\n')
    .concat(']')
}

/** Small models name many changes that a passage does not tell, and deny most of them when asked once more. */
export function confirmingQuestion(paths: readonly string[]): string {
  return `${RECORDER_OPENING}: which of these did your last passage change? Answer yes or no for each, as JSON.\n${paths.join(', ')}]`
}

/** The paths, one line for each group: `npc.brisa: trust, mood`. */
function pathLines(writable: readonly WritableStat[]): string[] {
  const named = writable.map(({ path }) => {
    const end = path.lastIndexOf('.')
    return { group: path.slice(0, end), name: path.slice(end + 1) }
  })
  return [...Map.groupBy(named, ({ group }) => group)].map(
    ([group, members]) => `${group}: ${members.map(({ name }) => name).join(', ')}`,
  )
}
