import { withoutControlCharacters } from './control-characters.ts'

/** Elements that are written out. Text is another type, so it cannot slip in unescaped. */
export interface XmlMarkup {
  readonly markup: string
}

export type Content = XmlMarkup | string | readonly Content[]

/** Elements that have no end in HTML. */
const VOID = new Set(['br', 'hr', 'img', 'meta', 'link'])

/** An element that is well-formed as HTML and as XML. Names of elements and attributes are never taken from a story. */
export function element(name: string, attributes: Record<string, string>, ...content: Content[]): XmlMarkup {
  const opened = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`)
  if (VOID.has(name) && content.length === 0) return { markup: `<${name}${opened.join('')}/>` }
  return { markup: `<${name}${opened.join('')}>${written(content)}</${name}>` }
}

function written(content: Content): string {
  if (typeof content === 'string') return escaped(content)
  return 'markup' in content ? content.markup : content.map(written).join('')
}

function escaped(text: string): string {
  const shown = withoutControlCharacters(text)
  // Most runs of text hold none of these: a long story is written in half the time.
  if (!/[&<>"]/.test(shown)) return shown
  return shown
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
