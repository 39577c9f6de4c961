/** Part of a passage, and whether it starts a new paragraph. */
export interface ParagraphPart {
  text: string
  opens: boolean
}

/** Splits a streaming passage into paragraphs. Line ends are held back until what follows shows what they separate. */
export class Paragraphs {
  private held = ''
  private hasText = false

  add(text: string): ParagraphPart[] {
    const pending = this.held + text
    const end = pending.trimEnd().length
    this.held = pending.slice(end)
    return pending
      .slice(0, end)
      .split(/\n[^\S\n]*\n\s*/)
      .flatMap((part, i) => this.part(part, i > 0))
  }

  private part(text: string, follows: boolean): ParagraphPart[] {
    const shown = this.hasText ? text : text.trimStart()
    if (shown === '') return []
    const opens = follows && this.hasText
    this.hasText = true
    return [{ text: shown, opens }]
  }
}
