// Only the start of a page is processed, because stripping markup takes time.
const MAX_INPUT = 10_000

/** Text from a server as one line of plain text, without markup, of at most `max` code points. */
export function quote(text: string, max: number): string {
  const start = text.slice(0, MAX_INPUT)
  const plain = isWebPage(start) || /^\s*<\?xml\b/i.test(start) ? withoutMarkup(start) : start
  const points = [...plain.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()]
  return points.length <= max ? points.join('') : `${points.slice(0, max - 1).join('')}…`
}

/** Whether a body is a web page, which usually means a wrong port or path. */
export function isWebPage(text: string): boolean {
  return /^\s*<(!doctype\s+html|html|head|body|!--)/i.test(text)
}

function withoutMarkup(text: string): string {
  const bare = text.replace(/<(script|style)\b.*?(<\/\1\s*>|$)/gis, ' ').replace(/<[^>]*(>|$)/g, ' ')
  // The title of an error page is its heading, too.
  return bare.replace(/^\s*(\S.{3,80})\s+(?=\1)/, '')
}
