import type { AttemptComparison } from '../../app/adventure/compare-attempts.ts'
import { withoutMarkup } from '../../domain/text/prose-markup.ts'
import type { VariantView } from '../../domain/variant.ts'
import { noticeForm } from '../form-attributes.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { formatNumber } from '../ui/format-number.ts'
import { ScrollTable } from '../ui/scroll-table.tsx'
import { wordsIn } from '../ui/story-length.ts'
import { TextDiff } from '../ui/text-diff.tsx'
import { agoInWords } from '../ui/time-ago.ts'
import { storyUrl } from '../urls.ts'
import { PanelHead } from './panel-head.tsx'

/** The versions of a passage: each in full, and two of them compared word by word and stat by stat. */
export function AttemptsPanel({
  adventureId,
  now,
  ...props
}: AttemptComparison & { adventureId: number; now: Date }): Markup {
  const { actionId, index, attempts, one, other } = props
  return (
    <section class="attempts" aria-label="Versions">
      <PanelHead adventureId={adventureId} name="attempts">
        {`Versions of passage ${index}`}
      </PanelHead>
      {one && other ? (
        <>
          <form
            class="row view"
            method="get"
            action={storyUrl(adventureId)}
            hx-get={storyUrl(adventureId)}
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
          <h3>Text</h3>
          {one.text === other.text ? (
            <p class="about">The text is the same.</p>
          ) : (
            <TextDiff old={one.text} next={other.text} />
          )}
          <Values {...props} one={one} other={other} />
        </>
      ) : null}
      <h3>All versions</h3>
      {attempts.map((attempt) => (
        <details>
          <summary>
            {nameOf(attempt)}
            {attempt.active ? ', current' : ''}
            <span class="about" dir="auto">
              {' '}
              {firstWords(attempt.text)}
            </span>
          </summary>
          <p class="about">
            {formatNumber(wordsIn(attempt.text))} words
            {attempt.created_at ? `, written ${agoInWords(attempt.created_at, now)}` : ''}.
          </p>
          <p class="whole" dir="auto">
            {attempt.text}
          </p>
          {props.switchable && !attempt.active ? (
            <form {...noticeForm(`${storyUrl(adventureId)}/variant`)}>
              <input type="hidden" name="action" value={String(actionId)} />
              <input type="hidden" name="compared" value="1" />
              <button type="submit" name="index" value={String(attempt.index)}>
                {`Continue from ${nameOf(attempt).toLowerCase()}`}
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
}: AttemptComparison & { one: VariantView; other: VariantView }): Markup | null {
  if (differences.length === 0) return null
  return (
    <>
      <h3>Stats</h3>
      <ScrollTable of="Stats">
        <table>
          <thead>
            <tr>
              <th scope="col">Stat</th>
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
      </ScrollTable>
    </>
  )
}

function valueWords(value: unknown): string {
  if (value === undefined) return '—'
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)
}

function nameOf({ index }: VariantView): string {
  return `Version ${index + 1}`
}

/** Characters of a version's preview. */
const PREVIEW = 48

function firstWords(text: string): string {
  const line = withoutMarkup(text).replace(/\s+/g, ' ').trim()
  return line.length <= PREVIEW ? line : `${line.slice(0, PREVIEW).replace(/\s\S*$/u, '')}…`
}
