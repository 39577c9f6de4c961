const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long ago something was, in words; a date where it is longer than a month. `time` is an ISO time. */
export function agoInWords(time: string, now: Date): string {
  const past = now.getTime() - Date.parse(time)
  if (!(past >= MINUTE)) return 'just now'
  if (past < HOUR) return count(past / MINUTE, 'minute')
  if (past < DAY) return count(past / HOUR, 'hour')
  return past < 31 * DAY ? count(past / DAY, 'day') : time.slice(0, 10)
}

function count(amount: number, unit: string): string {
  const whole = Math.floor(amount)
  return `${whole} ${unit}${whole === 1 ? '' : 's'} ago`
}

/** Whether so long a time has passed that a reader may have forgotten where a story stood. */
export function isLongAgo(time: string, now: Date): boolean {
  return now.getTime() - Date.parse(time) >= DAY
}
