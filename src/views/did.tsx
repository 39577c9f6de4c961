import type { Markup } from './jsx/jsx-runtime.ts'

/** What a deed has done, in the words of the page that follows it. Its address carries the name alone. */
const SENTENCES = {
  saved: 'Saved.',
  added: 'Added.',
  moved: 'Moved.',
  deleted: 'Deleted.',
  undone:
    'The last turn is gone. Words that you had typed for it stand in the field again, if that was empty.',
  switched: 'This is the attempt that the story goes on from.',
  marked: 'Marked. You find it again under Contents.',
  unmarked: 'The mark is off.',
  set: 'The values are set.',
  copied: 'This is a new story that has come this far. The other one stays as it was.',
  duplicated: 'This is the copy.',
  brought: 'It is brought in.',
  pinned: 'Pinned: it stands before the others.',
  archived: 'Archived. You find it under “Archived stories”.',
  open: 'It stands among your stories.',
} as const

export type Did = keyof typeof SENTENCES

/** The sentence that an address asks for; '' when it asks for none that is known. */
export function sentenceFor({ did = '' }: Record<string, string | undefined>): string {
  return Object.hasOwn(SENTENCES, did) ? SENTENCES[did as Did] : ''
}

/** An address of ours that also says what was done, instead of what was done before. */
export function withDid(path: string, did: Did): string {
  const [place = '', anchor] = path.split('#')
  const [page = '', query = ''] = place.split('?')
  const asked = new URLSearchParams(query)
  asked.set('did', did)
  return `${page}?${asked}${anchor === undefined ? '' : `#${anchor}`}`
}

/** The sentence, where the page keeps it in sight wherever it was entered. */
export function DidNote({ sentence }: { sentence: string }): Markup | null {
  return sentence === '' ? null : (
    <p class="did" role="status">
      {sentence}
    </p>
  )
}
