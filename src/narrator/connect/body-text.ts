import { LineFault } from './connection-error.ts'

const LONGEST_BODY = 1_048_576

/** A whole body as text, of which no more than 1 MiB is read. What was lost with the line is left out. */
export async function bodyText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const bytes of body) {
      text += decoder.decode(bytes, { stream: true })
      if (text.length > LONGEST_BODY) return text
    }
  } catch (error) {
    if (!(error instanceof LineFault)) throw error
  }
  return text + decoder.decode()
}
