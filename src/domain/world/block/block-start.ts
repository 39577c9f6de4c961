import type { Paths } from './path-resolver.ts'

/** What a run of characters turns out to be, as far as it is known yet. `length` says how many of them are meant. */
export type Opening =
  | { kind: 'more' }
  /** A block begins after `length` characters. `closer` is its fence, `>` or `]` for a tag, '' for a bare object. */
  | { kind: 'block'; length: number; closer: string }
  /** A mark that belongs to a block and holds nothing. */
  | { kind: 'mark'; length: number }
  /** Prose. `fence` is the fence of the story's own that is open from here on. */
  | { kind: 'story'; length: number; fence?: string }

export interface Surroundings {
  paths: Paths
  /** Only white space stands before it on its line. */
  linesUp: boolean
  /** Nothing more will come. */
  isEnd: boolean
  /** The fence that a block still owes; '' for none. `*` stands for any, right after a bare object. */
  owed: string
  /** Nothing has been told since that block. */
  isRightAfter: boolean
  /** The fence that the story itself has open; '' for none. */
  storyFence: string
}

/** An opening that is not decided by so many characters is prose. */
export const TOO_LONG_TO_OPEN = 120

const MORE: Opening = { kind: 'more' }
const LONGEST_LABEL = 24
const PLAIN = /^(json5?|jsonc|js|javascript|ya?ml|te?xt|plaintext)?$/i
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

/** Whether a block may begin with this character. */
export function mayOpen(c: string, linesUp: boolean): boolean {
  return '`~{<'.includes(c) || (linesUp && '[*_#sSwWdD'.includes(c))
}

/** Judges what may be the beginning of a block of changes (8.4a of the world-state sheet). */
export function opening(text: string, around: Surroundings): Opening {
  const c = text[0] ?? ''
  if (c === '`' || c === '~') return fenceAt(text, around)
  if (c === '{') return bareAt(text, around)
  if (c === '<' || c === '[') return tagAt(text, around)
  return headingAt(text, around)
}

function fenceAt(text: string, around: Surroundings): Opening {
  const { isEnd, linesUp, storyFence } = around
  const fence = /^(`+|~+)/.exec(text)?.[0] ?? ''
  const rest = text.slice(fence.length)
  if (rest === '' && !isEnd) return MORE
  if (fence.length < 3 && rest.startsWith('{') && firstKey(rest, around, null) !== 'other')
    return inCode(fence, rest, around)
  // A reply that breaks off in a fence broke off in its block.
  const dangles = linesUp && storyFence === ''
  if (fence.length < 3)
    return rest === '' && dangles ? { kind: 'mark', length: fence.length } : story(fence.length)
  const label = /^[^\n{[`~]*/.exec(rest)?.[0] ?? ''
  if (label.length === rest.length && !isEnd)
    return label.length <= LONGEST_LABEL ? MORE : ofStory(fence, 'x', around)
  const name = label.trim()
  if (isEnd && dangles && label === rest && (beginsLabel(name) || 'json'.startsWith(name)))
    return { kind: 'mark', length: text.length }
  const body = rest.slice(label.length)
  // Opened and closed on one line: a word between marks, not a block.
  if (body.startsWith(fence)) return story(2 * fence.length + label.length)
  if (fence.startsWith(body) && body !== '' && !isEnd) return MORE
  if (isLabel(name)) return { kind: 'block', length: fence.length + label.length, closer: fence }
  if (!PLAIN.test(name) || (name === '' && storyFence[0] === fence[0])) return ofStory(fence, name, around)
  const owed = name === '' && paysOff(fence, body, around)
  if (owed !== false) return owed
  switch (firstKey(body, around, /\.|^$/)) {
    case 'more':
      return MORE
    case 'ours':
      return { kind: 'block', length: fence.length + label.length, closer: fence }
    case 'nothing':
      return dangles ? { kind: 'mark', length: text.length } : ofStory(fence, name, around)
    case 'other':
      return ofStory(fence, name, around)
  }
}

/** An object between marks of code: "`{...}`". */
function inCode(fence: string, rest: string, around: Surroundings): Opening {
  return firstKey(rest, around, null) === 'ours'
    ? { kind: 'block', length: fence.length, closer: fence }
    : MORE
}

/**
 * Whether a fence is the one that a block still owes: right after the block, or as the last thing of the reply. False
 * when it is not.
 */
function paysOff(fence: string, body: string, { owed, isRightAfter, isEnd }: Surroundings): Opening | false {
  if (owed === '' || !/^\s*$/.test(body)) return false
  if (isRightAfter) return { kind: 'mark', length: fence.length }
  if (owed[0] !== fence[0]) return false
  return isEnd ? { kind: 'mark', length: fence.length } : MORE
}

function bareAt(text: string, around: Surroundings): Opening {
  if (/^\{\s*\}/.test(text) && !around.linesUp) return story(1)
  switch (firstKey(text, around, null)) {
    case 'more':
      return MORE
    case 'ours':
      return { kind: 'block', length: 0, closer: '' }
    case 'nothing':
      return around.linesUp ? { kind: 'mark', length: text.length } : story(1)
    case 'other':
      return story(1)
  }
}

function tagAt(text: string, around: Surroundings): Opening {
  const { isEnd } = around
  const [head = '', slash = '', name = ''] = /^[<[][\s|]{0,3}(\/?)([\w -]{0,24})/.exec(text) ?? []
  const rest = text.slice(head.length)
  if (/^\[\s*$/.test(text) && !isEnd) return MORE
  if (/^\[\s*\{/.test(text)) return bareAt(text, around)
  if (rest === '') {
    const dangles = around.linesUp && beginsLabel(name)
    if (isEnd) return dangles ? { kind: 'mark', length: text.length } : story(1)
    return beginsLabel(name) && text.length < 32 ? MORE : story(1)
  }
  if (!isLabel(name)) return story(1)
  const end = /^[^<>[\]\n]{0,30}[>\]]/.exec(rest)?.[0]
  if (end === undefined) return isEnd || /[<[\n]/.test(rest) || rest.length > 30 ? story(1) : MORE
  const length = head.length + end.length
  return slash === '/'
    ? { kind: 'mark', length }
    : { kind: 'block', length, closer: text[0] === '<' ? '>' : ']' }
}

/** A line that announces the block: "State delta:", "**state**". It goes with the block, if one follows. */
function headingAt(text: string, around: Surroundings): Opening {
  const [head = '', name = ''] = /^[*_# ]{0,6}([a-z][a-z _-]*)?/i.exec(text) ?? []
  const rest = text.slice(head.length)
  if (rest === '' && !around.isEnd) return beginsLabel(name) ? MORE : story(1)
  if (!isLabel(name)) return story(1)
  const marks = /^[*_:#]{0,6}\s*/.exec(rest)?.[0] ?? ''
  const next = rest.slice(marks.length)
  if (next === '' && !around.isEnd) return MORE
  if (next === '') return /[:_]/.test(text) ? { kind: 'mark', length: text.length } : story(1)
  if (!'`~{'.includes(next[0] ?? '')) return story(1)
  const found = opening(next, { ...around, linesUp: true })
  if (found.kind === 'block' || found.kind === 'mark')
    return { ...found, length: found.length + head.length + marks.length }
  return found.kind === 'more' ? MORE : story(1)
}

/**
 * Looks at the first key of an object: whether it names something that is counted here. Lines without braces count too
 * where `lines` is given, when their first key fits it.
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
  // A name may have an apostrophe in it, which ends it only where the like has begun it.
  const [begun = '', doubly, singly, bare] =
    /^(?:["“]([^"”\n]{0,96})|['‘`]([^'’`\n]{0,96})|([\p{L}\p{N}_][^:={}"\n]{0,95}))/u.exec(rest) ?? []
  const key = doubly ?? singly ?? bare
  if (key === undefined) return 'other'
  const after = /^["'”’`]?\s*/.exec(rest.slice(begun.length))?.[0] ?? ''
  const next = rest[begun.length + after.length]
  if (next === undefined)
    return !paths.mayName(key) && !'path'.startsWith(key) ? 'other' : isEnd ? 'nothing' : 'more'
  if (next !== ':' && next !== '=') return 'other'
  // A list of edits names its paths one level further down.
  if (key === 'path' && lead.includes('[')) return 'ours'
  return paths.knows(key.trim()) && (isObject || lines?.test(key)) ? 'ours' : 'other'
}

function ofStory(fence: string, name: string, { storyFence }: Surroundings): Opening {
  const closes = name === '' && storyFence[0] === fence[0]
  return { kind: 'story', length: fence.length, fence: storyFence === '' ? fence : closes ? '' : storyFence }
}

function story(length: number): Opening {
  return { kind: 'story', length }
}

/** Whether a name is one of those that a block goes by. */
export function isLabel(name: string): boolean {
  return LABELS.includes(plain(name))
}

function beginsLabel(name: string): boolean {
  return LABELS.some((label) => label.startsWith(plain(name)))
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '')
}
