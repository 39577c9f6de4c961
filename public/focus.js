// What is put in anew gives the focus back to where it was, or to the next thing that makes sense.

const CONTROLS = 'a[href], button, input:not([type="hidden"]), textarea, select, summary'

/** What had the focus, as `placeOf` tells it. */
let lost = null
/** The panel that is open, by its name, and what opened it. */
let open = panelName()
let opener = null

document.addEventListener('focusin', ({ target }) => {
  lost = placeOf(target)
})
document.addEventListener('focusout', ({ target }) =>
  // Who clicks beside everything wants the focus nowhere; who stands on what is taken away, at what takes its place.
  queueMicrotask(() => {
    if (document.activeElement === document.body && isThere(target)) lost = null
  }),
)
document.addEventListener('htmx:after:swap', ({ detail }) => {
  const was = open
  open = panelName()
  markPanel()
  const { sourceElement } = detail.ctx
  if (open !== '' && sourceElement?.matches('[hx-target="#panel"]') && !panel().contains(sourceElement)) {
    opener = placeOf(sourceElement.querySelector('button') ?? sourceElement)
    return enter(panel().querySelector('h2'))
  }
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

/** What shows a control that lies in a closed menu; else the control itself. */
export function shownBy(control) {
  const menu = control.closest('nav[popover]')
  return menu && !menu.checkVisibility() ? document.querySelector(`[popovertarget="${menu.id}"]`) : control
}

/** Gives the focus to anything, also to what no Tab leads to. */
export function enter(element, options) {
  if (!element.matches(CONTROLS)) element.tabIndex = -1
  element.focus(options)
}

function panel() {
  return document.querySelector('#panel')
}

function panelName() {
  return panel()?.querySelector('[data-panel]')?.dataset.panel ?? ''
}

function panelLink(name) {
  return document.querySelector(`.story-head [href*="?panel=${name}"]`)
}

function markPanel() {
  for (const link of document.querySelectorAll('.story-head [hx-target="#panel"]'))
    link.removeAttribute('aria-current')
  if (open !== '') panelLink(open)?.setAttribute('aria-current', 'true')
}

function nextOf({ name, value, homes }, wasOpen) {
  const home = homes.map((id) => document.getElementById(id)).find(Boolean)
  if (!home) return null
  if (home.matches('#panel:empty')) return opener ? nextOf(opener) : shownBy(panelLink(wasOpen))
  if (home.matches('#story')) return home.querySelector(':scope > article:last-of-type')
  const alike = [home, ...home.querySelectorAll(CONTROLS)].filter((element) => nameOf(element) === name)
  const same = alike.find((element) => element.value === value) ?? alike[0]
  if (same && isUsable(shownBy(same))) return shownBy(same)
  if (home.matches('main, #play')) return null
  // A step that cannot be made any more leaves one at the steps; a form that is closed, at what opens it.
  return [
    ...(same?.parentElement.querySelectorAll(same.tagName) ?? []),
    ...home.querySelectorAll('[hx-get*="edit"]'),
    ...home.querySelectorAll(CONTROLS),
    home,
  ].find(isUsable)
}

/** What tells an element from all others, and the places that it stands in, the nearest first. */
function placeOf(element) {
  return { name: nameOf(element), value: element.value, homes: homesOf(element) }
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
