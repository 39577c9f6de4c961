/** A reply as a small model botches it, and what must come of it. */
export interface Reply {
  kind: string
  reply: string
  /** What the reader of the story sees, trimmed. */
  prose: string
  /** What its block proposes. */
  changes: Record<string, unknown>
}
