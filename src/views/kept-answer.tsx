import { seenMark } from '../domain/changed-elsewhere.ts'
import { asStoryError, statusOf } from '../http/problem.ts'
import { type Fields, htmlAnswer } from './respond.tsx'
import type { Child } from './jsx/jsx-runtime.ts'
import { KeptField, KeptState, type KeptText, seenIn } from './kept-field.tsx'

/** Answers a pause in the typing of one field: with its state, or with the whole field where the stored text was chosen. */
export async function keptAnswer(
  fields: Fields,
  {
    text,
    write,
    stored,
    more,
    ...place
  }: {
    text: KeptText
    action: string
    scope?: string
    write: () => unknown
    stored: () => string
    /** What else of the page has changed with it. */
    more?: () => Child
  },
): Promise<Response> {
  try {
    if (fields.theirs === text.name)
      return htmlAnswer((<KeptField {...place} text={text} stored={stored()} />).html)
    await write()
    // What was typed is what was shown: nothing was written, and there may stand something else by now.
    const isAsShown = seenMark(fields[text.name]) === seenIn(fields, text.name)
    const typed = isAsShown ? fields : undefined
    return htmlAnswer(
      (
        <>
          <KeptState {...place} text={text} stored={stored()} typed={typed} words="Saved." />
          {more?.()}
        </>
      ).html,
    )
  } catch (error) {
    const fault = asStoryError(error, 'a field that was typed')
    const words = fault.code === 'changed_elsewhere' ? 'Not saved.' : `Not saved. ${fault.message}`
    const state = (
      <KeptState
        {...place}
        text={text}
        stored={fields[text.name] ?? ''}
        typed={fields}
        fault={fault}
        words={words}
      />
    )
    return htmlAnswer(state.html, statusOf(fault))
  }
}
