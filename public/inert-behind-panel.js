// On a narrow screen a panel or the world lies over the page. What lies under it can be neither reached nor read.

const NARROW = matchMedia('(max-width: 63.99rem)')
const COVERS = ['#world:popover-open', '#world.open', '#panel:not(:empty)']

/** What was put out of reach here. */
let under = []

look()
NARROW.addEventListener('change', look)
document.addEventListener('toggle', look, true)
// The browser gives the focus back before it tells that something is closed.
document.addEventListener('beforetoggle', ({ newState }) => newState === 'closed' && free(), true)
document.addEventListener('htmx:after:swap', look)

function free() {
  for (const element of under.splice(0)) element.inert = false
}

function look() {
  free()
  const cover = NARROW.matches && COVERS.map((one) => document.querySelector(one)).find(Boolean)
  // What a menu has led to is not behind it.
  if (cover) document.querySelector('nav:popover-open')?.hidePopover()
  under = cover ? besides(cover).filter((element) => !element.inert) : []
  for (const element of under) element.inert = true
}

/** Everything that is neither in an element nor around it. What is said aloud stays to be heard. */
function besides(element) {
  if (element === document.body) return []
  const others = [...element.parentElement.children].filter(
    (one) => one !== element && !one.matches('dialog, [aria-live]'),
  )
  return [...others, ...besides(element.parentElement)]
}
