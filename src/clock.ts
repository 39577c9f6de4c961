/** A clock that gives no millisecond twice: of two things written by one process, the later one has the later time. */
export function risingClock(): () => Date {
  let last = 0
  return () => {
    last = Math.max(last + 1, Date.now())
    return new Date(last)
  }
}
