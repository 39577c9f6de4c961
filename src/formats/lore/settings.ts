import type { Fields } from '../shared/fields.ts'

/** Settings of an entry that have no equal here, and what that means for the player. */
const SETTINGS: [keys: string[], why: string][] = [
  [
    ['position', 'depth', 'role', 'outletName', 'scan_depth', 'insertion_position'],
    'Position is ignored: cards are placed where they are mentioned',
  ],
  [
    ['groupOverride', 'groupWeight', 'useGroupScoring', 'group_override', 'group_weight'],
    'Group weight is ignored: the last one mentioned wins',
  ],
  [
    ['caseSensitive', 'matchWholeWords', 'case_sensitive', 'match_whole_words', 'scanDepth', 'vectorized'],
    'Matching is ignored: triggers match the beginning of a word, in any case',
  ],
  [
    ['characterFilter', 'triggers', 'mode', 'activationMode', 'keyMatchPriority', 'prioritizeInclusion'],
    'Conditions are ignored: included whenever triggered',
  ],
  [['activationScript'], 'Scripts are never run'],
]

/** How RisuAI and JanitorAI call the mode of an entry, and a mode without a condition. */
const MODES = ['mode', 'activationMode']
const ORDINARY: unknown[] = ['normal', 'standard']

/** Notes what becomes of the settings that an entry has in other programs. */
export function noteSettings(item: Fields): void {
  for (const holder of [item, item.child('extensions')]) {
    if (holder === null) continue
    for (const [keys, why] of SETTINGS) holder.left(why, ...keys)
    for (const key of MODES)
      if (ORDINARY.includes(holder.source[key])) holder.came('Included when triggered', key)
  }
}
