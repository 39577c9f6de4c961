// What is put in anew gives the focus back to where it was, or to the next thing that makes sense.

const CONTROLS = 'a[href], button, input:not([type="hidden"]), textarea, select, summary'

/** What had the focus: what tells it from all others, and the places that it stood in, the nearest first. */
let lost = null
/** The panel that is open, by its name. */
let open = panel()?.dataset.name ?? ''

document.addEventListener('focusin', ({ target }) => {
  lost = { name: nameOf(target), value: target.value, homes: homesOf(target) }
})
document.addEventListener('focusout', ({ target }) =>
  // Who clicks beside everything wants the focus nowhere; who stands on what is taken away, at what takes its place.
  queueMicrotask(() => {
    if (document.activeElement === document.body && isThere(target)) lost = null
  }),
)
document.addEventListener('htmx:after:swap', ({ detail }) => {
  const was = open
  open = panel()?.dataset.name ?? ''
  markPanel()
  if (open !== '' && detail.ctx.sourceElement?.matches('.story-head [hx-target="#panel"]'))
    return enter(panel().querySelector('h2'))
  if (document.activeElement !== document.body || lost === null) return
  const next = nextOf(lost, was)
  if (next) enter(next, { preventScroll: true })
})

/** Whether a hand could use it now. */
export function isUsable(control) {
  return (
    !control.disabled &&
    !control.closest('[inert]') &&
    control.checkVisibility() &&
    getComputedStyle(control).pointerEvents !== 'none'
  )
}

/** Gives the focus to anything, also to what no Tab leads to. */
export function enter(element, options) {
  if (!element.matches(CONTROLS)) element.tabIndex = -1
  element.focus(options)
}

function panel() {
  return document.querySelector('#panel')
}

function panelLink(name) {
  return document.querySelector(`.story-head [href$="?panel=${name}"]`)
}

function markPanel() {
  for (const link of document.querySelectorAll('.story-head [hx-target="#panel"]'))
    link.removeAttribute('aria-current')
  if (open !== '') panelLink(open)?.setAttribute('aria-current', 'true')
}

function nextOf({ name, value, homes }, wasOpen) {
  const home = homes.map((id) => document.getElementById(id)).find(Boolean)
  if (!home || home.matches('main')) return null
  if (home.matches('#panel:empty')) return panelLink(wasOpen)
  if (home.matches('#story')) return home.querySelector(':scope > article:last-of-type')
  const alike = [home, ...home.querySelectorAll(CONTROLS)].filter((element) => nameOf(element) === name)
  const same = alike.find((element) => element.value === value) ?? alike[0]
  if (same && isUsable(same)) return same
  // A step that cannot be made any more leaves one at the steps; a form that is closed, at what opens it.
  return [
    ...(same?.parentElement.querySelectorAll(CONTROLS) ?? []),
    ...home.querySelectorAll('[hx-get*="edit"]'),
    ...home.querySelectorAll(CONTROLS),
    home,
  ].find(isUsable)
}

function homesOf(element) {
  const home = element.closest?.('[id]')
  return home ? [home.id, ...homesOf(home.parentElement)] : []
}

function isThere(element) {
  return element.isConnected && !element.disabled
}

/** What tells a control from the others in its place, before and after it was put in anew. */
function nameOf(element) {
  if (!element.matches(CONTROLS)) return `#${element.id}`
  const words = element.getAttribute('aria-label') ?? element.textContent.trim()
  return `${element.tagName} ${element.id || element.name || ''} ${words}`.slice(0, 200)
}
