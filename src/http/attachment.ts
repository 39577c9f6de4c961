import { SANDBOX } from './headers.ts'

/** Bytes that are handed on at once. */
const PIECE = 256 * 1024

/** A file to be kept. `name` is any text without quotation marks, control characters and slashes. */
export function attachment(
  name: string,
  type: string,
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
): Response {
  return new Response(body instanceof Uint8Array && body.length > PIECE ? inPieces(body) : body, {
    headers: {
      'Content-Type': type,
      'Content-Disposition': disposition(name),
      // Whoever opens it at this address all the same gets a document without rights.
      'Content-Security-Policy': SANDBOX,
    },
  })
}

// A large body in one piece would keep every turn waiting until the system has taken it.
function inPieces(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream(
    {
      async pull(controller) {
        await new Promise((resolve) => setImmediate(resolve))
        controller.enqueue(bytes.subarray(at, at + PIECE))
        at += PIECE
        if (at >= bytes.length) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

/** Tells the name twice (RFC 6266): in ASCII for those that read nothing else, and as it is (RFC 8187). */
function disposition(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^\x20-\x7e]+|[%"\\]/g, '_')
  const exact = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}
