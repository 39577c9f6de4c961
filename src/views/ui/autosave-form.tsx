import { type ConflictCheck, formUnchanged, versionOf } from '../../domain/edit-conflict.ts'
import type { Conflict, StoryError } from '../../domain/errors.ts'
import { estimateTokens } from '../../domain/prompt/tokens.ts'
import { asStoryError, statusOf } from '../../http/problem.ts'
import { regionFrom } from '../form-attributes.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { type FormFields, formResponse, htmlResponse, isFragment, seePanel } from '../respond.tsx'
import { Choice, Field, type FieldProps } from './field.tsx'
import { formatNumber } from './format-number.ts'

export interface AutosaveText
  extends Pick<FieldProps, 'label' | 'name' | 'rows' | 'hint' | 'limit' | 'list' | 'more'> {
  /** Sent to the model, so its tokens are counted. */
  isSent?: boolean
  /** The choices; free text without them. */
  options?: (chosen: string) => [value: string, words: string][]
  /** Stands for the stored text in a conflict; the text itself if missing. */
  shown?: (stored: string) => string
}

/** Saved a moment after the last key: all texts at once, with one version. */
export interface AutosavedForm {
  id: string
  action: string
  page: string
  texts: readonly AutosaveText[]
  stored: Readonly<Record<string, unknown>>
}

export interface Refused {
  typed?: FormFields | undefined
  fault?: StoryError | undefined
}

/** The one place on a page that says if everything is saved; the script writes it. */
export function SavingState(): Markup {
  return <span class="saving" role="status" data-saving />
}

interface FormProps extends Refused {
  form: AutosavedForm
}

/** Without script the form is sent by its button. */
export function AutosaveForm({
  button,
  children,
  ...props
}: FormProps & { button: string; children: Child }): Markup {
  const { id, action } = props.form
  return (
    <form id={id} method="post" action={action} data-autosave>
      {/* Enter in a field presses the first button of its form. */}
      <button type="submit" hidden />
      {children}
      <FormState {...props} />
      <noscript>
        <button type="submit" class="main">
          {button}
        </button>
      </noscript>
    </form>
  )
}

export function AutosaveField({ form, text, typed }: FormProps & { text: AutosaveText }): Markup {
  const { isSent, shown: _, options, ...field } = text
  const value = typed?.[text.name] ?? String(form.stored[text.name])
  return (
    <div class="autosave">
      {options ? (
        <Choice {...field} options={options(value)} chosen={value} />
      ) : (
        <Field {...field} scope={`${form.id}-`} value={value} />
      )}
      {isSent ? <Tokens id={`${form.id}-${text.name}-tokens`} text={value} /> : null}
    </div>
  )
}

function Tokens({ id, text, oob }: { id: string; text: string; oob?: 'true' }): Markup {
  const tokens = estimateTokens(text)
  return (
    <span class="about" id={id} hx-swap-oob={oob}>
      {tokens > 0 ? `about ${formatNumber(tokens)} tokens` : ''}
    </span>
  )
}

/** The version that the form shows and, if it was refused, why. */
function FormState({ form, typed, fault }: FormProps): Markup {
  const clashes = fault?.more.clashes
  return (
    <div class="autosave-state" data-state data-refused={fault !== undefined}>
      <input type="hidden" name="version" value={typed?.version ?? versionOfForm(form)} />
      <span role="status">{fault && !clashes ? `Not saved. ${fault.message}` : ''}</span>
      {clashes ? <ConflictChoice form={form} clashes={clashes} /> : null}
    </div>
  )
}

export function ConflictChoice({
  form: { id, page, texts, stored },
  clashes,
}: {
  form: Omit<AutosavedForm, 'action'>
  clashes: readonly Conflict[]
}): Markup {
  return (
    <div class="clash" role="alert">
      <p>Not saved: changed elsewhere in the meantime.</p>
      <p class="row">
        <button type="submit" form={id} name="version" value={versionOfForm({ texts, stored })}>
          Keep mine
        </button>
        <a class="button" href={page} {...regionFrom(page, `#${id}`)}>
          Use the saved text
        </a>
      </p>
      {clashes.map(({ field, ...both }) => {
        const { label, shown } = texts.find(({ name }) => name === field) ?? { label: field }
        const inWords = (text: string) => shown?.(text) ?? text
        return (
          <fieldset>
            <legend>{label}</legend>
            <ReadOnly label="Yours" text={inWords(both.sent)} />
            <ReadOnly label="Saved" text={inWords(both.stored)} />
          </fieldset>
        )
      })}
    </div>
  )
}

function ReadOnly({ label, text }: { label: string; text: string }): Markup {
  return (
    <label class="field">
      <span>{label}</span>
      <textarea rows="2" dir="auto" translate="no" readonly>
        {`\n${text}`}
      </textarea>
    </label>
  )
}

export function versionOfForm({ texts, stored }: Pick<AutosavedForm, 'texts' | 'stored'>): string {
  return versionOf(stored, namesOf(texts))
}

function namesOf(texts: readonly AutosaveText[]): string[] {
  return texts.map(({ name }) => name)
}

interface Autosaved {
  form: () => AutosavedForm
  write: (check: ConflictCheck) => unknown
  /** Fragments that follow from the saved texts. */
  more?: () => Child
  page: (notice: string, fault: StoryError) => Markup
}

/** A script gets the state of the form and `more`; without script a page is shown. */
export async function autosaveResponse(
  request: Request,
  fields: FormFields,
  { form, write, more, page }: Autosaved,
): Promise<Response> {
  const save = () => write(formUnchanged(namesOf(form().texts), fields.version))
  if (!isFragment(request))
    return formResponse(
      request,
      async () => {
        await save()
        return seePanel(form().page, 'saved')
      },
      page,
    )
  try {
    await save()
  } catch (error) {
    const fault = asStoryError(error, 'a form that saves itself')
    return htmlResponse(<FormState form={form()} typed={fields} fault={fault} />, statusOf(fault))
  }
  return htmlResponse(<SavedForm form={form()}>{more?.()}</SavedForm>)
}

function SavedForm({ form, children }: { form: AutosavedForm; children: Child }): Markup {
  return (
    <>
      <FormState form={form} />
      {form.texts
        .filter(({ isSent }) => isSent)
        .map(({ name }) => (
          <Tokens id={`${form.id}-${name}-tokens`} text={String(form.stored[name])} oob="true" />
        ))}
      {children}
    </>
  )
}
