import type { VariantComparison } from '../../app/adventure/compare-variants.ts'
import type { ProseLanguage } from '../../domain/text/language.ts'
import type { VariantView } from '../../domain/variant.ts'
import { noticeForm, regionFrom } from '../form-attributes.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { ProseBlock } from '../prose/prose.tsx'
import { TextDiff } from '../ui/diff/text-diff.tsx'
import { sharedPart } from '../ui/diff/word-diff.ts'
import { Select } from '../ui/field.tsx'
import { formatNumber } from '../ui/format-number.ts'
import { wordsIn } from '../ui/story-length.ts'
import { TimeAgo } from '../ui/time.tsx'
import { branchesUrl, storyUrl } from '../urls.ts'
import { Panel } from './panel.tsx'
import { StateDifferences } from './state-differences.tsx'

type VariantsProps = VariantComparison & { adventureId: number; now: Date; language: ProseLanguage }

/** Two versions side by side, or their differences where most of their words are the same. */
export function VariantsPanel(props: VariantsProps): Markup {
  const { adventureId, index, variants, one, other, differences } = props
  return (
    <Panel
      adventureId={adventureId}
      name="attempts"
      title={`Versions of passage ${index}`}
      label="Versions"
      class="variants"
    >
      {one && other ? (
        <>
          {variants.length > 2 ? <ChooseTwo {...props} one={one} other={other} /> : null}
          <section class="side-by-side" tabindex="0" aria-label="Side by side">
            <VariantText {...props} variant={one} />
            {other === one ? null : <VariantText {...props} variant={other} />}
          </section>
          <Differences one={one.text} other={other.text} />
          <StateDifferences differences={differences} one={nameOf(one)} other={nameOf(other)} />
        </>
      ) : (
        variants.map((variant) => <VariantText {...props} variant={variant} />)
      )}
    </Panel>
  )
}

function VariantText({
  adventureId,
  actionId,
  now,
  language,
  switchable,
  variant,
}: VariantsProps & { variant: VariantView }): Markup {
  const { index, text, created_at, active, steering, rewritten } = variant
  return (
    <article class="variant">
      <header class="row">
        <h3>{nameOf(variant)}</h3>
        {active ? <strong class="about">current</strong> : null}
        {switchable && !active ? (
          <form {...noticeForm(`${storyUrl(adventureId)}/variant`, '#panel')}>
            <input type="hidden" name="action" value={String(actionId)} />
            <button
              type="submit"
              class="main"
              name="index"
              value={String(index)}
              aria-label={`Use this one: ${nameOf(variant).toLowerCase()}`}
            >
              Use this one
            </button>
          </form>
        ) : null}
        {switchable ? null : (
          <form method="post" action={branchesUrl(adventureId)}>
            <input type="hidden" name="action" value={String(actionId)} />
            <button type="submit" name="variant" value={String(index)}>
              Branch<span class="unseen"> from {nameOf(variant).toLowerCase()}</span>
            </button>
          </form>
        )}
      </header>
      <p class="about">
        {formatNumber(wordsIn(text))} words
        {created_at ? (
          <>
            , <TimeAgo at={created_at} now={now} />
          </>
        ) : null}
      </p>
      {steering === null ? null : (
        <p class="about">
          Steered:{' '}
          <span dir="auto" translate="no">
            {steering}
          </span>
        </p>
      )}
      {rewritten === null ? null : (
        <p class="about">
          Rewritten in part:{' '}
          <span dir="auto" translate="no">
            {rewritten}
          </span>
        </p>
      )}
      <ProseBlock text={text} language={language} />
    </article>
  )
}

/** Share of equal text above which the differences are easier to read than both texts. */
const MOSTLY_SHARED = 0.6

function Differences({ one, other }: { one: string; other: string }): Markup | null {
  if (one === other) return <p class="about">The text is the same.</p>
  if (sharedPart(one, other) < MOSTLY_SHARED) return null
  return (
    <>
      <h3>Differences</h3>
      <TextDiff old={one} next={other} />
    </>
  )
}

function ChooseTwo({
  adventureId,
  actionId,
  variants,
  one,
  other,
}: VariantsProps & { one: VariantView; other: VariantView }): Markup {
  return (
    <form
      class="row view"
      method="get"
      action={storyUrl(adventureId)}
      {...regionFrom(storyUrl(adventureId), '#panel')}
      hx-trigger="change, submit"
    >
      <input type="hidden" name="panel" value="attempts" />
      <input type="hidden" name="action" value={String(actionId)} />
      <VariantChoice label="Left" name="one" variants={variants} chosen={one} />
      <VariantChoice label="Right" name="other" variants={variants} chosen={other} />
      <button type="submit">Compare</button>
    </form>
  )
}

interface VariantChoiceProps {
  label: string
  name: string
  variants: readonly VariantView[]
  chosen: VariantView
}

function VariantChoice({ label, name, variants, chosen }: VariantChoiceProps): Markup {
  return (
    <label>
      <span>{label}</span>
      <Select
        name={name}
        options={variants.map((variant) => [String(variant.index), nameOf(variant)])}
        chosen={String(chosen.index)}
      />
    </label>
  )
}

function nameOf({ index }: VariantView): string {
  return `Version ${index + 1}`
}
