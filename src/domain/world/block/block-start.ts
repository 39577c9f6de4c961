import type { PathResolver } from './path-resolver.ts'

/** What a run of characters turns out to be, as far as known yet. `length` is how many of them it covers. */
export type BlockStart =
  | { kind: 'more' }
  /** A block starts after `length` characters. `closer` is its fence, `>` or `]` for a tag, '' for a bare object. */
  | { kind: 'block'; length: number; closer: string }
  /** A fence, tag or heading that belongs to a block but has no content. */
  | { kind: 'mark'; length: number }
  /** Prose. `fence` is the story's own fence that is open from here on. */
  | { kind: 'story'; length: number; fence?: string }

interface Surroundings {
  paths: PathResolver
  /** Whether only whitespace precedes it on its line. */
  isLineStart: boolean
  /** Whether the reply ends here. */
  isEnd: boolean
  /** The closing fence that a block still owes; '' for none. `*` means any, right after a bare object. */
  owed: string
  /** Whether there was no prose since that block. */
  isRightAfter: boolean
  /** The open fence of the story's own; '' for none. */
  storyFence: string
}

/** An opening that is still undecided after this many characters is prose. */
export const MAX_START = 120

const MORE: BlockStart = { kind: 'more' }
const MAX_LABEL = 24
const PLAIN_LABEL = /^(json5?|jsonc|js|javascript|ya?ml|te?xt|plaintext)?$/i
const NAMES = [
  'state',
  'statedelta',
  'worldstate',
  'worldstatedelta',
  'stateupdate',
  'stateupdates',
  'statechange',
  'statechanges',
  'delta',
]
const LABELS = NAMES.flatMap((name) => [name, `${name}json`, `json${name}`])

/** Whether a block may start with this character. */
export function mayStartBlock(c: string, isLineStart: boolean): boolean {
  return '`~{<'.includes(c) || (isLineStart && '[*_#sSwWdD'.includes(c))
}

/** Decides whether a state block starts here (docs/rules.md 6). */
export function blockStart(text: string, around: Surroundings): BlockStart {
  const c = text[0] ?? ''
  if (c === '`' || c === '~') return fenceAt(text, around)
  if (c === '{') return bareAt(text, around)
  if (c === '<' || c === '[') return tagAt(text, around)
  return headingAt(text, around)
}

function fenceAt(text: string, around: Surroundings): BlockStart {
  const { isEnd } = around
  const fence = /^(`+|~+)/.exec(text)?.[0] ?? ''
  const rest = text.slice(fence.length)
  if (rest === '' && !isEnd) return MORE
  if (fence.length < 3) return inlineCodeAt(fence, rest, around)
  const label = /^[^\n{[`~]*/.exec(rest)?.[0] ?? ''
  if (label.length === rest.length && !isEnd)
    return label.length <= MAX_LABEL ? MORE : storyFenceAt(fence, 'x', around)
  const name = label.trim()
  if (isEnd && isDangling(around) && label === rest && (startsLabel(name) || 'json'.startsWith(name)))
    return { kind: 'mark', length: text.length }
  const body = rest.slice(label.length)
  // Opened and closed on one line: inline code, not a block.
  if (body.startsWith(fence)) return story(2 * fence.length + label.length)
  if (fence.startsWith(body) && body !== '' && !isEnd) return MORE
  if (isLabel(name)) return { kind: 'block', length: fence.length + label.length, closer: fence }
  return plainFenceAt({ fence, label, body }, around)
}

/** A fence shorter than three characters: "`{...}`". */
function inlineCodeAt(fence: string, rest: string, around: Surroundings): BlockStart {
  const key = rest.startsWith('{') ? firstKey(rest, around, null) : 'other'
  if (key === 'ours') return { kind: 'block', length: fence.length, closer: fence }
  if (key !== 'other') return MORE
  return rest === '' && isDangling(around) ? { kind: 'mark', length: fence.length } : story(fence.length)
}

/** A fence without one of our labels: the first key decides. */
function plainFenceAt(
  { fence, label, body }: { fence: string; label: string; body: string },
  around: Surroundings,
): BlockStart {
  const name = label.trim()
  const length = fence.length + label.length
  if (!PLAIN_LABEL.test(name) || (name === '' && around.storyFence[0] === fence[0]))
    return storyFenceAt(fence, name, around)
  const owed = name === '' && paysOff(fence, body, around)
  if (owed !== false) return owed
  switch (firstKey(body, around, /\.|^$/)) {
    case 'more':
      return MORE
    case 'ours':
      return { kind: 'block', length, closer: fence }
    case 'nothing':
      return isDangling(around)
        ? { kind: 'mark', length: length + body.length }
        : storyFenceAt(fence, name, around)
    case 'other':
      return storyFenceAt(fence, name, around)
  }
}

/** Whether a fence that ends the reply must have opened a block. */
function isDangling({ isLineStart, storyFence }: Surroundings): boolean {
  return isLineStart && storyFence === ''
}

/** Whether a fence is the closing fence that a block still owes, right after it or at the end of the reply. */
function paysOff(
  fence: string,
  body: string,
  { owed, isRightAfter, isEnd }: Surroundings,
): BlockStart | false {
  if (owed === '' || !/^\s*$/.test(body)) return false
  if (isRightAfter) return { kind: 'mark', length: fence.length }
  if (owed[0] !== fence[0]) return false
  return isEnd ? { kind: 'mark', length: fence.length } : MORE
}

function bareAt(text: string, around: Surroundings): BlockStart {
  if (/^\{\s*\}/.test(text) && !around.isLineStart) return story(1)
  switch (firstKey(text, around, null)) {
    case 'more':
      return MORE
    case 'ours':
      return { kind: 'block', length: 0, closer: '' }
    case 'nothing':
      return around.isLineStart ? { kind: 'mark', length: text.length } : story(1)
    case 'other':
      return story(1)
  }
}

function tagAt(text: string, around: Surroundings): BlockStart {
  const { isEnd } = around
  const [head = '', slash = '', name = ''] = /^[<[][\s|]{0,3}(\/?)([\w -]{0,24})/.exec(text) ?? []
  const rest = text.slice(head.length)
  if (/^\[\s*$/.test(text) && !isEnd) return MORE
  if (/^\[\s*\{/.test(text)) return bareAt(text, around)
  if (rest === '') {
    if (isEnd)
      return around.isLineStart && startsLabel(name) ? { kind: 'mark', length: text.length } : story(1)
    return startsLabel(name) && text.length < 32 ? MORE : story(1)
  }
  if (!isLabel(name)) return story(1)
  const end = /^[^<>[\]\n]{0,30}[>\]]/.exec(rest)?.[0]
  if (end === undefined) return isEnd || /[<[\n]/.test(rest) || rest.length > 30 ? story(1) : MORE
  const length = head.length + end.length
  return slash === '/'
    ? { kind: 'mark', length }
    : { kind: 'block', length, closer: text[0] === '<' ? '>' : ']' }
}

/** A line that announces the block: "State delta:", "**state**". It is hidden if a block follows. */
function headingAt(text: string, around: Surroundings): BlockStart {
  const [head = '', name = ''] = /^[*_# ]{0,6}([a-z][a-z _-]*)?/i.exec(text) ?? []
  const rest = text.slice(head.length)
  if (rest === '' && !around.isEnd) return startsLabel(name) ? MORE : story(1)
  if (!isLabel(name)) return story(1)
  const markup = /^[*_:#]{0,6}\s*/.exec(rest)?.[0] ?? ''
  const next = rest.slice(markup.length)
  if (next === '' && !around.isEnd) return MORE
  if (next === '') return /[:_]/.test(text) ? { kind: 'mark', length: text.length } : story(1)
  if (!'`~{'.includes(next[0] ?? '')) return story(1)
  const found = blockStart(next, { ...around, isLineStart: true })
  if (found.kind === 'block' || found.kind === 'mark')
    return { ...found, length: found.length + head.length + markup.length }
  return found.kind === 'more' ? MORE : story(1)
}

/**
 * Whether the first key of an object names something in the schema. With `lines`, lines without braces also count if
 * their first key matches it.
 */
function firstKey(
  body: string,
  { paths, isEnd }: Surroundings,
  lines: RegExp | null,
): 'more' | 'ours' | 'other' | 'nothing' {
  const lead = /^(?:\s|[{[]|\/\/[^\n]*\n|#[^\n]*\n|\/\*[\s\S]*?\*\/)*/.exec(body)?.[0] ?? ''
  const isObject = /[{[]/.test(lead)
  const rest = body.slice(lead.length)
  if (rest === '' || /^\/([/*][^\n]*)?$/.test(rest)) return isEnd ? 'nothing' : 'more'
  if (rest.startsWith('}')) return isObject ? 'ours' : 'other'
  if (!isObject && lines === null) return 'other'
  // An apostrophe in a name ends it only if the name started with one.
  const [start = '', doubleQuoted, singleQuoted, bare] =
    /^(?:["“]([^"”\n]{0,96})|['‘`]([^'’`\n]{0,96})|([\p{L}\p{N}_][^:={}"\n]{0,95}))/u.exec(rest) ?? []
  const key = doubleQuoted ?? singleQuoted ?? bare
  if (key === undefined) return 'other'
  const after = /^["'”’`]?\s*/.exec(rest.slice(start.length))?.[0] ?? ''
  const next = rest[start.length + after.length]
  if (next === undefined)
    return !paths.mayName(key) && !'path'.startsWith(key) ? 'other' : isEnd ? 'nothing' : 'more'
  if (next !== ':' && next !== '=') return 'other'
  // A list of edits has its paths one level deeper.
  if (key === 'path' && lead.includes('[')) return 'ours'
  return paths.knows(key.trim()) && (isObject || lines?.test(key)) ? 'ours' : 'other'
}

function storyFenceAt(fence: string, name: string, { storyFence }: Surroundings): BlockStart {
  const closes = name === '' && storyFence[0] === fence[0]
  return { kind: 'story', length: fence.length, fence: storyFence === '' ? fence : closes ? '' : storyFence }
}

function story(length: number): BlockStart {
  return { kind: 'story', length }
}

/** Whether a name is one of the labels of a state block. */
export function isLabel(name: string): boolean {
  return LABELS.includes(lettersOf(name))
}

function startsLabel(name: string): boolean {
  return LABELS.some((label) => label.startsWith(lettersOf(name)))
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '')
}
