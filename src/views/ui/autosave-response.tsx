import { versionOf } from '../../domain/edit-conflict.ts'
import { asStoryError, statusOf } from '../../http/problem.ts'
import type { Child } from '../jsx/jsx-runtime.ts'
import { type FormFields, htmlResponse } from '../respond.tsx'
import { AutosaveField, AutosaveState, type AutosaveText, seenVersionIn } from './autosave-field.tsx'

/** Saves one field and responds with its state, or with the whole field if the saved text was chosen. */
export async function autosaveResponse(
  fields: FormFields,
  {
    text,
    write,
    stored,
    more,
    ...target
  }: {
    text: AutosaveText
    action: string
    scope?: string
    write: () => unknown
    stored: () => string
    /** What else is shown of what was saved. */
    more?: () => Child
  },
): Promise<Response> {
  try {
    if (fields.theirs === text.name)
      return htmlResponse(<AutosaveField {...target} text={text} stored={stored()} />)
    await write()
    // The text equals the one shown, so nothing was written, and the stored text may be another by now.
    const isAsShown = versionOf(fields[text.name]) === seenVersionIn(fields, text.name)
    const typed = isAsShown ? fields : undefined
    const state = (
      <AutosaveState {...target} text={text} stored={stored()} typed={typed}>
        {more?.()}
      </AutosaveState>
    )
    return htmlResponse(state)
  } catch (error) {
    const fault = asStoryError(error, 'a field that was typed')
    const words = fault.code === 'changed_elsewhere' ? 'Not saved.' : `Not saved. ${fault.message}`
    const state = (
      <AutosaveState
        {...target}
        text={text}
        stored={fields[text.name] ?? ''}
        typed={fields}
        fault={fault}
        words={words}
      />
    )
    return htmlResponse(state, statusOf(fault))
  }
}
