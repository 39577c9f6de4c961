import type { Child, Markup } from './jsx/jsx-runtime.ts'

/** Shown on the page after an action. The address carries only the name. */
const SENTENCES = {
  saved: 'Saved.',
  connected: 'Connected: this model is the narrator now.',
  added: 'Added.',
  accepted: 'Accepted. The card is among the story cards, under Plot.',
  declined: 'Declined. It will not be proposed again.',
  moved: 'Moved.',
  updated: 'Story updated with what was selected.',
  deleted: 'Deleted.',
  kept: 'Kept as the narrator’s reply.',
  discarded: 'Discarded.',
  undone: 'Turn undone. Your text is back in the text box, if that was empty.',
  undoneReply: 'Turn undone.',
  // Undone turns cannot be restored.
  undoneOften:
    'Turn undone. To go back further and keep what is there, choose Branch at an earlier passage instead.',
  switched: 'The story continues from this version.',
  bookmarked: 'Bookmarked. Find it under Contents.',
  unbookmarked: 'Bookmark removed.',
  set: 'Values saved.',
  branched: 'This is a new branch. The other one stays as it is; find both under Branches in the menu.',
  main: 'This is the main branch now.',
  duplicated: 'This is the duplicate.',
  imported: 'Imported.',
  pinned: 'Pinned to the top.',
  archived: 'Archived. Find it under “Archived stories”.',
  open: 'Moved back to your stories.',
  putBack: 'Put back where it was.',
} as const

export type Flash = keyof typeof SENTENCES

/** The message that an address asks for; '' for none, or an unknown one. */
export function flashFrom({ did = '' }: Record<string, string | undefined>): string {
  return Object.hasOwn(SENTENCES, did) ? SENTENCES[did as Flash] : ''
}

export function sentenceOf(did: Flash): string {
  return SENTENCES[did]
}

/** An address with a message, in place of any message it already had. */
export function withFlash(path: string, did: Flash): string {
  return withParameter(path, 'did', did)
}

/** An address with another value of a parameter; '' removes it. */
export function withParameter(path: string, name: string, value: string): string {
  const [address = '', anchor] = path.split('#')
  const [page = '', query = ''] = address.split('?')
  const parameters = new URLSearchParams(query)
  if (value === '') parameters.delete(name)
  else parameters.set(name, value)
  const asked = parameters.size > 0 ? `?${parameters}` : ''
  return `${page}${asked}${anchor === undefined ? '' : `#${anchor}`}`
}

/** The message, in a place that stays visible wherever the page opens. `children` are controls beside it. */
export function FlashMessage({ sentence, children }: { sentence: string; children?: Child }): Markup | null {
  return sentence === '' ? null : (
    <div class="did row">
      <span role="status">{sentence}</span>
      {children}
    </div>
  )
}
