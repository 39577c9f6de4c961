/** A file to be kept. `name` is any text without quotation marks, control characters and slashes. */
export function attachment(
  name: string,
  type: string,
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
): Response {
  return new Response(body, {
    headers: {
      'Content-Type': type,
      'Content-Disposition': disposition(name),
      // Whoever opens it at this address all the same gets a document without rights.
      'Content-Security-Policy': "default-src 'none'; sandbox",
    },
  })
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
