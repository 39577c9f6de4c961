/** A clock that never returns the same millisecond twice, so that of two rows one process writes the later one has the later time. */
export function risingClock(): () => Date {
  let last = 0
  return () => {
    last = Math.max(last + 1, Date.now())
    return new Date(last)
  }
}
