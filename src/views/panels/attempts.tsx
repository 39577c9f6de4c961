import type { ComparedAttempts } from '../../app/adventure/compare-attempts.ts'
import { agoInWords } from '../ui/time-ago.ts'
import { wordsIn } from '../ui/story-length.ts'
import { unmarked } from '../../domain/text/prose-markup.ts'
import type { VariantView } from '../../domain/variant.ts'
import { amount } from '../ui/format-number.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { Wide } from '../ui/scroll-table.tsx'
import { WordChanges } from '../word-changes.tsx'
import { PanelHead } from './panel-head.tsx'

/** The attempts at a passage: each whole, and two of them word by word and value by value. */
export function AttemptsPanel({
  adventureId,
  now,
  ...props
}: ComparedAttempts & { adventureId: number; now: Date }): Markup {
  const { actionId, index, attempts, one, other } = props
  return (
    <section class="attempts" aria-label="Attempts">
      <PanelHead adventureId={adventureId} name="attempts">
        {`Attempts at passage ${index}`}
      </PanelHead>
      {one && other ? (
        <>
          <form
            class="row view"
            method="get"
            action={`/adventures/${adventureId}`}
            hx-get={`/adventures/${adventureId}`}
            hx-trigger="change, submit"
            hx-select="#panel"
            hx-target="#panel"
            hx-swap="outerHTML"
          >
            <input type="hidden" name="panel" value="attempts" />
            <input type="hidden" name="action" value={String(actionId)} />
            <AttemptChoice label="From" name="one" attempts={attempts} chosen={one} />
            <AttemptChoice label="To" name="other" attempts={attempts} chosen={other} />
            <button type="submit">Compare</button>
          </form>
          <h3>In words</h3>
          {one.text === other.text ? (
            <p class="about">The same.</p>
          ) : (
            <WordChanges old={one.text} next={other.text} />
          )}
          <Values {...props} one={one} other={other} />
        </>
      ) : null}
      <h3>Each as it was told</h3>
      {attempts.map((attempt) => (
        <details>
          <summary>
            {nameOf(attempt)}
            {attempt.active ? ', the live one' : ''}
            <span class="about"> {firstWords(attempt.text)}</span>
          </summary>
          <p class="about">
            {amount(wordsIn(attempt.text))} words
            {attempt.created_at ? `, told ${agoInWords(attempt.created_at, now)}` : ''}.
          </p>
          <p class="whole">{attempt.text}</p>
          {props.switchable && !attempt.active ? (
            <form method="post" action={`/adventures/${adventureId}/variant`}>
              <input type="hidden" name="action" value={String(actionId)} />
              <button type="submit" name="index" value={String(attempt.index)}>
                {`Go on from ${nameOf(attempt).toLowerCase()}`}
              </button>
            </form>
          ) : null}
        </details>
      ))}
    </section>
  )
}

function AttemptChoice({
  label,
  name,
  attempts,
  chosen,
}: {
  label: string
  name: string
  attempts: readonly VariantView[]
  chosen: VariantView
}): Markup {
  return (
    <label>
      <span>{label}</span>
      <select name={name}>
        {attempts.map((attempt) => (
          <option value={String(attempt.index)} selected={attempt.index === chosen.index}>
            {nameOf(attempt)}
          </option>
        ))}
      </select>
    </label>
  )
}

function Values({
  one,
  other,
  differences,
}: ComparedAttempts & { one: VariantView; other: VariantView }): Markup | null {
  if (differences.length === 0) return null
  return (
    <>
      <h3>In numbers</h3>
      <Wide of="In numbers">
        <table>
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">{nameOf(one)}</th>
              <th scope="col">{nameOf(other)}</th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ path, one: before, other: after }) => (
              <tr>
                <th scope="row">{path.split('.').slice(1).join(' ')}</th>
                <td>{valueWords(before)}</td>
                <td>{valueWords(after)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
    </>
  )
}

function valueWords(value: unknown): string {
  if (value === undefined) return '—'
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)
}

function nameOf({ index }: VariantView): string {
  return `Attempt ${index + 1}`
}

const FIRST = 48

function firstWords(text: string): string {
  const line = unmarked(text).replace(/\s+/g, ' ').trim()
  return line.length <= FIRST ? line : `${line.slice(0, FIRST).replace(/\s\S*$/u, '')}…`
}
