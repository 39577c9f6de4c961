/** A line that belongs to a state block: drop its first `length` characters. `isOpen`: the block goes on. */
interface BlockLine {
  length: number
  isOpen: boolean
}

/** Characters of a line that is held back for its end, and of what follows an opening fence. */
const MAX_LINE = 400
const NAMES = new Set(
  ['state', 'worldstate', 'state update', 'state updates', 'state change', 'state changes', 'delta']
    .flatMap((name) => [name, `${name}delta`, `${name}json`, `json${name}`])
    .map(letters),
)
const FENCE = /^(?:`{1,9}|~{3,9})[ \t]{0,4}([a-z\d_ -]{0,24})\s{0,4}(?=$|[{[])/i
const PLAIN_LABEL = /^(?:json5?|jsonc|js|javascript|ya?ml|te?xt|plaintext)?$/i
const TAG = /^[<[][\s|]{0,3}(\/?)([\w -]{1,24})\|?[>\]]/
const HEADING = /^[*_# ]{0,6}([a-z][a-z _-]{3,24})[*_]{0,3}:?[*_]{0,3}\s*$/i
/** An object or a list, and its first key. */
const OBJECT = /^[{[][\s{[]{0,40}(?:["'“‘]?([^"'“”‘’:={}\n]{1,96})["'”’]?\s{0,4}[:=]|\})/
/** A line inside a block: brackets, a comment, a key and its value. */
const ENTRY =
  /^(?:[-*•]\s+)?(?:[{}[\],]+\s*(?=["'“‘\d{}[\],]|$)|\{\s*\S|\/\/|\/\*|# ?\p{Ll}|["'“‘][^"'“”‘’\n]{1,90}["'”’]\s*[:=])/u
const BARE_ENTRY = /^\s*(?:[-*•]\s+)?([\p{L}_][^:=\n{}"]{0,80})[:=]/u
/** A remark in brackets, alone on its line, and the change that it states: `[Brisa's trust changes to +5.]`. */
const REMARK = /^[*_]{0,3}\[([^[\]\n]{1,160})\][.*_]{0,4}\s*$/
const CHANGE =
  /(?<![\p{L}\d])[+−–-]\d|\d ?\/ ?\d|(?:\b(?:to|by|now|gain(?:s|ed)?|loses?|lost)|(?<=\p{L}) ?[:=]) ?[+−–-]?(?:\d|(?:true|false)\b)/iu
const CLOSING = /^(?:`{1,}|~{3,}|[<[]\s*\|?\/[\w -]{1,24}\|?[>\]])[ \t]*/

/**
 * Reads the line at the start of a text as the beginning or, if `isOpen`, as a further line of a state block, which only older prompts
 * asked for. Null for any other line; undefined if what follows can change that.
 */
export function readBlockLine(
  text: string,
  isEnd: boolean,
  isOpen: boolean,
  isPath: (key: string) => boolean,
): BlockLine | null | undefined {
  if (!isOpen && !/^[`~{<[*_#a-z]/i.test(text)) return null
  const end = text.indexOf('\n')
  const line = end < 0 ? text : text.slice(0, end)
  const isWhole = end >= 0 || isEnd || line.length >= MAX_LINE
  if (isOpen) return isWhole ? readFurther(line, isEnd && end < 0, isPath) : undefined
  if (/^[a-z]/i.test(line) && (isWhole ? !isNamed(HEADING.exec(line)?.[1]) : !mayBeNamed(line))) return null
  if (!isWhole) return undefined
  if (isRemark(line, isPath)) return { length: line.length, isOpen: false }
  const tag = TAG.exec(line)
  if (tag && isNamed(tag[2])) return { length: tag[0].length, isOpen: tag[1] !== '/' }
  const fence = FENCE.exec(line)
  if (fence && isNamed(fence[1])) return { length: fence[0].length, isOpen: true }
  if (fence && !PLAIN_LABEL.test(fence[1]?.trim() ?? '')) return null
  const isHeading = isNamed(HEADING.exec(line)?.[1])
  if (!fence && !isHeading) return readObject(line, text, isEnd, isPath)
  const next = text.slice(fence ? fence[0].length : line.length).trimStart()
  const first = next.replace(/^(?:\/\/|#)[^\n]*\s*/, '')
  if (first.length < MAX_LINE && !isEnd && (isPartial(first) || !first.includes('\n'))) return undefined
  const begins = isHeading ? /^[`~{<[]/.test(first) : isObject(first, isPath) || isBareEntry(first, isPath)
  return begins ? { length: (fence ?? [line])[0].length, isOpen: !isHeading } : null
}

/** An object of the schema's paths without a fence, and the characters of its line up to its last bracket. */
function readObject(
  line: string,
  text: string,
  isEnd: boolean,
  isPath: (key: string) => boolean,
): BlockLine | null | undefined {
  if (!/^[{[]/.test(line)) return null
  if (isPartial(text) && !isEnd && text.length < MAX_LINE) return undefined
  return isObject(text, isPath) ? readFurther(line, false, isPath) : null
}

function readFurther(line: string, isLast: boolean, isPath: (key: string) => boolean): BlockLine | null {
  const closing = CLOSING.exec(line)
  if (closing) return { length: closing[0].length, isOpen: false }
  if (line === '') return { length: 0, isOpen: true }
  const isCut = isLast && /^["'“‘]?[\w.]*$/.test(line)
  if (!isCut && !ENTRY.test(line) && !isBareEntry(line, isPath)) return null
  const after = Math.max(line.lastIndexOf('}'), line.lastIndexOf(']')) + 1
  const hasProse =
    after > 0 && /\p{L}/u.test(line.slice(after)) && !/^\s*(?:\/\/|#|[,"'])/.test(line.slice(after))
  return { length: hasProse ? after : line.length, isOpen: !hasProse }
}

/** True for the beginning of an object whose first key is not complete. */
function isPartial(text: string): boolean {
  return /^[\s{[]{0,40}["'“‘]?[^"'“”‘’:={}\n]{0,96}["'”’]?\s{0,4}$/.test(text)
}

function isObject(text: string, isPath: (key: string) => boolean): boolean {
  const [found, key] = OBJECT.exec(text) ?? []
  return found !== undefined && (key === undefined || key.trim() === 'path' || isPath(key.trim()))
}

function isBareEntry(line: string, isPath: (key: string) => boolean): boolean {
  const [, key = ''] = BARE_ENTRY.exec(line) ?? []
  return key !== '' && isPath(key.trim())
}

function isRemark(line: string, isPath: (key: string) => boolean): boolean {
  const [, remark = ''] = REMARK.exec(line) ?? []
  if (!CHANGE.test(remark)) return false
  const words = remark.match(/[\p{L}_][\p{L}\p{N}_.-]*(?<!\.)/gu) ?? []
  return words.some((word, i) => isPath(word) || isPath(`${word} ${words[i + 1]}`))
}

function isNamed(name = ''): boolean {
  return NAMES.has(letters(name))
}

function mayBeNamed(line: string): boolean {
  return NAMES.values().some((name) => name.startsWith(letters(line)) || letters(line) === name)
}

function letters(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '')
}
