import { SANDBOX } from './headers.ts'
import { untilRevoked } from './visitor.ts'

const CHUNK = 256 * 1024

/** A download. `name` must not contain quotation marks, control characters or slashes. */
export function attachment(
  name: string,
  type: string,
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
): Response {
  const isShort = body instanceof Uint8Array && body.length <= CHUNK
  return new Response(isShort ? body : untilRevoked(body instanceof Uint8Array ? inChunks(body) : body), {
    headers: {
      'Content-Type': type,
      'Content-Disposition': disposition(name),
      // Harmless if a browser opens it as a page after all.
      'Content-Security-Policy': SANDBOX,
    },
  })
}

// Sent at once, a large body would block all turns until the system has accepted it.
function inChunks(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  let sent = 0
  return new ReadableStream(
    {
      async pull(controller) {
        await new Promise((resolve) => setImmediate(resolve))
        controller.enqueue(bytes.subarray(sent, sent + CHUNK))
        sent += CHUNK
        if (sent >= bytes.length) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

/** File name in ASCII for old clients (RFC 6266), and in full (RFC 8187). */
function disposition(name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^\x20-\x7e]+|[%"\\]/g, '_')
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
