import type { Play } from './play.ts'

/** What the model wrote for each passage, and what became of it. */
export function repliesOf(model: string, plays: readonly Play[]) {
  return plays.flatMap(({ kind, line, request, shown }) =>
    request ? [{ model, action: kind, line, raw: request.reply, shown }] : [],
  )
}
