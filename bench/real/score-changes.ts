import { sum } from './numbers.ts'
import { ask } from './score-ask.ts'
import type { RecordedPassage, RecordedTurn } from './score-record.ts'

/** The changes that a model reports for one labelled passage. */
export interface ReportedChanges {
  at: number
  passage: string
  answer: string
  /** Null if nothing could be read. */
  changes: Change[] | null
  right: Change[]
  wrong: Change[]
  missed: Change[]
  promptTokens: number
  answerTokens: number
}

interface Change {
  path: string
  /** An amount with its sign, or a new value. */
  moves: unknown
}

/** Asks for the changes of each passage as the version does: in a request of its own, or at the end of the reply. */
export async function askChanges(
  address: string,
  turns: readonly RecordedTurn[],
  inline: boolean,
): Promise<ReportedChanges[]> {
  const reported: ReportedChanges[] = []
  for (const { at, request, passages } of turns)
    for (const passage of passages) {
      const body = inline ? inlineRequest(request, passage.passage) : passage.recorder
      if (!body) continue
      const { choices, usage } = await ask(address, { ...body, stream: false, seed: at + 1 })
      const answer = choices[0]?.message.content ?? ''
      const changes = changesIn(inline ? blockIn(answer) : answer)
      const { prompt_tokens: promptTokens, completion_tokens: answerTokens } = usage
      const judged = judge(changes ?? [], passage)
      reported.push({ at, passage: passage.passage, answer, changes, ...judged, promptTokens, answerTokens })
    }
  return reported
}

/** The request for a passage, continued with it up to the beginning of its block. */
function inlineRequest(request: RecordedTurn['request'], passage: string): object {
  const content = `${passage}\n\n\`\`\`state_delta\n`
  return {
    ...request,
    max_tokens: 200,
    messages: [...(request.messages ?? []), { role: 'assistant', content }],
  }
}

/** The block that an answer continues. llama.cpp repeats the message before it. */
function blockIn(answer: string): string {
  return (answer.split('```state_delta').at(-1) ?? '').split('```')[0] ?? ''
}

const RESERVED = ['because', 'edits', 'changes']

/** The changes in an answer of any form that a version has used; null if it is no JSON. */
export function changesIn(answer: string): Change[] | null {
  try {
    return changesOf(JSON.parse(answer.slice(answer.search(/[{[]/))))
  } catch {
    return null
  }
}

function changesOf(value: unknown): Change[] {
  if (Array.isArray(value)) return value.flatMap(changesOf)
  if (typeof value !== 'object' || value === null) return []
  if ('path' in value) {
    const { path, by, to } = value as { path: string; by?: unknown; to?: unknown }
    return [{ path, moves: by ?? to }]
  }
  return Object.entries(value).flatMap(([key, inner]) =>
    key.includes('.') && !RESERVED.includes(key) ? [{ path: key, moves: inner }] : changesOf(inner),
  )
}

/**
 * Compares reported changes with the labels. A number is right if it moves the right way, a text if its path is labelled. One
 * that changes nothing does not count.
 */
export function judge(
  changes: readonly Change[],
  { changes: labels, before }: Pick<RecordedPassage, 'changes' | 'before'>,
): Pick<ReportedChanges, 'right' | 'wrong' | 'missed'> {
  const real = changes.filter(({ path, moves }) => moves !== 0 && moves !== before[path])
  const isRight = ({ path, moves }: Change) =>
    labels.some(
      (label) =>
        label.path === path &&
        (label.by === undefined
          ? typeof label.to === 'string' || label.to === moves
          : Math.sign(Number(moves)) === Math.sign(label.by)),
    )
  const right = real.filter(isRight)
  const found = new Set(right.map(({ path }) => path))
  const missed = labels
    .filter(({ path }) => !found.has(path))
    .map(({ path, by, to }) => ({ path, moves: by ?? to }))
  return { right, wrong: real.filter((change) => !isRight(change)), missed }
}

export function changesRow(reported: readonly ReportedChanges[]) {
  return {
    passages: reported.length,
    unreadable: reported.filter(({ changes }) => changes === null).length,
    right: sum(reported.map(({ right }) => right.length)),
    wrong: sum(reported.map(({ wrong }) => wrong.length)),
    missed: sum(reported.map(({ missed }) => missed.length)),
    'passages with a wrong one': reported.filter(({ wrong }) => wrong.length > 0).length,
    'answer tokens': sum(reported.map(({ answerTokens }) => answerTokens)),
  }
}
