import type { RecallTrial } from '../../app/prompt/try-recall.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { passageUrl } from '../urls.ts'

/** A recalled memory, and why it was recalled. */
export function RecalledMemory({ memory }: { memory: RecallTrial['memories'][number] }): Markup {
  return (
    <>
      {memory.text} <span class="about">{reasonOf(memory)}</span>
    </>
  )
}

/** A recalled passage with a link to it, and why it was recalled. */
export function RecalledPassage({
  adventureId,
  passage,
}: {
  adventureId: number
  passage: RecallTrial['passages'][number]
}): Markup {
  const { id, index, quote } = passage
  const name = `Passage ${index}`
  return (
    <>
      {id === null ? (
        name
      ) : (
        <a class="way" href={passageUrl({ id, adventure_id: adventureId })}>
          {name}
        </a>
      )}
      : {quote} <span class="about">{reasonOf(passage)}</span>
    </>
  )
}

/** Prompts stored earlier do not say of passages how they were found. */
function reasonOf({
  terms,
  via,
  reason,
}: {
  terms: readonly string[]
  via?: string
  reason: string
}): string {
  const words = terms.slice(0, 6).join(', ')
  const byMeaning = via === 'words' || via === undefined ? '' : ' and by meaning'
  const why = via === 'pinned' ? 'pinned' : words === '' ? 'by meaning' : `by ${words}${byMeaning}`
  return reason === 'already told' ? `${why}, already in context` : why
}
