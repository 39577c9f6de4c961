import { type Exchange, type Message, tokensRead } from './exchange.ts'
import { MARGIN } from './measure-turns.ts'
import { isTurn, type Play } from './play.ts'

/**
 * Turns whose insights disagree with the server: another number of tokens read, or a reason that does not follow from what
 * was sent before. Empty if all agree.
 */
export function wrongReasons(plays: readonly Play[]): string[] {
  const turns = plays.filter((play) => isTurn(play) && play.first !== null)
  return turns.flatMap((play, at) => {
    const read = play.first && tokensRead(play.first)
    if (!play.reading || read === null || play.newTokens === null) return []
    const { anew, why } = play.reading
    const expected = expectedReason(turns.slice(0, at), play, read - play.newTokens)
    const called = `Turn ${at + 1} ("${play.kind}")`
    return [
      ...(anew === read ? [] : [`${called}: insights say ${anew} tokens were read, the server ${read}.`]),
      ...(expected.includes(why)
        ? []
        : [
            `${called}: insights say "${why}", but it was ${expected.map((one) => `"${one}"`).join(' or ')}.`,
          ]),
    ]
  })
}

/** The reasons that fit. The service estimates what is new, so that a turn near the margin may have one or none. */
function expectedReason(earlier: readonly Play[], play: Play, besidesNew: number): (string | null)[] {
  const reason = reasonOf(earlier, play)
  if (besidesNew <= MARGIN / 2) return [null]
  return besidesNew <= 2 * MARGIN ? [null, reason] : [reason]
}

function reasonOf(earlier: readonly Play[], play: Play): string {
  const last = earlier.findLast(({ story }) => story === play.story)
  if (!last) return 'new story'
  if (earlier.at(-1)?.story !== play.story) return 'another story'
  const [before, now] = [messagesIn(last.request), messagesIn(play.first)]
  const opening = now.find(({ role }) => role !== 'system')?.content
  if (before.findIndex(({ content }) => content === opening) > before.findIndex(isStory)) return 'cut'
  const system = (messages: readonly Message[]) => messages.find(({ role }) => role === 'system')?.content
  return system(before) === system(now) ? 'edited passage' : 'changed plot'
}

function messagesIn(request: Exchange | null): readonly Message[] {
  return request?.body?.messages ?? []
}

function isStory({ role }: Message): boolean {
  return role !== 'system'
}
