/** An entry of World Info, as far as it decides whether the entry is told. */
export interface WorldEntry {
  key: string[]
  keysecondary: string[]
  selective?: boolean
  selectiveLogic?: number
  constant?: boolean
  disable?: boolean
  probability?: number
  useProbability?: boolean
  caseSensitive?: boolean | null
  matchWholeWords?: boolean | null
}

/**
 * Tells if SillyTavern tells an entry for a text, as checkWorldInfo and matchKeys in its public/scripts/world-info.js do;
 * 'maybe' where it rolls dice. Whole words are off where the entry does not say it.
 */
export function isTold(entry: WorldEntry, text: string): boolean | 'maybe' {
  const { key, keysecondary, disable, constant, selective, useProbability, probability } = entry
  if (disable) return false
  if (!constant) {
    if (!key.some((one) => matches(one, text, entry))) return false
    if (selective && keysecondary.length > 0 && !areSecondMet(entry, text)) return false
  }
  if (!useProbability || probability === undefined || probability >= 100) return true
  return probability > 0 ? 'maybe' : false
}

function areSecondMet(entry: WorldEntry, text: string): boolean {
  const found = entry.keysecondary.map((one) => matches(one, text, entry))
  switch (entry.selectiveLogic ?? 0) {
    case 1:
      return !found.every(Boolean)
    case 2:
      return !found.some(Boolean)
    case 3:
      return found.every(Boolean)
    default:
      return found.some(Boolean)
  }
}

function matches(written: string, text: string, { caseSensitive, matchWholeWords }: WorldEntry): boolean {
  const pattern = patternIn(written)
  if (pattern) return pattern.test(text)
  const folded = (one: string) => (caseSensitive ? one : one.toLowerCase())
  const [key, searched] = [folded(written.trim()), folded(text)]
  if (!matchWholeWords || /\s/.test(key)) return searched.includes(key)
  return new RegExp(`(?:^|\\W)(${key.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')})(?:$|\\W)`).test(searched)
}

function patternIn(written: string): RegExp | null {
  const [, source, flags] = /^\/([\w\W]+?)\/([gimsuy]*)$/.exec(written) ?? []
  if (source === undefined || /(^|[^\\])\//.test(source)) return null
  try {
    return new RegExp(source.replace('\\/', '/'), flags)
  } catch {
    return null
  }
}
