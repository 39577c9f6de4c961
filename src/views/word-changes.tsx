import { diffWords } from './ui/word-diff.ts'
import type { Child, Markup } from './jsx/jsx-runtime.ts'

/** Characters of an unchanged stretch that are shown beside a change. */
const BESIDE = 80

/** How a text was rewritten: what goes is struck out, what comes is underlined. Long stretches that stay are cut short. */
export function WordChanges({ old, next }: { old: string; next: string }): Markup {
  const pieces = diffWords(old, next)
  return (
    <p class="diff">
      {pieces.map(({ kind, text }, i) => {
        if (kind === 'same') return shortened(text, i > 0, i < pieces.length - 1)
        return kind === 'old' ? (
          <del>
            <Aloud>gone: </Aloud>
            {text}
          </del>
        ) : (
          <ins>
            <Aloud>new: </Aloud>
            {text}
          </ins>
        )
      })}
    </p>
  )
}

// Screen readers say nothing of these elements by themselves.
function Aloud({ children }: { children?: Child }): Markup {
  return <span class="unseen">{children}</span>
}

function shortened(text: string, isBehind: boolean, isBefore: boolean): string {
  if (text.length <= BESIDE * 3) return text
  const head = isBehind ? `${text.slice(0, BESIDE).replace(/\s+\S*$/u, '')} ` : ''
  const tail = isBefore ? ` ${text.slice(-BESIDE).replace(/^\S*\s+/u, '')}` : ''
  return `${head}…${tail}`
}
