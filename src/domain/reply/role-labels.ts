type Role = 'narrator' | 'player'

export interface RoleLabel {
  role: Role
  length: number
  said: string
}

const ROLES = new Map<string, Role>([
  ...['assistant', 'narrator', 'model', 'response', 'your turn'].map(narrates),
  ...['user', 'player', 'human'].map(plays),
])
/** Labels that count alone on their line: with something behind it, `You:` is prose. */
const BARE = new Map([...ROLES, ...['system', 'ai', 'bot'].map(narrates), plays('you')])

const ROLE = /^[\s>*_#]{0,8}(\[?)([a-z]+(?: [a-z]+)?)(\]?)[*_]{0,3} ?:(?:[*_]{1,3}(?=\s|$))?\s*/i
const LABEL = /^[\s>*_#]{0,8}\p{Lu}[\p{L}\p{N}'’. -]{0,30}[*_]{0,3} ?:(?:[*_]|\s|$)/u

/** Null for none, for somebody of the story, and for one alone. */
export function roleLabel(line: string, names: ReadonlySet<string>): RoleLabel | null {
  const [label = '', open, word = '', close] = ROLE.exec(line) ?? []
  const name = word.toLowerCase()
  const said = line.slice(label.length)
  const role = names.has(name) ? undefined : (said === '' ? BARE : ROLES).get(name)
  const isBracketed = open !== '' || close !== ''
  if (role === undefined || (isBracketed && (open === '' || close === '' || role === 'narrator'))) return null
  return { role, length: label.length, said }
}

/** The role that a line names alone, with or without a colon. */
export function bareRole(line: string): Role | null {
  const [, word = ''] = /^[\s>*_#]{0,8}\[?([a-z]+(?: [a-z]+)?)\]?[*_]{0,3} ?:?[*_]{0,3}\s*$/i.exec(line) ?? []
  return BARE.get(word.toLowerCase()) ?? null
}

export function mayBeRole(line: string): boolean {
  const text = line.trimStart().toLowerCase()
  const bare = text.replace(/[*_\s]{1,8}$/, '')
  return BARE.keys().some(
    (word) => word.startsWith(bare) || (text.startsWith(word) && /^[*_ ]*:/.test(text.slice(word.length))),
  )
}

/** True for a line that begins with a label, as in a play or a form. */
export function isLabelled(line: string): boolean {
  return LABEL.test(line)
}

function narrates(word: string): [string, Role] {
  return [word, 'narrator']
}

function plays(word: string): [string, Role] {
  return [word, 'player']
}
