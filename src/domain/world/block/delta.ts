/** A block that was removed from a reply: its body, and whether the reply was cut off inside it. */
export interface StateBlock {
  text: string
  cut: boolean
  /** Too long to be a state block; its text was discarded. */
  tooLong: boolean
}
