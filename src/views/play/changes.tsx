import type { WorldChange } from '../../domain/action.ts'
import { changeWords, verdictWords } from '../../domain/world/change-words.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'

/** The stat changes of a passage, with the referee's verdicts. */
export function Changes({ changes }: { changes: WorldChange[] }): Markup {
  return (
    <ul class="changes" aria-label="What changed">
      {changes.map((change) => {
        const why = verdictWords(change)
        return (
          <li class={change.verdict} title={why}>
            <span>{changeWords(change)}</span>
            {change.reason === undefined ? null : <small aria-hidden="true"> {change.reason}</small>}
            {why === '' ? null : <span class="unseen">: {why}</span>}
          </li>
        )
      })}
    </ul>
  )
}
