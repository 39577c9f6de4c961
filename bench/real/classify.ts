import type { Kind, RequestBody } from './exchange.ts'

/** What our own questions say, in the order in which they are tried. */
const QUESTIONS: [Kind, RegExp][] = [
  ['recorder', /Before the story goes on/],
  ['summary', /\bsummary\b[^\n]*\bup to date|Write the summary/i],
  ['memory', /make a note for later/],
]

/**
 * What a request is for. A request for a passage is recognised by its length limit, which no other request has; the
 * others by the words of their question.
 */
export function kindOf(path: string, body: RequestBody | null, replyTokens: number): Kind {
  if (/tokenize|input_tokens/.test(path)) return 'count'
  if (/embed/.test(path)) return 'embeddings'
  if (!/completion|\/api\/chat|\/api\/generate/.test(path)) return 'other'
  const limit = body?.max_tokens ?? body?.n_predict ?? body?.options?.num_predict
  if (limit !== undefined && limit >= 0 && limit <= 1) return 'read-ahead'
  const question = body?.messages?.at(-1)?.content ?? body?.prompt ?? ''
  const asked = QUESTIONS.find(([, words]) => words.test(question))
  if (asked) return asked[0]
  if (limit === replyTokens) return 'story'
  return body?.response_format || body?.format ? 'recorder' : 'other'
}

/** Work that the player did not wait for. */
export const BACKGROUND: readonly Kind[] = ['memory', 'summary', 'read-ahead', 'embeddings']
