/** A clock that never repeats a millisecond, so that later rows have later times. */
export function risingClock(): () => Date {
  let last = 0
  return () => {
    last = Math.max(last + 1, Date.now())
    return new Date(last)
  }
}
