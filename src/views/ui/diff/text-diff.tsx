import type { Child, Markup } from '../../jsx/jsx-runtime.ts'
import { diffWords } from './word-diff.ts'

/** Characters of unchanged text shown before and after a change. */
const CONTEXT = 80

/** Removed words struck out, added ones underlined, long unchanged parts shortened. */
export function TextDiff({ old, next }: { old: string; next: string }): Markup {
  const parts = diffWords(old, next)
  return (
    <p class="diff" dir="auto">
      {parts.map(({ kind, text }, i) => {
        if (kind === 'same') return shortened(text, i > 0, i < parts.length - 1)
        return kind === 'old' ? (
          <del>
            <Aloud>Removed: </Aloud>
            {text}
          </del>
        ) : (
          <ins>
            <Aloud>Added: </Aloud>
            {text}
          </ins>
        )
      })}
    </p>
  )
}

// Screen readers do not announce del and ins.
function Aloud({ children }: { children?: Child }): Markup {
  return <span class="unseen">{children}</span>
}

function shortened(text: string, isBehind: boolean, isBefore: boolean): string {
  if (text.length <= CONTEXT * 3) return text
  const head = isBehind ? `${text.slice(0, CONTEXT).replace(/\s+\S*$/u, '')} ` : ''
  const tail = isBefore ? ` ${text.slice(-CONTEXT).replace(/^\S*\s+/u, '')}` : ''
  return `${head}…${tail}`
}
