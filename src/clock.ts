/** A clock that never returns the same millisecond twice, so that rows that are written later have later times. */
export function risingClock(): () => Date {
  let last = 0
  return () => {
    last = Math.max(last + 1, Date.now())
    return new Date(last)
  }
}
