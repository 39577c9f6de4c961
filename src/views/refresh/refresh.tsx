import type { Question } from '../../domain/beginning.ts'
import type { PlotField, RefreshItem, RefreshPlan } from '../../domain/refresh/plan.ts'
import type { CardFields } from '../../domain/story-card.ts'
import { isObject, objectIn } from '../../lib/objects.ts'
import type { Fields } from '../respond.tsx'
import { answersIn } from '../asked.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { Notice, Page } from '../layout.tsx'
import { QuestionFields } from '../scenario/questions.tsx'
import { WordChanges } from '../word-changes.tsx'

export interface RefreshProps {
  adventure: { id: number; title: string }
  plan: RefreshPlan
  /** Stands for the plan, so that no other one is carried out. */
  mark: string
  /** Questions without an answer. */
  questions: Question[]
  notice?: Child
  /** What was ticked and typed and not taken. */
  typed?: Fields | undefined
  /** It has just been done; `copy` is the id of the copy that was kept. */
  done?: { copy: number } | undefined
}

/** What a story would take over from its scenario, item by item, and the form with which a player does it. */
export function RefreshPage(props: RefreshProps): Markup {
  const { adventure, plan, mark, questions, notice, typed, done } = props
  const isNothing = !plan.has_changes && questions.length === 0
  return (
    <Page title={`Update ${adventure.title}`} place="/">
      <div class="shelf refresh">
        <h1>Update “{adventure.title}”</h1>
        <p class="lead">
          {isNothing
            ? `This story has everything as its scenario “${plan.scenario_title}” has it.`
            : `Its scenario is “${plan.scenario_title}”. Choose what this story takes over.`}
        </p>
        {done ? <Done copy={done.copy} /> : null}
        <Notice>{notice}</Notice>
        {isNothing ? (
          <>
            <p>When you change the scenario, what this story could take over stands here.</p>
            <p>
              <Back id={adventure.id} />
            </p>
          </>
        ) : (
          <form method="post" action={`/adventures/${adventure.id}/refresh`}>
            <input type="hidden" name="seen" value={mark} />
            {questions.length > 0 ? (
              <Questions adventureId={adventure.id} questions={questions} typed={typed} />
            ) : null}
            <Items plan={plan} typed={typed} />
            <p class="about">
              What was told stays told: the passages, the title, the summary, the memories and the cards that
              you made yourself are left alone, and so is every value that is still counted.
            </p>
            <p>
              <label class="check">
                <input type="checkbox" name="keep_copy" value="1" checked={typed?.keep_copy === '1'} /> Keep a
                copy of this adventure first
              </label>
            </p>
            <p class="row">
              <button type="submit" class="main">
                Update the story
              </button>
              <Back id={adventure.id} />
            </p>
          </form>
        )}
      </div>
    </Page>
  )
}

/** What a story is told that has no scenario to take anything over from. */
export function NoScenarioPage({
  adventure,
  sentence,
}: {
  adventure: RefreshProps['adventure']
  sentence: string
}): Markup {
  return (
    <Page title={`Update ${adventure.title}`} place="/">
      <div class="shelf">
        <h1>Update “{adventure.title}”</h1>
        <p class="lead">{sentence}</p>
        <p>All that it has is its own, and you change it under Plot, beside the story.</p>
        <p>
          <Back id={adventure.id} />
        </p>
      </div>
    </Page>
  )
}

function Done({ copy }: { copy: number }): Markup {
  return (
    <p role="status" class="good">
      The story is updated. {copy > 0 ? <a href={`/adventures/${copy}`}>The copy as it was before</a> : null}
    </p>
  )
}

function Back({ id }: { id: number }): Markup {
  return (
    <a class="way" href={`/adventures/${id}#tools`}>
      Back to the story
    </a>
  )
}

function Questions({
  adventureId,
  questions,
  typed,
}: {
  adventureId: number
  questions: readonly Question[]
  typed: Fields | undefined
}): Markup {
  return (
    <section aria-labelledby="questions">
      <h2 id="questions">Questions</h2>
      <p class="about">The scenario asks this now. What you leave empty is asked again next time.</p>
      <QuestionFields questions={questions} answers={typed && answersIn(typed)} />
      <button type="submit" formaction={`/adventures/${adventureId}/answers`}>
        Keep the answers and look again
      </button>
    </section>
  )
}

function Items({ plan, typed }: { plan: RefreshPlan; typed: Fields | undefined }): Markup {
  const { items } = plan
  const sections: [title: string, items: RefreshItem[]][] = [
    ['Plot', items.filter(({ kind }) => kind === 'field')],
    ['Story cards', items.filter(({ kind }) => kind === 'card')],
    ['What is counted', items.filter(({ kind }) => kind !== 'field' && kind !== 'card')],
  ]
  return (
    <>
      {sections.map(([title, items]) =>
        items.length === 0 ? null : (
          <section aria-label={title}>
            <h2>{title}</h2>
            <ul class="items">
              {items.map((item) => (
                <Item item={item} plan={plan} isTaken={isTaken(item.ref, typed)} />
              ))}
            </ul>
          </section>
        ),
      )}
    </>
  )
}

// What was not on the page that was sent is taken unless the player says otherwise.
function isTaken(ref: string, typed: Fields | undefined): boolean {
  return typed?.[`item:${ref}`] === undefined || typed[`take:${ref}`] !== undefined
}

function Item({ item, plan, isTaken }: { item: RefreshItem; plan: RefreshPlan; isTaken: boolean }): Markup {
  const { ref } = item
  return (
    <li>
      <input type="hidden" name={`item:${ref}`} value="1" />
      <label class="check">
        <input type="checkbox" name={`take:${ref}`} value="1" checked={isTaken} />
        <span>
          <strong>{titleOf(item)}</strong> <span class="about">{deedOf(item)}</span>
        </span>
      </label>
      <div class="about-item">{detailsOf(item, plan)}</div>
    </li>
  )
}

const FIELDS: Record<PlotField, string> = {
  memory: 'Plot essentials',
  authors_note: "Author's note",
  ai_instructions: 'AI instructions',
}

function titleOf(item: RefreshItem): string {
  if (item.kind === 'field') return FIELDS[item.name as PlotField]
  return item.name.trim() === '' ? 'A card without a name' : item.name
}

function deedOf({ kind, old, new: next }: RefreshItem): string {
  const what = KINDS[kind]
  if (old === null) return `new ${what}`
  return next === null ? `${what}, removed` : `${what}, changed`
}

const KINDS: Record<RefreshItem['kind'], string> = {
  field: 'text',
  card: 'card',
  stat: 'stat',
  flag: 'flag',
  milestone: 'milestone',
  npc: 'character',
  world: 'numbers and flags',
}

function detailsOf(item: RefreshItem, plan: RefreshPlan): Child {
  if (item.kind === 'field') return <WordChanges old={String(item.old)} next={String(item.new)} />
  if (item.kind === 'card') return <CardChanges {...(item as Extract<RefreshItem, { kind: 'card' }>)} />
  return <CountedChanges item={item as CountedItem} plan={plan} />
}

const CARD_FIELDS = [
  ['name', 'Name'],
  ['type', 'Kind'],
  ['keys', 'Triggers'],
  ['entry', 'Entry'],
  ['notes', 'Notes'],
] as const

function CardChanges({ old, new: next }: { old: CardFields | null; new: CardFields | null }): Markup {
  const text = (card: CardFields | null, name: keyof CardFields) => card?.[name] ?? ''
  // What a new card and one that goes are called stands above.
  const isShown = (name: keyof CardFields) => name !== 'name' || (old !== null && next !== null)
  const fields = CARD_FIELDS.filter(([name]) => isShown(name) && text(old, name) !== text(next, name))
  return (
    <dl>
      {fields.map(([name, label]) => (
        <>
          <dt>{label}</dt>
          <dd>
            <WordChanges old={text(old, name)} next={text(next, name)} />
          </dd>
        </>
      ))}
    </dl>
  )
}

type CountedItem = Extract<RefreshItem, { kind: 'stat' | 'flag' | 'milestone' | 'npc' | 'world' }>

/** What becomes of the live value, and how the definition differs. */
function CountedChanges({ item, plan }: { item: CountedItem; plan: RefreshPlan }): Markup {
  const path = item.ref.replace(/^world:/, '')
  const definitions = plan.world_state.changed.filter((one) => one.path === path && !FITTED.has(one.what))
  return (
    <>
      <p>{fateOf(item)}</p>
      {definitions.length > 0 ? (
        <dl>
          {definitions.map(({ what, old, new: next }) => (
            <>
              <dt>{WORDS[what] ?? what.replaceAll('_', ' ')}</dt>
              <dd>
                <WordChanges old={shown(old)} next={shown(next)} />
              </dd>
            </>
          ))}
        </dl>
      ) : null}
    </>
  )
}

/** What the plan says of a value, not of a definition. */
const FITTED = new Set(['range', 'length', 'option', 'kind'])

/** The words of a definition as the form for it calls them. */
const WORDS: Record<string, string> = {
  type: 'Kind',
  initial: 'Begins at',
  min: 'Least',
  max: 'Most',
  max_delta_per_turn: 'Moves in a turn by at most',
  max_gain_per_turn: 'Gains in a turn by at most',
  max_loss_per_turn: 'Loses in a turn by at most',
  cooldown: 'Rests after a change, in actions',
  bands: 'Bands',
  desc: 'Description',
  max_length: 'Longest',
  options: 'Only one of these',
  hidden: 'Kept from the narrator',
  label: 'Shown as',
  name: 'Name',
  keys: 'Named in the story as',
}

function fateOf({ kind, old, new: next }: CountedItem): string {
  if (kind === 'world') return 'The scenario counts nothing any more: every value goes.'
  if (kind === 'milestone') return milestoneFate(old?.value, next !== null)
  if (kind === 'npc') return npcFate(old, next)
  const [was, is] = [valueWords(old?.value), valueWords(next?.value)]
  if (next === null)
    return was === '' ? 'It is counted no more.' : `It is counted no more; its value ${was} goes.`
  if (old === null || was === '') return `It begins at ${is}.`
  return was === is ? `Its value stays: ${is}.` : `Its value ${was} becomes ${is}.`
}

function milestoneFate(entry: unknown, stays: boolean): string {
  const isReached = entry === true || (isObject(entry) && entry.reached === true)
  if (!isReached) return stays ? 'It is not reached yet.' : 'It was not reached.'
  return stays ? 'It stays reached.' : 'It was reached; that is forgotten.'
}

function npcFate(old: CountedItem['old'], next: CountedItem['new']): string {
  if (old === null) {
    const begin = listed(objectIn(next, 'value'))
    return begin === '' ? 'Nothing is counted of them.' : `They begin with ${begin}.`
  }
  if (next !== null) return 'What is counted of them is listed by itself.'
  const had = listed(objectIn(old, 'value'))
  return had === '' ? 'Nothing was counted of them.' : `What was counted of them goes: ${had}.`
}

function listed(values: Record<string, unknown>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${valueWords(value)}`)
    .join(', ')
}

function valueWords(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' ? `“${value}”` : String(value)
}

/** A word of a definition as a person reads it. */
function shown(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (!Array.isArray(value)) return isObject(value) ? JSON.stringify(value) : String(value)
  return value.map((one) => (Array.isArray(one) ? `${one[0]} to ${one[1]} ${one[2]}` : shown(one))).join('\n')
}
