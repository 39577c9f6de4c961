import type { ReplyPart } from '../../domain/model/model-request.ts'

const TAGS = ['<think>', '<thinking>', '</think>', '</thinking>']
const LONGEST_TAG = '</thinking>'.length

/**
 * Separates reasoning in literal tags from the text of a reply, even when a tag is split across chunks. A closing tag
 * without an opening one means that all text so far was reasoning: the template had opened the tag in the prompt.
 */
export class ThinkingSplitter {
  private buffer = ''
  private isThinking = false
  private hasText = false;

  *push(text: string): Generator<ReplyPart> {
    let rest = this.buffer + text
    for (let tag = this.findTag(rest); tag; tag = this.findTag(rest)) {
      yield* this.emit(rest.slice(0, tag.start))
      if (tag.closes && !this.isThinking) yield* this.recast()
      this.isThinking = !tag.closes
      rest = rest.slice(tag.end)
    }
    const complete = rest.length - partialTagLength(rest)
    this.buffer = rest.slice(complete)
    yield* this.emit(rest.slice(0, complete))
  }

  /** Emits text that was held back because it could have become a tag. */
  *finish(): Generator<ReplyPart> {
    yield* this.emit(this.buffer)
    this.buffer = ''
  }

  // Inside reasoning another opening tag is text; outside it another closing tag still ends reasoning.
  private findTag(text: string): { start: number; end: number; closes: boolean } | null {
    const pattern = this.isThinking ? /<(\/)think(?:ing)?>/i : /<(\/?)think(?:ing)?>/i
    const match = pattern.exec(text)
    return match && { start: match.index, end: match.index + match[0].length, closes: match[1] === '/' }
  }

  private *emit(text: string): Generator<ReplyPart> {
    if (text === '') return
    if (!this.isThinking) this.hasText = true
    yield { kind: this.isThinking ? 'thinking' : 'text', text }
  }

  private *recast(): Generator<ReplyPart> {
    if (this.hasText) yield { kind: 'recast' }
    this.hasText = false
  }
}

function partialTagLength(text: string): number {
  const start = text.lastIndexOf('<')
  if (start < 0 || text.length - start >= LONGEST_TAG) return 0
  const end = text.slice(start).toLowerCase()
  return TAGS.some((tag) => tag.startsWith(end)) ? end.length : 0
}
