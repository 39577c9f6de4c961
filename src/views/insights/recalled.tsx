import type { RecallTrial } from '../../app/prompt/prompt-view.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { passageUrl } from '../urls.ts'

export function RecalledMemory({ memory }: { memory: RecallTrial['memories'][number] }): Markup {
  return (
    <>
      {memory.text} <span class="about">{reasonOf(memory)}</span>
    </>
  )
}

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

function reasonOf({ terms = [], via, isPast, reason }: RecallTrial['memories' | 'passages'][number]): string {
  return [
    foundBy(terms.slice(0, 6).join(', '), via),
    ...(isPast ? ['no longer true'] : []),
    ...(reason === 'already told' ? ['already in context'] : []),
  ].join(', ')
}

function foundBy(words: string, via: string | undefined): string {
  if (via === 'pinned') return 'pinned'
  if (via === 'change') return 'what is true now'
  if (words === '') return 'by meaning'
  return via === 'vector' || via === 'both' ? `by ${words} and by meaning` : `by ${words}`
}
