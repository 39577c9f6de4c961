import { attributesToString, escapeHtml, isVoidElement } from '@kitajs/html'

/** Safe HTML. Text has another type, so it cannot get in unescaped. */
export class Markup {
  constructor(readonly html: string) {}
  toString(): string {
    return this.html
  }
}

export type Child = Markup | string | number | boolean | null | undefined | Child[]

type Props = { children?: Child; [attribute: string]: unknown }
type Component = (props: Props) => Markup

/** The HTML of any content; text is escaped, anything else throws. */
export function render(child: Child): string {
  if (child instanceof Markup) return child.html
  if (typeof child === 'string') return escapeHtml(child)
  if (typeof child === 'number') return String(child)
  if (child === null || child === undefined || typeof child === 'boolean') return ''
  if (Array.isArray(child)) return child.map(render).join('')
  throw new TypeError('Only text, numbers and elements can be shown.')
}

export function jsx(tag: string | Component, props: Props): Markup {
  if (typeof tag === 'function') return tag(props)
  const { children, ...attributes } = props
  for (const [name, value] of Object.entries(attributes)) checkAttribute(name, value)
  const open = `<${tag}${attributesToString(escaped(attributes))}`
  if (isVoidElement(tag)) return new Markup(`${open}>`)
  if ((tag === 'script' || tag === 'style') && render(children) !== '')
    throw new TypeError('Scripts and styles are files: the content policy allows none inside a page.')
  return new Markup(`${open}>${render(children)}</${tag}>`)
}

export const jsxs = jsx
export const jsxDEV = jsx

export function Fragment({ children }: Props): Markup {
  return new Markup(render(children))
}

// Kita's encoder only escapes quotation marks: an "&lt;" that a player typed would come back as "<".
function escaped(attributes: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      typeof value === 'string' ? escapeHtml(value) : value,
    ]),
  )
}

const ADDRESSES = /^(href|src|action|formaction|hx-(get|post|put|patch|delete))$/

function checkAttribute(name: string, value: unknown): void {
  if (!/^[a-zA-Z@:][\w:.@-]*$/.test(name)) throw new TypeError('This is not the name of an attribute.')
  if (/^on/i.test(name) || name === 'style')
    throw new TypeError(`The content policy does not allow "${name}".`)
  // Only paths of our own, web addresses and inline pictures.
  if (ADDRESSES.test(name) && !/^(\/|#|\?|data:image\/|https?:\/\/)/.test(String(value)) && value !== '')
    throw new TypeError('This address is not one that a page may use.')
}

/** The content at the end of an element that it did not have before; null if anything else in it differs. */
export function addedContent(before: Markup, now: Markup): Markup | null {
  const [end] = /<\/\w+>$/.exec(before.html) ?? ['']
  const start = before.html.slice(0, before.html.length - end.length)
  if (!now.html.startsWith(start) || !now.html.endsWith(end)) return null
  return new Markup(now.html.slice(start.length, now.html.length - end.length))
}

export namespace JSX {
  export type Element = Markup
  export interface ElementChildrenAttribute {
    children: unknown
  }
  export interface IntrinsicAttributes {
    children?: Child
  }
  export interface IntrinsicElements {
    [tag: string]: {
      children?: Child
      [attribute: string]: string | number | boolean | null | undefined | Child
    }
  }
}
