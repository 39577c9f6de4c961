/** An element of a document, with the text inside it. */
export interface Element {
  name: string
  attributes: Record<string, string>
  text: string
}

const NAME = '[A-Za-z_][\\w.:-]*'
const TOKEN = new RegExp(
  `<\\?xml[^?]*\\?>|<!doctype html>|<(/?)(${NAME})((?:\\s+${NAME}="[^"<]*")*)\\s*(/?)>|([^<]+)`,
  'gy',
)
// What XML 1.0 calls a character.
const NO_CHARACTER = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u

/** The elements of a well-formed document in order; throws with what is wrong where it is not (XML 1.0, 2.1). */
export function elementsOf(xml: string): Element[] {
  const wrong = NO_CHARACTER.exec(xml)
  if (wrong) throw new Error(`no character: U+${wrong[0].codePointAt(0)?.toString(16)}`)
  const open: Element[] = []
  const all: Element[] = []
  TOKEN.lastIndex = 0
  for (let at = 0; at < xml.length; at = TOKEN.lastIndex) {
    const match = TOKEN.exec(xml)
    if (!match) throw new Error(`not well-formed at: ${xml.slice(at, at + 40)}`)
    const [, closes, name, attributes = '', empty, text] = match
    if (text !== undefined) addText(open, text)
    else if (closes) {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes another element`)
    } else if (name !== undefined) {
      if (open.length === 0 && all.length > 0) throw new Error('two roots')
      const element = { name, attributes: attributesOf(attributes), text: '' }
      all.push(element)
      if (!empty) open.push(element)
    }
  }
  if (open.length > 0) throw new Error(`<${open.at(-1)?.name}> is never closed`)
  return all
}

function addText(open: Element[], raw: string): void {
  if (raw.includes(']]>')) throw new Error(']]> in text')
  if (open.length === 0 && raw.trim() !== '') throw new Error('text outside')
  for (const element of open) element.text += unescaped(raw)
}

function attributesOf(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/([\w.:-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [
    key,
    unescaped(value),
  ])
  if (new Set(pairs.map(([key]) => key)).size < pairs.length) throw new Error('an attribute twice')
  return Object.fromEntries(pairs)
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescaped(text: string): string {
  return text.replace(/&(\w*);?/g, (whole, name) => {
    const sign = whole.endsWith(';') ? ENTITIES[name] : undefined
    if (sign === undefined) throw new Error(`an ampersand that is none: ${whole}`)
    return sign
  })
}
