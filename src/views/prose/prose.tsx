import { type ProseSpan, paragraphsOf } from '../../domain/text/prose-markup.ts'
import { typographic } from '../../domain/text/typography.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'

/** The language of a story, as a BCP 47 tag, and that whose marks its prose is shown with; "und" is none. */
export interface ProseLanguage {
  language: string
  marks: string
}

/** A passage as a block of its own. Its language is marked: the page around it is in English. */
export function ProseBlock({ text, language }: { text: string; language: ProseLanguage }): Markup {
  return (
    <div class="prose" {...languageAttributes(language.language)}>
      <Prose text={text} language={language.marks} />
    </div>
  )
}

/** The attributes of an element with text of a story. An empty `lang` says that the language is unknown. */
export function languageAttributes(language: string): { dir: string; lang: string } {
  return { dir: 'auto', lang: language === 'und' ? '' : language }
}

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
