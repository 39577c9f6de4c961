import { isBlank } from '../../lib/text.ts'
import type { Fields } from '../shared/fields.ts'

/** Settings of an entry that have no equal here, and what that means for the player. */
const SETTINGS: [keys: string[], note: string][] = [
  [
    ['position', 'depth', 'role', 'outletName', 'scan_depth', 'insertion_position'],
    'Where the text is inserted there. Here a card comes where it is mentioned.',
  ],
  [
    ['groupOverride', 'groupWeight', 'useGroupScoring', 'group_override', 'group_weight'],
    'Which entry of a group is included there. Here it is the last mentioned.',
  ],
  [
    ['caseSensitive', 'matchWholeWords', 'case_sensitive', 'match_whole_words', 'scanDepth', 'vectorized'],
    'How triggers are found there. Here words match at their beginning, in any case.',
  ],
  [
    ['characterFilter', 'triggers', 'mode', 'activationMode', 'keyMatchPriority', 'prioritizeInclusion'],
    'Conditions that are not supported: the entry is included when it is triggered.',
  ],
  [['activationScript'], 'Scripts are never run.'],
  [['keysRaw', 'keysecondaryRaw', 'keywordsRaw'], 'The triggers once more.'],
  [
    [
      ...[
        'uid',
        'id',
        'addMemo',
        'automationId',
        'ignoreBudget',
        'priority',
        'displayIndex',
        'display_index',
      ],
      ...[
        'matchPersonaDescription',
        'matchCharacterDescription',
        'matchCharacterPersonality',
        'matchScenario',
      ],
      ...['matchCharacterDepthPrompt', 'matchCreatorNotes', 'folder', 'loreCache', 'risu_loreCache'],
      ...['bookVersion', 'extentions', 'risu_case_sensitive'],
    ],
    'Only used by the program that wrote the file.',
  ],
]

/** Notes what becomes of the settings that an entry has in other programs. */
export function noteSettings(item: Fields): void {
  for (const holder of [item, item.child('extensions')]) {
    if (holder === null) continue
    for (const [keys, note] of SETTINGS)
      for (const key of keys)
        if (isUnset(holder.source[key])) holder.note('taken', key, 'Not set.')
        else holder.note('dropped', key, note)
  }
}

/** How RisuAI and JanitorAI call the mode of an entry without a condition. */
const ORDINARY = ['normal', 'standard']

function isUnset(value: unknown): boolean {
  if (typeof value === 'string') return isBlank(value) || ORDINARY.includes(value)
  return !value || (Array.isArray(value) && value.length === 0)
}
