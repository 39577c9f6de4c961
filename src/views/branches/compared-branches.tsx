import type { BranchComparison } from '../../app/adventure/compare-branches.ts'
import type { Action } from '../../domain/action.ts'
import { branchLabel, passageName, type StoryBranch } from '../../domain/family/branch.ts'
import type { ProseLanguage } from '../../domain/text/language.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { StateDifferences } from '../panels/state-differences.tsx'
import { ProseBlock } from '../prose/prose.tsx'
import { passageUrl } from '../urls.ts'

export function ComparedBranches({
  shared,
  one,
  other,
  differences,
  language,
}: BranchComparison & { language: ProseLanguage }): Markup {
  return (
    <section id="compared" aria-labelledby="compared-heading">
      <h2 id="compared-heading">Side by side</h2>
      <p class="about">
        {shared < 0 ? 'They share no passage.' : `They are the same up to ${passageName(shared)}.`}
      </p>
      <section class="side-by-side" tabindex="0" aria-label="Passages of both branches">
        {[one, other].map(({ branch, actions }) => (
          <BranchPassages branch={branch} actions={actions} language={language} />
        ))}
      </section>
      <StateDifferences
        differences={differences}
        one={branchLabel(one.branch)}
        other={branchLabel(other.branch)}
      />
    </section>
  )
}

interface BranchPassagesProps {
  branch: StoryBranch
  actions: readonly Action[]
  language: ProseLanguage
}

function BranchPassages({ branch, actions, language }: BranchPassagesProps): Markup {
  const last = actions.at(-1)
  return (
    <article class="variant">
      <h3 dir="auto">{branchLabel(branch)}</h3>
      {actions.length === 0 ? <p class="about">No passages of its own yet.</p> : null}
      {actions.map(({ text }) => (
        <ProseBlock text={text} language={language} />
      ))}
      {last && last.index < branch.action_count - 1 ? (
        <p>
          <a href={passageUrl(last)}>Continue reading</a>
        </p>
      ) : null}
    </article>
  )
}
