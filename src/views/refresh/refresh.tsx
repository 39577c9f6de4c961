import type { RefreshItem, RefreshPlan } from '../../domain/refresh/plan.ts'
import type { PlaceholderQuestion } from '../../domain/start-from-scenario.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { Notice, Page, WayBack } from '../layout.tsx'
import type { FormFields } from '../respond.tsx'
import { PlaceholderFields } from '../scenario/placeholders.tsx'
import { answersIn } from '../ui/placeholder-fields.ts'
import { refreshUrl, storyEndUrl } from '../urls.ts'
import { Item } from './item.tsx'

export interface RefreshProps {
  adventure: { id: number; title: string }
  plan: RefreshPlan
  /** Makes sure that no other plan is applied. */
  version: string
  questions: PlaceholderQuestion[]
  notice?: Child
  typed?: FormFields | undefined
  did?: string
}

export function RefreshPage(props: RefreshProps): Markup {
  const { adventure, plan, version, questions, notice, typed, did } = props
  const isNothing = !plan.has_changes && questions.length === 0
  return (
    <Page title={`Update ${adventure.title}`} place="/" did={did}>
      <div class="shelf refresh">
        <WayBack href={storyEndUrl(adventure.id)}>Back to the story</WayBack>
        <h1>Update “{adventure.title}”</h1>
        <p class="lead">{leadOf(plan, isNothing)}</p>
        <Notice>{notice}</Notice>
        {isNothing ? (
          <p>When you change the scenario, you can apply those changes here.</p>
        ) : (
          <form method="post" action={refreshUrl(adventure.id)}>
            <input type="hidden" name="version" value={version} />
            {questions.length > 0 ? <Questions questions={questions} typed={typed} /> : null}
            <Items plan={plan} typed={typed} />
            <p class="about">
              The passages, title, summary, memories and your own cards stay as they are. Values of stats
              change only where it says so. To keep the story as it is now too, duplicate it first, in its
              menu.
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

/** The story may differ by what its player changed, not only by what the author did. */
function leadOf({ scenario_title: title, has_changes }: RefreshPlan, isNothing: boolean): string {
  if (isNothing) return `This story is up to date with its scenario “${title}”.`
  if (!has_changes) return `The scenario “${title}” has placeholders that this story does not answer yet.`
  return `This story differs from its scenario “${title}”. Choose what to take from the scenario.`
}

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

interface QuestionsProps {
  questions: readonly PlaceholderQuestion[]
  typed: FormFields | undefined
}

function Questions({ questions, typed }: QuestionsProps): Markup {
  return (
    <section aria-labelledby="questions">
      <h2 id="questions">Placeholders</h2>
      <p class="about">You are asked again for any that you leave empty.</p>
      <PlaceholderFields placeholders={questions} answers={typed && answersIn(typed)} />
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
