import { ConnectionError } from './connection-error.ts'

const MAX_BODY = 1_048_576

/** Reads a body as text, up to 1 MiB. If the connection is lost, returns what had arrived. */
export async function bodyText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const bytes of body) {
      text += decoder.decode(bytes, { stream: true })
      if (text.length > MAX_BODY) return text
    }
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error
  }
  return text + decoder.decode()
}
