import type { Child, Markup } from './jsx/jsx-runtime.ts'

const RULE = /^\s*(?:-{3,}|\*{3,}|_{3,}|(?:\* ){2,}\*)\s*$/
const EMPHASIS = /\*\*\*([^*\n]+)\*\*\*|\*\*([^*\n]+)\*\*|\*([^*\n\s](?:[^*\n]*[^*\n\s])?)\*/g

/** A passage as paragraphs, rules, *italic* and **bold**. Everything else stands as it was written. */
export function Prose({ text }: { text: string }): Markup {
  const blocks = text.split(/\n\s*\n/).flatMap(linesAroundRules)
  return <>{blocks.map((block) => (RULE.test(block) ? <hr /> : <p>{emphasized(block.trim())}</p>))}</>
}

function linesAroundRules(block: string): string[] {
  const parts: string[] = []
  let lines: string[] = []
  for (const line of block.split('\n')) {
    if (!RULE.test(line)) lines.push(line)
    else {
      parts.push(lines.join('\n'), line)
      lines = []
    }
  }
  return [...parts, lines.join('\n')].filter((part) => part.trim() !== '')
}

// One pass without nesting: no mark can open inside another, so no element can close another's.
function emphasized(text: string): Child[] {
  const shown: Child[] = []
  let at = 0
  for (const match of text.matchAll(EMPHASIS)) {
    const [whole, both, bold, italic] = match
    shown.push(text.slice(at, match.index))
    if (both)
      shown.push(
        <strong>
          <em>{both}</em>
        </strong>,
      )
    else if (bold) shown.push(<strong>{bold}</strong>)
    else shown.push(<em>{italic}</em>)
    at = match.index + whole.length
  }
  return [...shown, text.slice(at)]
}
