/** A passage that its reader marked. */
export interface Bookmark {
  action_id: number
  /** Index of the passage. */
  index: number
  /** What the reader calls it; '' when nothing. */
  name: string
  /** The beginning of the passage. */
  text: string
}
