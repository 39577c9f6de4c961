import { pathWords } from '../../domain/world/change-words.ts'
import { fromPointerToken } from '../../lib/json.ts'

const FIELDS: Record<string, string> = {
  dice: 'dice',
  stat: 'stat added',
  difficulties: 'difficulties',
  outcomes: 'outcomes',
  reroll: 'cost of rolling again',
  player_picks_difficulty: 'the player picks the difficulty',
}

const ENTRIES: Record<string, string> = { difficulties: 'difficulty', outcomes: 'outcome' }

/** The place of an error in the words of its form: “Check “Climb”, outcome 2: “lamp oyl””; null outside checks. */
export function checkPlace(path: string): string | null {
  const [, section, name = '', field, ...inner] = path.split('/')
  if (section !== 'checks') return null
  const check = `Check “${fromPointerToken(name)}”`
  if (field === undefined) return check
  const isEntry = ENTRIES[field] !== undefined && inner.length > 0
  const place = isEntry ? `${ENTRIES[field]} ${Number(inner.shift()) + 1}` : (FIELDS[field] ?? field)
  if (inner[0] === 'effects') inner.shift()
  const of = inner.join('/')
  return `${check}, ${place}${of === '' || of === 'from' ? '' : `: “${pathWords(of)}”`}`
}
