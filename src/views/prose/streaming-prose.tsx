import type { ProseSpan } from '../../domain/text/prose-markup.ts'
import { Typographer } from '../../domain/text/typography.ts'
import { formatEvent } from '../../http/stream.ts'
import { type Child, render } from '../jsx/jsx-runtime.ts'
import { fragment } from '../ui/fragment.tsx'
import { Paragraphs } from './paragraphs.ts'
import { emphasized, Prose } from './prose.tsx'

const LAST = '#told > p:last-child'

/**
 * Renders a streaming passage as it will look when complete, so that no line moves at the end. Emphasis shows from its
 * opening mark; if it is never closed, the paragraph is corrected as soon as it is complete. The end of the passage shows
 * what waited for more text.
 */
export function proseFragments(language: string): (text: string, isEnd?: boolean) => string {
  const paragraphs = new Paragraphs()
  const typographer = new Typographer(language)
  let paragraph = new StreamingParagraph()
  const fragmentsOf = ({ text, opens }: { text: string; opens: boolean }): string => {
    if (!opens) return paragraph.add(text)
    const correction = paragraph.end()
    paragraph = new StreamingParagraph()
    return correction + formatEvent(fragment('#told', 'beforeend', <p />)) + paragraph.add(text)
  }
  return (text, isEnd = false) => {
    const set = typographer.add(text) + (isEnd ? typographer.end() : '')
    return paragraphs.add(set).map(fragmentsOf).join('')
  }
}

/** Emphasis marks, line ends, and the text between them. */
const TOKENS = /\*+|\n|[^*\n]+/g

class StreamingParagraph {
  private text = ''
  private readonly shown: ProseSpan[] = []
  /** The open emphasis: the span that text is appended to. */
  private open: ProseSpan | null = null
  /** Marks at the end of the text so far: more may follow. */
  private held = ''

  /** One frame per target: htmx looks up all targets of a frame before it swaps any. */
  add(text: string): string {
    this.text += text
    const tokens = (this.held + text).match(TOKENS) ?? []
    this.held = tokens.at(-1)?.startsWith('*') ? (tokens.pop() ?? '') : ''
    let appended = ''
    const added: ProseSpan[] = []
    for (const token of tokens) {
      if (token.startsWith('*')) this.open = this.open ? null : spanOf(token)
      else if (this.open?.text) {
        this.open.text += token
        if (!added.includes(this.open))
          appended += formatEvent(fragment(selectorOf(this.open), 'beforeend', token))
      } else added.push(this.begin(token))
      if (token === '\n') this.open = null
    }
    this.shown.push(...added)
    return (
      appended + (added.length > 0 ? formatEvent(fragment(LAST, 'beforeend', added.map(emphasized))) : '')
    )
  }

  /** A corrected paragraph, now that it is complete; '' if it already looks right. */
  end(): string {
    const whole: Child = <Prose text={this.text} language="und" />
    const shown: Child = <p>{this.shown.map(emphasized)}</p>
    return render(whole) === render(shown) ? '' : formatEvent(fragment(LAST, 'outerHTML', whole))
  }

  private begin(text: string): ProseSpan {
    if (this.open && !(this.open.italic && !this.open.bold && /^\s/.test(text))) {
      this.open.text = text
      return this.open
    }
    const marks = this.open ? '*' : ''
    this.open = null
    return { text: marks + text, bold: false, italic: false }
  }
}

function spanOf({ length }: string): ProseSpan {
  return { text: '', bold: length > 1, italic: length !== 2 }
}

function selectorOf({ bold, italic }: ProseSpan): string {
  return `${LAST} > :last-child${bold && italic ? ' > em' : ''}`
}
