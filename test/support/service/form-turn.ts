import type { TestServer } from './server.ts'

/** Sends the form of the composer. Returns its status and, when the turn has ended, the page. */
export async function playForm(
  { ask, deps }: Pick<TestServer, 'ask' | 'deps'>,
  id: number,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<{ status: number; page: string }> {
  const answer = await ask(`/adventures/${id}/turns`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(fields),
  })
  const refused = await answer.text()
  await deps.locks.freed(id)
  return { status: answer.status, page: refused || (await (await ask(`/adventures/${id}`)).text()) }
}

/** The stream of a story's page until an event that matches. */
export async function watched(
  { ask }: Pick<TestServer, 'ask'>,
  id: number,
  until: string | RegExp,
  from = '',
): Promise<string> {
  const left = new AbortController()
  const answer = await ask(`/adventures/${id}/events?from=${from}`, {
    headers: { Accept: 'text/event-stream' },
    signal: left.signal,
  })
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true })
    if (typeof until === 'string' ? text.includes(until) : until.test(text)) break
  }
  left.abort()
  return text
}
