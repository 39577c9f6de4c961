// On a touch screen, a swipe over the newest passage shows its next or previous version: it presses that button.

/** Pixels of a swipe, and how much longer it is than it is high. */
const FAR = 60
const FLAT = 2

let start = null

addEventListener(
  'touchstart',
  ({ touches, target }) => {
    const passage = touches.length === 1 ? target.closest?.('#story > article:has(.pager button)') : null
    start = passage && { passage, x: touches[0].clientX, y: touches[0].clientY }
  },
  { passive: true },
)
addEventListener(
  'touchend',
  ({ changedTouches: [{ clientX, clientY }] }) => {
    const from = start
    start = null
    if (!from || !getSelection()?.isCollapsed) return
    const [right, down] = [clientX - from.x, clientY - from.y]
    if (Math.abs(right) < FAR || Math.abs(right) < FLAT * Math.abs(down)) return
    const [previous, next] = from.passage.querySelectorAll('.pager button')
    const button = right < 0 ? next : previous
    button.click()
  },
  { passive: true },
)
addEventListener('touchcancel', () => (start = null), { passive: true })
