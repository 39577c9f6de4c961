import { type ProseSpan, paragraphsOf } from '../../domain/text/prose-markup.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'

/** A passage as paragraphs, rules, *italic* and **bold**. Anything else is shown as written. */
export function Prose({ text }: { text: string }): Markup {
  return <>{paragraphsOf(text).map((block) => (block === null ? <hr /> : <p>{block.map(emphasized)}</p>))}</>
}

/** A run of text with its emphasis. */
export function emphasized({ text, bold, italic }: ProseSpan): Child {
  const inner = italic ? <em>{text}</em> : text
  return bold ? <strong>{inner}</strong> : inner
}
