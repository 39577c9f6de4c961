import type { BranchComparison } from '../../app/adventure/compare-branches.ts'
import { branchLabel, COLOR_NAMES, passageName, type StoryBranch } from '../../domain/family/branch.ts'
import { type Lane, lanesOf } from '../../domain/family/branch-map.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { ProseLanguage } from '../../domain/text/language.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { Notice, Page, WayBack } from '../layout.tsx'
import { Select } from '../ui/field.tsx'
import { countOf } from '../ui/format-number.ts'
import { agoInWords } from '../ui/time.tsx'
import { branchesUrl, storyEndUrl } from '../urls.ts'
import { BranchMap, HERE, type MarkedPassage } from './branch-map.tsx'
import { ComparedBranches } from './compared-branches.tsx'

export interface BranchesProps {
  /** The branch from which the page was opened. */
  current: StoryBranch
  branches: readonly StoryBranch[]
  bookmarks: readonly MarkedPassage[]
  isZoomed: boolean
  compared: BranchComparison | null
  language: ProseLanguage
  now: Date
  did?: string
  notice?: string
}

export function BranchesPage(props: BranchesProps): Markup {
  const { current, branches, bookmarks, isZoomed, compared, language, did, notice } = props
  const isAlone = branches.length === 1
  return (
    <Page title={`Branches of ${current.title}`} place="/" did={did}>
      <div class="shelf">
        <WayBack href={storyEndUrl(current.id)}>Back to the story</WayBack>
        <h1>Branches of “{current.title}”</h1>
        <Notice>{notice}</Notice>
        {isAlone ? (
          <p class="lead">
            This story has no branches yet. Choose Branch at a passage to continue differently from there. The
            story as it is stays.
          </p>
        ) : (
          <>
            <BranchMap branches={branches} current={current.id} bookmarks={bookmarks} isZoomed={isZoomed} />
            <p class="row">
              <a href={`${branchesUrl(current.id)}${isZoomed ? '' : `?zoom=1#${HERE}`}`}>
                {isZoomed ? 'Whole map' : 'Zoom in'}
              </a>
              <a href={`/api/adventures/${current.id}/export?format=family`} download="">
                Export all branches
              </a>
            </p>
            <BranchList {...props} lanes={lanesOf(branches)} parentRow={null} />
            {compared ? <ComparedBranches {...compared} language={language} /> : null}
          </>
        )}
      </div>
    </Page>
  )
}

type ListProps = BranchesProps & { lanes: readonly Lane[]; parentRow: number | null }

function BranchList(props: ListProps): Markup | null {
  const { lanes, parentRow } = props
  const own = lanes.filter((lane) => lane.parentRow === parentRow)
  if (own.length === 0) return null
  return (
    <ul class="branches">
      {own.map((lane) => (
        <li>
          <BranchItem {...props} lane={lane} />
          <BranchList {...props} parentRow={lane.row} />
        </li>
      ))}
    </ul>
  )
}

function sinceFork(from: number, own: number): string {
  return `from ${passageName(from)} · ${own > 0 ? `${countOf(own, 'passage')} of its own` : 'no passages of its own yet'}`
}

function BranchItem({ lane, current, now }: ListProps & { lane: Lane }): Markup {
  const { branch, from, parentRow } = lane
  const { id, main_branch, action_count, updated_at } = branch
  const isCurrent = id === current.id
  const facts = [
    ...(main_branch ? ['main branch'] : []),
    ...(isCurrent ? ['you are here'] : []),
    parentRow === null ? countOf(action_count, 'passage') : sinceFork(from, action_count - 1 - from),
    agoInWords(updated_at, now),
  ]
  return (
    <article class={`branch color-${branch.branch_color}`} aria-current={isCurrent ? 'true' : undefined}>
      <a class="way" href={storyEndUrl(id)} dir="auto" translate="no">
        {branchLabel(branch)}
      </a>
      <p class="about">{facts.join(' · ')}</p>
      <details>
        <summary>
          Change or compare<span class="unseen"> {branchLabel(branch)}</span>
        </summary>
        <form class="row view" method="post" action={branchesUrl(id)}>
          <label>
            <span>Name</span>
            <input
              name="name"
              dir="auto"
              translate="no"
              value={branch.branch_name}
              maxlength={String(LIMITS.name)}
            />
          </label>
          <label>
            <span>Color</span>
            <Select
              name="color"
              options={COLOR_NAMES.map((name, i) => [String(i), name] as const)}
              chosen={String(branch.branch_color)}
            />
          </label>
          <button type="submit">Save</button>
        </form>
        <form class="row" method="post" action={branchesUrl(id)}>
          {main_branch ? null : (
            <button type="submit" class="quiet" name="main" value="1">
              Make it the main branch
            </button>
          )}
          {isCurrent ? null : <a href={branchesUrl(current.id, id)}>Compare with this branch</a>}
        </form>
      </details>
    </article>
  )
}
