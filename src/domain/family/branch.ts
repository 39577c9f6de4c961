import { type Static, Type } from '@sinclair/typebox'
import { cutTo, Text } from '../../lib/text.ts'
import { nullable, Time } from '../../lib/typebox.ts'
import { LIMITS } from '../limits.ts'
import { firstSentences } from '../text/sentence-spans.ts'

/** The colors that branches can have on the map, in the order in which new branches get them (`.color-1` in app.css). */
export const COLOR_NAMES = ['Orange', 'Blue', 'Green', 'Purple', 'Gold', 'Indigo', 'Teal', 'Rose']
export const BRANCH_COLORS = COLOR_NAMES.length

export const StoryBranch = Type.Object({
  id: Type.Integer({ description: 'The id of the adventure' }),
  title: Type.String(),
  branch_name: Type.String({ description: 'What the player calls it; empty for the first one' }),
  branch_color: Type.Integer({ minimum: 0, maximum: BRANCH_COLORS - 1 }),
  main_branch: Type.Boolean({ description: 'The one that the player follows first' }),
  branched_from: nullable(Type.Integer({ description: 'The adventure that it was branched from' })),
  branched_at: nullable(
    Type.Integer({ description: 'Index of the last action that both share; -1 if they share none' }),
  ),
  action_count: Type.Integer(),
  updated_at: Time,
})

export type StoryBranch = Static<typeof StoryBranch>

/** Fields of a branch that the player can change. Another branch becomes the main one by being chosen. */
export const branchFields = () =>
  Type.Object(
    {
      branch_name: Type.Optional(Text(LIMITS.name)),
      branch_color: Type.Optional(Type.Integer({ minimum: 0, maximum: BRANCH_COLORS - 1 })),
      main_branch: Type.Optional(Type.Literal(true)),
    },
    { examples: [{ branch_name: 'at the third tower', main_branch: true }] },
  )

export type BranchFields = Static<ReturnType<typeof branchFields>>

/** The title of a branch: that of the story it grew from, and its own name. */
export function branchTitle(from: Pick<StoryBranch, 'title' | 'branch_name'>, name: string): string {
  const own = `: ${cutTo(name, NAME_LENGTH)}`
  return cutTo(titleWithoutBranch(from), LIMITS.name - own.length) + own
}

export function titleWithoutBranch({
  title,
  branch_name,
}: Pick<StoryBranch, 'title' | 'branch_name'>): string {
  const suffix = `: ${branch_name}`
  return branch_name !== '' && title.endsWith(suffix) ? title.slice(0, -suffix.length) : title
}

const NAME_LENGTH = 100
const NAME_WORDS = 6
/** English words that begin a phrase, before which a sentence can be cut. */
const LINKING = new Set(
  'a an the and or but that which who when where while as if of to in into on onto at by for from with through over under behind before after'.split(
    ' ',
  ),
)

/** A name for a branch: the first phrase of the passage at which it begins. */
export function suggestedName(text: string): string {
  const plain = text.replace(/[*_#>"“”„«»]+/g, ' ').trim()
  const words = firstSentences(plain, 1).split(/\s+/)
  const name = words.length <= NAME_WORDS ? words : firstPhrase(words.slice(0, NAME_WORDS))
  return cutTo(name.join(' ').replace(/[,;:.!?…–—-]$/, ''), NAME_LENGTH)
}

function firstPhrase(words: string[]): string[] {
  const isLinking = (word = '') => LINKING.has(word.toLowerCase())
  let end = words.findLastIndex(
    (word, i) => i > 2 && (isLinking(word) || /[,;:–—]$/.test(words[i - 1] ?? '')),
  )
  while (end > 2 && isLinking(words[end - 1])) end--
  return end === -1 ? words : words.slice(0, end)
}

export function branchLabel({
  branch_name,
  branched_from,
  title,
}: Pick<StoryBranch, 'branch_name' | 'branched_from' | 'title'>): string {
  if (branch_name !== '') return branch_name
  return branched_from === null ? 'Original' : title
}

/** An action as pages name it: they number what follows the opening. */
export function passageName(index: number): string {
  return index < 1 ? 'the opening' : `passage ${index}`
}
