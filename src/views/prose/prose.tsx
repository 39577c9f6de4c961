import { languageOf, type ProseLanguage } from '../../domain/text/language.ts'
import { blocksOf, type ProseSpan, type TextBlock } from '../../domain/text/prose-markup.ts'
import { typographic } from '../../domain/text/typography.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'

/** The language is marked: the page around it is in English. */
export function ProseBlock({ text, language }: { text: string; language: ProseLanguage }): Markup {
  return (
    <div class="prose" {...languageAttributes(language.language)}>
      <Prose text={text} language={language.marks} />
    </div>
  )
}

/** An empty `lang` says that the language is unknown. */
export function languageAttributes(language: string): { dir: string; lang: string } {
  return { dir: 'auto', lang: language === 'und' ? '' : language }
}

/** The attributes of an element whose language nobody chose: `sample` is its text, or more of the same author. */
export function attributesOfText(sample: string, chosen = ''): { dir: string; lang: string } {
  return languageAttributes(chosen || languageOf(sample))
}

/**
 * A passage as paragraphs, headings, rules, lists and quotes, *italic* and **bold**, with the quotation marks and dashes
 * of a language (a BCP 47 tag). Anything else is shown as written.
 */
export function Prose({ text, language }: { text: string; language: string }): Markup {
  return <>{proseBlocks(text, language)}</>
}

export function proseBlocks(text: string, language: string): Markup[] {
  return blocksOf(typographic(text, language), language).map(block)
}

function block(shown: TextBlock): Markup {
  switch (shown.kind) {
    case 'rule':
      return <hr />
    case 'paragraph':
      return <p>{shown.spans.map(emphasized)}</p>
    case 'heading':
      return <ProseHeading level={shown.level}>{shown.spans.map(emphasized)}</ProseHeading>
    case 'quote':
      return (
        <blockquote>
          {shown.paragraphs.map((spans) => (
            <p>{spans.map(emphasized)}</p>
          ))}
        </blockquote>
      )
    case 'list': {
      const items = shown.items.map((spans) => <li>{spans.map(emphasized)}</li>)
      return shown.first === null ? <ul>{items}</ul> : <ol start={String(shown.first)}>{items}</ol>
    }
  }
}

/** Starts at h3, below the heading of the passage itself. */
function ProseHeading({ level, children }: { level: number; children?: Child }): Markup {
  if (level === 1) return <h3>{children}</h3>
  if (level === 2) return <h4>{children}</h4>
  return level === 3 ? <h5>{children}</h5> : <h6>{children}</h6>
}

function emphasized({ text, bold, italic }: ProseSpan): Child {
  const shown = withBreaks(text)
  const inner = italic ? <em>{shown}</em> : shown
  return bold ? <strong>{inner}</strong> : inner
}

// Chromium kerns the rest of a run again after each line, which takes seconds for 100,000 characters without a space.
function withBreaks(text: string): Child {
  if (!/\S{1000}/.test(text)) return text
  return text.split(/(\S{500})/u).map((part, index) => (index % 2 === 0 ? part : [part, <wbr />]))
}
