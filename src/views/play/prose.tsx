import { blocksOf, type Span } from '../../domain/text/prose-markup.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'

/** A passage as paragraphs, rules, *italic* and **bold**. Everything else stands as it was written. */
export function Prose({ text }: { text: string }): Markup {
  return <>{blocksOf(text).map((block) => (block === null ? <hr /> : <p>{block.map(emphasized)}</p>))}</>
}

/** A run of text as it is shown. */
export function emphasized({ text, bold, italic }: Span): Child {
  const inner = italic ? <em>{text}</em> : text
  return bold ? <strong>{inner}</strong> : inner
}
