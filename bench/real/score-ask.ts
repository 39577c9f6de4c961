import type { RecordedTurn } from './score-record.ts'

/** The replies of a model to one recorded request. */
export interface ScoredReplies {
  at: number
  line: string
  /** The passages in the prompt. */
  earlier: string[]
  promptTokens: number
  replies: { text: string; finish: string }[]
}

/** Replies to each request. */
export const REPLIES = 4
const MOST_TOKENS = 110

/** Asks a model server for several replies to each request. The seeds are fixed. */
export async function askReplies(address: string, turns: readonly RecordedTurn[]): Promise<ScoredReplies[]> {
  const answered: ScoredReplies[] = []
  for (const turn of turns) {
    const began = performance.now()
    const { at, line, request } = turn
    const body = {
      ...request,
      stream: false,
      n: REPLIES,
      max_tokens: MOST_TOKENS,
      temperature: 0.8,
      seed: at + 1,
    }
    const { choices, usage } = await ask(address, body)
    const earlier = (request.messages ?? [])
      .filter(({ role }) => role === 'assistant')
      .map(({ content }) => content)
    const replies = choices.map(({ message, finish_reason }) => ({
      text: message.content,
      finish: finish_reason,
    }))
    answered.push({ at, line, earlier, promptTokens: usage.prompt_tokens, replies })
    console.error(`turn ${at}: ${((performance.now() - began) / 1_000).toFixed(0)} s`)
  }
  return answered
}

interface Answer {
  choices: { message: { content: string }; finish_reason: string }[]
  usage: { prompt_tokens: number; completion_tokens: number }
}

export async function ask(address: string, body: object): Promise<Answer> {
  const response = await fetch(`${address}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify(body),
    timeout: false,
  } as RequestInit)
  if (!response.ok) throw new Error(`The model server answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Answer
}
