/** A reply as a small model botches it, and what must come of it. */
export interface Reply {
  kind: string
  reply: string
  /** What the reader of the story sees, trimmed. */
  prose: string
  /** What is moved or set, by canonical path: the value proposed, before any cap. */
  changes: Record<string, unknown>
}
