import { type Exchange, replyTokens, tokensRead, tokensReused } from './exchange.ts'
import { isStoredWrong, neverSaid, saidTokens } from './measure-counts.ts'
import { isPlain, isTurn, type Play } from './play.ts'
import type { Session } from './session.ts'
import { notProseIn } from './shown-text.ts'

/** Something that must hold, and a sentence for each place where it does not. */
export interface Check {
  name: string
  problems: string[]
}

/** What must hold on any machine, however slow. */
export function checksOf({ plays, outcome, exchanges }: Session): Check[] {
  return [
    { name: 'the stored counts are those of the server', problems: wrongCounts(plays, outcome.insights) },
    { name: 'every turn ends with a passage or the fault of the model', problems: failures(plays) },
    { name: 'the stored texts are those that were told', problems: outcome.differences },
    { name: 'the numbers of the stories add up', problems: outcome.findings },
    { name: 'a turn does not read the story again', problems: lostPrefixes(plays) },
    { name: 'only prose is shown', problems: plays.flatMap(notProse) },
    { name: 'the server refused no request', problems: exchanges.flatMap(refusal) },
  ]
}

// Some questions try what a server can do, and are refused by those that cannot.
function refusal({ kind, status }: Exchange): string[] {
  if (status < 400 || kind === 'other' || kind === 'count') return []
  return [`A request (${kind}) was refused with status ${status}.`]
}

function wrongCounts(plays: readonly Play[], insights: Session['outcome']['insights']): string[] {
  const wrong = plays.filter((play) => !play.error && isStoredWrong(play))
  return [
    ...wrong.map(
      (play) =>
        `${turnOf(play)} is stored with ${play.stored?.prompt_tokens} tokens of prompt and ${play.stored?.completion_tokens} of reply, but the server counted ${saidTokens(play)} and ${play.request && replyTokens(play.request)}.`,
    ),
    ...neverSaid(plays, insights).map(
      ({ index, prompt }) =>
        `Insights give passage ${index} ${prompt} tokens, which the server never counted.`,
    ),
  ]
}

function turnOf({ kind, line }: Play): string {
  return `The turn "${kind}${line ? ` ${line}` : ''}"`
}

/** A small model may tell nothing new, but not in half of the turns. */
const NOTHING_NEW = ['empty_reply', 'state_only_reply']

function failures(plays: readonly Play[]): string[] {
  const turns = plays.filter(isTurn)
  const rest = turns.filter(({ error }) => !NOTHING_NEW.includes(error?.code ?? ''))
  return (2 * rest.length > turns.length ? rest : turns).flatMap(failure)
}

// A timeout is a matter of speed.
function failure(play: Play): string[] {
  const { error, shown } = play
  if (error?.code === 'timeout') return []
  if (error) return [`${turnOf(play)} failed: ${error.detail || 'no reason was given.'}`]
  return shown === '' ? [`${turnOf(play)} ended without a passage.`] : []
}

/** Turns right after an ordinary turn of the same story, with nothing changed in between, that read most of it again. */
function lostPrefixes(plays: readonly Play[]): string[] {
  return plays.flatMap((play, at) => {
    const before = plays[at - 1]
    if (!before || !isPlain(before) || !isTurn(play) || before.story !== play.story) return []
    if (before.error || play.error || (play.epoch !== 'kept' && play.epoch !== '')) return []
    const [read, reused] = play.request
      ? [tokensRead(play.request), tokensReused(play.request)]
      : [null, null]
    if (read === null || reused === null || read <= (read + reused) / 2) return []
    return [`${turnOf(play)} read ${read} of ${read + reused} tokens again.`]
  })
}

function notProse(play: Play): string[] {
  const found = notProseIn(`${play.streamed}\n${play.shown}`)
  const unique = new Map(found.map((one) => [one.line, one]))
  return [...unique.values()].map(
    (one) =>
      `${turnOf(play)} shows what is not prose (${one.what}): ${JSON.stringify(one.line.slice(0, 80))}`,
  )
}
