import { objectIn } from '../../lib/objects.ts'
import type { Fields } from '../shared/fields.ts'
import { isUnset } from '../shared/receipt.ts'
import type { Writer } from './writers.ts'

/** The settings of an entry, and where they stand in the file. */
export interface LoreSettings {
  /** By the names that they have in SillyTavern's World Info. */
  of: Record<string, unknown>
  holders: readonly Fields[]
}

/** The settings that are spelled otherwise in the `extensions` of the entry of a card. */
const SPELLINGS: Record<string, string> = {
  exclude_recursion: 'excludeRecursion',
  prevent_recursion: 'preventRecursion',
  delay_until_recursion: 'delayUntilRecursion',
  case_sensitive: 'caseSensitive',
  match_whole_words: 'matchWholeWords',
  risu_activationPercent: 'activationPercent',
}

/** The settings that count for the program that wrote an entry. `decorated` are those that its text begins with. */
export function settingsOf(item: Fields, writer: Writer, decorated: LoreSettings['of']): LoreSettings {
  const extensions = writer.settings === 'extensions' ? item.child('extensions') : null
  const extended = Object.entries(extensions?.source ?? {}).flatMap(([key, value]) =>
    value === null ? [] : [[SPELLINGS[key] ?? key, value]],
  )
  const of = { ...item.source, ...Object.fromEntries(extended), ...decorated }
  return { of, holders: extensions ? [item, extensions] : [item] }
}

/** Settings of an entry that have no equal here, and what that means for the player. */
const WITHOUT_EQUAL: [keys: string[], why: string][] = [
  [
    ['position', 'depth', 'role', 'scan_depth', 'insertion_position'],
    'Position is ignored: cards are placed where they are mentioned',
  ],
  [['outletName', 'outlet_name'], 'Told when it is triggered, not where a macro asks for it'],
  [
    ['groupOverride', 'groupWeight', 'useGroupScoring', 'group_override', 'group_weight'],
    'Group weight is ignored: the last one mentioned wins',
  ],
  [
    ['scanDepth', 'vectorized', 'searchRange'],
    'Only what was told lately is searched, and only for the triggers',
  ],
  [
    ['characterFilter', 'triggers', 'activationMode', 'keyMatchPriority', 'prioritizeInclusion'],
    'Conditions are ignored: included whenever triggered',
  ],
  [
    [
      ...['matchPersonaDescription', 'matchCharacterDescription', 'matchCharacterPersonality'],
      ...['matchScenario', 'matchCharacterDepthPrompt', 'matchCreatorNotes'],
      ...['match_persona_description', 'match_character_description', 'match_character_personality'],
      ...['match_scenario', 'match_character_depth_prompt', 'match_creator_notes'],
    ],
    'Only the story is searched for triggers',
  ],
  [['activationScript'], 'Scripts are never run'],
]

/** Notes what becomes of the settings that an entry has in other programs. */
export function noteSettings({ holders }: LoreSettings): void {
  for (const holder of holders) {
    for (const [keys, why] of WITHOUT_EQUAL) holder.left(why, ...keys)
    holder.came('Triggers may be patterns', 'use_regex', 'useRegex', 'regex')
    holder.came('Whether capitals matter', 'caseSensitive')
    holder.came('Where triggers are looked for', 'matchWholeWords', 'match_whole_words')
    if (isUnset(Object.values(objectIn(holder.source, 'characterFilter')).flat()))
      holder.came('For every character', 'characterFilter')
    // JanitorAI's name for an entry without conditions.
    if (holder.source.activationMode === 'standard') holder.came('Included when triggered', 'activationMode')
  }
}
