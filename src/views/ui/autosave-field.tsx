import type { TObject } from '@sinclair/typebox'
import { versionOf } from '../../domain/edit-conflict.ts'
import type { Conflict, StoryError } from '../../domain/errors.ts'
import { estimateTokens } from '../../domain/prompt/tokens.ts'
import { refuseUnknown } from '../../domain/validation.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import type { FormFields } from '../respond.tsx'
import { Choice, Field, type FieldProps } from './field.tsx'
import { formatNumber } from './format-number.ts'

/** A text field that is saved on its own, a moment after the last key. */
export interface AutosaveText
  extends Pick<FieldProps, 'label' | 'name' | 'rows' | 'hint' | 'limit' | 'list' | 'more'> {
  /** Sent to the model, so its tokens are counted. */
  isSent?: boolean
  /** What it is chosen from, where it is no free text. */
  options?: (chosen: string) => [value: string, words: string][]
  /** What stands for the stored text in a conflict; the text itself if missing. */
  shown?: (stored: string) => string
}

interface AutosaveProps {
  text: AutosaveText
  /** Where its form is sent. */
  action: string
  /** Prefix that tells its ids from those of fields with the same name. */
  scope?: string
  stored: string
  /** The fields of a refused form. */
  typed?: FormFields | undefined
  fault?: StoryError | undefined
}

/** The one place on a page that says whether everything is saved; the script writes it. */
export function SavingState(): Markup {
  return <span class="saving" role="status" data-saving />
}

/** A field with its saving state. Without script it is an ordinary field of its form. */
export function AutosaveField({ text, action, scope = '', stored, typed, fault }: AutosaveProps): Markup {
  const { isSent: _, shown: __, options, ...field } = text
  const value = typed?.[text.name] ?? stored
  return (
    <div class="autosave" data-autosave id={`${scope}${text.name}-autosave`}>
      {options ? (
        <Choice {...field} options={options(value)} chosen={value} />
      ) : (
        <Field {...field} scope={scope} value={value} />
      )}
      <AutosaveState text={text} action={action} scope={scope} stored={stored} typed={typed} fault={fault} />
    </div>
  )
}

/** Whether a field is saved, the version it was shown in, its tokens, and both texts in a conflict. */
export function AutosaveState({
  text: { name, isSent = false, shown = (stored) => stored },
  action,
  scope = '',
  stored,
  typed,
  fault,
  words = '',
  children,
}: AutosaveProps & { words?: string; children?: Child }): Markup {
  const clash = fault?.more.clashes?.find(({ field }) => field === name)
  const isRefused = fault !== undefined && (words !== '' || (typed?.[name] ?? stored) !== stored)
  const tokens = isSent ? estimateTokens(typed?.[name] ?? stored) : 0
  const id = `${scope}${name}-state`
  return (
    <div
      class="autosave-state"
      id={id}
      data-refused={isRefused}
      hx-post={action}
      hx-trigger="autosave"
      hx-swap="outerHTML"
      hx-vals={JSON.stringify({ only: name })}
    >
      <input
        type="hidden"
        name={`seen-${name}`}
        value={seenVersionIn(typed ?? {}, name) ?? versionOf(stored)}
      />
      <span role="status">{words}</span>
      {tokens > 0 ? <span class="about">about {formatNumber(tokens)} tokens</span> : null}
      {clash ? (
        <ConflictChoice clash={clash} action={action} scope={scope} shown={shown(clash.stored)} />
      ) : null}
      {children}
    </div>
  )
}

interface ConflictChoiceProps {
  clash: Conflict
  action: string
  scope: string
  shown: string
}

/** Shows the saved text under the typed one; the author chooses. */
function ConflictChoice({ clash, action, scope, shown }: ConflictChoiceProps): Markup {
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
        <span>Changed elsewhere in the meantime. The saved text is now:</span>
        <textarea rows="3" dir="auto" translate="no" readonly>{`\n${shown}`}</textarea>
      </label>
      <p class="row">
        <button
          {...send}
          name={`mine-${field}`}
          value={versionOf(stored)}
          hx-target={`#${scope}${field}-state`}
        >
          Keep mine
        </button>
        <button {...send} name="theirs" value={field} hx-target={`#${scope}${field}-autosave`}>
          Use the saved text
        </button>
      </p>
    </div>
  )
}

/** The version of a field that its author last saw: when the page was loaded, or in a conflict since then. */
export function seenVersionIn(fields: FormFields, name: string): string | undefined {
  return fields[`mine-${name}`] ?? fields[`seen-${name}`]
}

/** Whether a form saves this text: it saves all, or this one, and not the stored one was chosen. */
export function isToSave({ only, theirs }: FormFields, name: string): boolean {
  return theirs !== name && (only === undefined || only === name)
}

/** The names in a form that say which version of a field it was made from, or which field it is about. */
const NAMED = /^(?:seen|mine|was)-(.*)$/s

/**
 * The fields of a form to save, with the versions that their author saw. Throws invalid where the form names a field that
 * what it edits, of this `shape`, does not have.
 */
export function autosavedFrom(fields: FormFields, texts: readonly AutosaveText[], shape: TObject) {
  const named = [...Object.keys(fields).map((field) => NAMED.exec(field)?.[1]), fields.only, fields.theirs]
  refuseUnknown(
    named
      .filter((name) => name !== undefined && !Object.hasOwn(shape.properties, name))
      .map((name) => `/${name}`),
  )
  const names = texts
    .map(({ name }) => name)
    .filter((name) => fields[name] !== undefined && isToSave(fields, name))
  return {
    changed: Object.fromEntries(names.map((name) => [name, fields[name]])),
    seen: Object.fromEntries(names.map((name) => [name, seenVersionIn(fields, name)])),
  }
}
