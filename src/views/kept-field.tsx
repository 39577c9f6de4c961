import { seenMark } from '../domain/changed-elsewhere.ts'
import type { Clash, StoryError } from '../domain/errors.ts'
import { estimateTokens } from '../domain/prompt/tokens.ts'
import { amount } from './ui/format-number.ts'
import type { Fields } from './respond.tsx'
import { Field, type FieldProps } from './ui/field.tsx'
import type { Markup } from './jsx/jsx-runtime.ts'

/** A field that is kept by itself, a moment after the last key in it. */
export interface KeptText extends Pick<FieldProps, 'label' | 'name' | 'rows' | 'hint' | 'limit' | 'list'> {
  /** The model is told of it, so its tokens are counted. */
  isTold?: boolean
}

interface KeptProps {
  text: KeptText
  /** Where its form is sent. */
  action: string
  /** What tells it from fields of the same name on the page. */
  scope?: string
  /** What is stored. */
  stored: string
  /** What was sent and not taken, with what else its form said. */
  typed?: Fields | undefined
  fault?: StoryError | undefined
}

/** A field with its state beside it. Without script it is a field of its form like any other. */
export function KeptField({ text, action, scope = '', stored, typed, fault }: KeptProps): Markup {
  const { isTold: _, ...field } = text
  return (
    <div class="kept" id={`${scope}${text.name}-kept`}>
      <Field {...field} scope={scope} value={typed?.[text.name] ?? stored} />
      <KeptState text={text} action={action} scope={scope} stored={stored} typed={typed} fault={fault} />
    </div>
  )
}

/** Whether a field is saved, as which it was seen, what it costs, and both texts where they differ. */
export function KeptState({
  text: { name, isTold = false },
  action,
  scope = '',
  stored,
  typed,
  fault,
  words = '',
}: KeptProps & { words?: string }): Markup {
  const clash = fault?.more.clashes?.find(({ field }) => field === name)
  const tokens = isTold ? estimateTokens(typed?.[name] ?? stored) : 0
  const id = `${scope}${name}-state`
  return (
    <div
      class="kept-state"
      id={id}
      hx-post={action}
      hx-trigger="keep"
      hx-swap="outerHTML"
      hx-vals={JSON.stringify({ only: name })}
    >
      <input type="hidden" name={`seen-${name}`} value={seenIn(typed ?? {}, name) ?? seenMark(stored)} />
      <span role="status">{words}</span>
      {tokens > 0 ? <span class="about">about {amount(tokens)} tokens</span> : null}
      {clash ? <Both clash={clash} action={action} scope={scope} /> : null}
    </div>
  )
}

/** What is stored stands under what was typed; the author chooses. */
function Both({ clash, action, scope }: { clash: Clash; action: string; scope: string }): Markup {
  const { field, stored } = clash
  const send = {
    type: 'submit',
    'hx-post': action,
    'hx-vals': JSON.stringify({ only: field }),
    'hx-swap': 'outerHTML',
  }
  return (
    <div class="clash" role="alert">
      <label class="field">
        <span>Changed in another place meanwhile. There it says:</span>
        <textarea rows="3" readonly>{`\n${stored}`}</textarea>
      </label>
      <p class="row">
        <button
          {...send}
          name={`mine-${field}`}
          value={seenMark(stored)}
          hx-target={`#${scope}${field}-state`}
        >
          Keep what I typed
        </button>
        <button {...send} name="theirs" value={field} hx-target={`#${scope}${field}-kept`}>
          Take that instead
        </button>
      </p>
    </div>
  )
}

/** The mark of a field as its author last saw it: as it was shown, or as it was compared since then. */
export function seenIn(fields: Fields, name: string): string | undefined {
  return fields[`mine-${name}`] ?? fields[`seen-${name}`]
}

/** The fields of a form that its author wants written, with the marks that they were seen with. */
export function keptFrom(fields: Fields, texts: readonly KeptText[]) {
  const names = texts
    .map(({ name }) => name)
    .filter((name) => fields[name] !== undefined && fields.theirs !== name)
    .filter((name) => fields.only === undefined || fields.only === name)
  return {
    changed: Object.fromEntries(names.map((name) => [name, fields[name]])),
    seen: Object.fromEntries(names.map((name) => [name, seenIn(fields, name)])),
  }
}
