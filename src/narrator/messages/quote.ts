// More of a page than this is never quoted, and reading markup costs time.
const LONGEST_READ = 10_000

/** What a server wrote, as plain text on one line of at most `longest` code points, without markup. */
export function quote(text: string, longest: number): string {
  const start = text.slice(0, LONGEST_READ)
  const plain = isMarkup(start) ? withoutMarkup(start) : start
  const points = [...plain.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()]
  return points.length <= longest ? points.join('') : `${points.slice(0, longest - 1).join('')}…`
}

/** Whether a body is a web page, which is what a wrong port or a wrong path often gives. */
export function isWebPage(text: string): boolean {
  return /^\s*<(!doctype\s+html|html|head|body|!--)/i.test(text)
}

function isMarkup(text: string): boolean {
  return isWebPage(text) || /^\s*<\?xml\b/i.test(text)
}

function withoutMarkup(text: string): string {
  return text.replace(/<(script|style)\b.*?(<\/\1\s*>|$)/gis, ' ').replace(/<[^>]*(>|$)/g, ' ')
}
