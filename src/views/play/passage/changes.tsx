import type { WorldChange } from '../../../domain/action.ts'
import type { Roll } from '../../../domain/checks/roll.ts'
import {
  changeWords,
  reasonWords,
  sentenceWords,
  toneOf,
  verdictWords,
} from '../../../domain/world/change-words.ts'
import { nameOfMilestone, type Rules } from '../../../domain/world/rules.ts'
import { RollChip } from '../../checks/roll-chip.tsx'
import type { Markup } from '../../jsx/jsx-runtime.ts'

interface ChangesProps {
  changes: readonly WorldChange[]
  rules: Rules | null
  roll?: Roll | undefined
}

/** The roll, a line for each milestone reached, then the stats with the referee's verdicts. */
export function Changes({ changes, rules, roll }: ChangesProps): Markup {
  const reached = changes.filter(isReaching)
  const others = changes.filter((change) => !isReaching(change))
  return (
    <>
      {reached.map(({ path, label, because }) => {
        const milestone = rules?.milestones.find((one) => one.path === path)
        return (
          <p class="reached">
            <span aria-hidden="true">✦ </span>Milestone reached:{' '}
            {milestone ? nameOfMilestone(milestone) : label}
            <Sentence because={because} />
          </p>
        )
      })}
      {others.length === 0 && !roll ? null : (
        <ul class="changes" aria-label="What changed">
          {roll ? <RollChip roll={roll} /> : null}
          {others.map((change) => (
            <Chip change={change} rules={rules} />
          ))}
        </ul>
      )}
    </>
  )
}

function Chip({ change, rules }: { change: WorldChange; rules: Rules | null }): Markup {
  const tone = toneOf(change, rules)
  const why = verdictWords(change)
  return (
    <li class={change.verdict} title={why}>
      <span>{changeWords(change, rules)}</span>
      {tone === null ? null : (
        <span class={tone} title={tone}>
          <span aria-hidden="true"> {tone === 'better' ? '↗' : '↘'}</span>
          <span class="unseen">, {tone}</span>
        </span>
      )}
      {change.reason === undefined ? null : <small aria-hidden="true"> {reasonWords(change.reason)}</small>}
      {why === '' ? null : <span class="unseen">: {why}</span>}
      <Sentence because={change.because} />
    </li>
  )
}

function Sentence({ because }: { because: string | undefined }): Markup | null {
  return because === undefined ? null : <i> {sentenceWords(because)}</i>
}

// A value that a player sets by hand is no moment of the story.
function isReaching(change: WorldChange): boolean {
  return change.kind === 'milestone' && change.on && change.verdict !== 'manual'
}
