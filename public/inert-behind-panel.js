// On a narrow screen the menu or a panel covers the page; the panel that compares versions always does. Everything under it is
// made inert, so that no tap, focus or screen reader gets there.

const NARROW = matchMedia('(max-width: 63.99rem)')
const COVERS = ['#story-menu:popover-open', '#world:popover-open', '#world.open', '#panel:not(:empty)']

/** Elements made inert here. */
let under = []

update()
NARROW.addEventListener('change', update)
document.addEventListener('toggle', update, true)
// The browser returns the focus before it reports that something was closed.
document.addEventListener('beforetoggle', ({ newState }) => newState === 'closed' && free(), true)
document.addEventListener('htmx:after:swap', ({ detail }) => {
  // The menu that opened the panel would cover it.
  detail.ctx.sourceElement?.closest('[hx-target="#panel"]')?.closest(':popover-open')?.hidePopover()
  update()
})

function free() {
  for (const element of under.splice(0)) element.inert = false
}

function update() {
  free()
  const cover =
    document.querySelector('#panel:has(.attempts)') ??
    (NARROW.matches && COVERS.map((one) => document.querySelector(one)).find(Boolean))
  under = cover ? outside(cover).filter((element) => !element.inert) : []
  for (const element of under) element.inert = true
}

/** All elements that neither contain an element nor are inside it. Live regions stay audible. */
function outside(element) {
  if (element === document.body) return []
  const others = [...element.parentElement.children].filter(
    (one) => one !== element && !one.matches('dialog, [aria-live]'),
  )
  return [...others, ...outside(element.parentElement)]
}
