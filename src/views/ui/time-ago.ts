const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long ago an ISO time was, in words; its date after a month. */
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

/** Whether a reader may need a recap: a day has passed. */
export function isLongAgo(time: string, now: Date): boolean {
  return now.getTime() - Date.parse(time) >= DAY
}
