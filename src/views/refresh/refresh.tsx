import type { RefreshItem, RefreshPlan } from '../../domain/refresh/plan.ts'
import type { PlaceholderQuestion } from '../../domain/start-from-scenario.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { Notice, Page, WayBack } from '../layout.tsx'
import type { FormFields } from '../respond.tsx'
import { PlaceholderFields } from '../scenario/placeholders.tsx'
import { answersIn } from '../ui/placeholder-fields.ts'
import { refreshUrl, storyEndUrl, storyUrl } from '../urls.ts'
import { Item } from './item.tsx'

export interface RefreshProps {
  adventure: { id: number; title: string }
  plan: RefreshPlan
  /** The version of the plan, so that only this one is applied. */
  mark: string
  /** Placeholders without a value. */
  questions: PlaceholderQuestion[]
  notice?: Child
  /** The fields of a refused form. */
  typed?: FormFields | undefined
  /** A form was just applied: whether anything was selected in it, and the id of the copy made first, 0 for none. */
  done?: { applied: boolean; copy: number } | undefined
}

/** The changes that a story can take from its scenario, item by item, and the form that applies them. */
export function RefreshPage(props: RefreshProps): Markup {
  const { adventure, plan, mark, questions, notice, typed, done } = props
  const isNothing = !plan.has_changes && questions.length === 0
  return (
    <Page title={`Update ${adventure.title}`} place="/">
      <div class="shelf refresh">
        <WayBack href={storyEndUrl(adventure.id)}>Back to the story</WayBack>
        <h1>Update “{adventure.title}”</h1>
        <p class="lead">{leadOf(props, isNothing)}</p>
        {done ? <Done {...done} /> : null}
        <Notice>{notice}</Notice>
        {isNothing ? (
          <p>When you change the scenario, you can apply those changes here.</p>
        ) : (
          <form method="post" action={refreshUrl(adventure.id)}>
            <input type="hidden" name="seen" value={mark} />
            {questions.length > 0 ? (
              <Questions adventureId={adventure.id} questions={questions} typed={typed} />
            ) : null}
            <Items plan={plan} typed={typed} />
            <p class="about">
              The passages, title, summary, memories and your own cards stay as they are. Values of stats
              change only where it says so.
            </p>
            <p>
              <label class="check">
                <input type="checkbox" name="keep_copy" value="1" checked={typed?.keep_copy === '1'} /> Keep a
                copy of this story first
              </label>
            </p>
            <p class="row">
              <button type="submit" class="main">
                Update story
              </button>
              <a href={storyEndUrl(adventure.id)}>Cancel</a>
            </p>
          </form>
        )}
      </div>
    </Page>
  )
}

/** What the page offers. The story may differ by what its player changed, not only by what the author did. */
function leadOf(
  { plan: { scenario_title: title, has_changes }, done }: RefreshProps,
  isNothing: boolean,
): string {
  if (isNothing) return `This story is up to date with its scenario “${title}”.`
  if (!has_changes) return `The scenario “${title}” has placeholders that this story does not answer yet.`
  if (done) return `The story still differs from its scenario “${title}”, as you chose.`
  return `This story differs from its scenario “${title}”. Choose what to take from the scenario.`
}

/** Shown for a story without a scenario. */
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
        <WayBack href={storyEndUrl(adventure.id)}>Back to the story</WayBack>
        <h1>Update “{adventure.title}”</h1>
        <p class="lead">{sentence}</p>
        <p>You can edit everything about it in its Plot panel.</p>
      </div>
    </Page>
  )
}

function Done({ applied, copy }: NonNullable<RefreshProps['done']>): Markup {
  return (
    <p role="status" class="good">
      {applied ? 'Story updated.' : 'Nothing was selected, so the story is unchanged.'}{' '}
      {copy > 0 ? <a href={storyUrl(copy)}>Open the copy from before the update</a> : null}
    </p>
  )
}

interface QuestionsProps {
  adventureId: number
  questions: readonly PlaceholderQuestion[]
  typed: FormFields | undefined
}

function Questions({ adventureId, questions, typed }: QuestionsProps): Markup {
  return (
    <section aria-labelledby="questions">
      <h2 id="questions">Placeholders</h2>
      <p class="about">You are asked again for any that you leave empty.</p>
      <PlaceholderFields placeholders={questions} answers={typed && answersIn(typed)} />
      <button type="submit" formaction={`${storyUrl(adventureId)}/answers`}>
        Save and preview changes
      </button>
    </section>
  )
}

function Items({ plan, typed }: { plan: RefreshPlan; typed: FormFields | undefined }): Markup {
  const { items } = plan
  const sections: [title: string, items: RefreshItem[]][] = [
    ['Plot', items.filter(({ kind }) => kind === 'field')],
    ['Story cards', items.filter(({ kind }) => kind === 'card')],
    ['Stats', items.filter(({ kind }) => kind !== 'field' && kind !== 'card')],
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

// An item that the form did not show is applied.
function isTaken(ref: string, typed: FormFields | undefined): boolean {
  return typed?.[`item:${ref}`] === undefined || typed[`take:${ref}`] !== undefined
}
