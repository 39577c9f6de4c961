import { type ProseSpan, paragraphsOf } from '../../domain/text/prose-markup.ts'
import { typographic } from '../../domain/text/typography.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'

/**
 * A passage as paragraphs, rules, *italic* and **bold**, with the quotation marks and dashes of a language (a BCP 47 tag).
 * Anything else is shown as written.
 */
export function Prose({ text, language }: { text: string; language: string }): Markup {
  const blocks = paragraphsOf(typographic(text, language))
  return <>{blocks.map((block) => (block === null ? <hr /> : <p>{block.map(emphasized)}</p>))}</>
}

/** A run of text with its emphasis. */
export function emphasized({ text, bold, italic }: ProseSpan): Child {
  const inner = italic ? <em>{text}</em> : text
  return bold ? <strong>{inner}</strong> : inner
}
