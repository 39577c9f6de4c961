/** A piece of a passage, and whether a new paragraph begins with it. */
export interface Piece {
  text: string
  opens: boolean
}

/** Finds the paragraphs of a passage while it streams: line ends are held back until it is plain what they part. */
export class Paragraphs {
  private held = ''
  private hasText = false

  add(text: string): Piece[] {
    const told = this.held + text
    const end = told.trimEnd().length
    this.held = told.slice(end)
    return told
      .slice(0, end)
      .split(/\n[^\S\n]*\n\s*/)
      .flatMap((piece, i) => this.piece(piece, i > 0))
  }

  private piece(text: string, follows: boolean): Piece[] {
    const shown = this.hasText ? text : text.trimStart()
    if (shown === '') return []
    const opens = follows && this.hasText
    this.hasText = true
    return [{ text: shown, opens }]
  }
}
