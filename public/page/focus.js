// Restores the focus after a swap: to the same control, or to the nearest one that makes sense.

const CONTROLS = 'a[href], button, input:not([type="hidden"]), textarea, select, summary'

/** The element that had the focus last, as `describe` gives it. */
let last = null
/** The name of the open panel, and what opened it. */
let open = panelName()
let opener = null

document.addEventListener('focusin', ({ target }) => {
  last = describe(target)
})
document.addEventListener('focusout', ({ target }) =>
  // A click on the background means no focus; a focused element that was removed means its replacement.
  queueMicrotask(() => {
    if (document.activeElement === document.body && isThere(target)) last = null
  }),
)
// A browser cannot focus an invalid field in a closed fold, and would refuse to send the form without a word.
document.addEventListener('invalid', ({ target }) => openFolds(target), true)
document.addEventListener('htmx:after:swap', ({ detail }) => {
  const was = open
  open = panelName()
  markPanel()
  const { sourceElement } = detail.ctx
  if (sourceElement?.matches('[action="/story-cards"]')) return focusNew(panel())
  if (open !== '' && sourceElement?.matches('[hx-target="#panel"]') && !panel().contains(sourceElement)) {
    opener = describe(sourceElement.querySelector('button') ?? sourceElement)
    return enter(panel().querySelector('[type="search"]') ?? panel().querySelector('h2'))
  }
  if (document.activeElement !== document.body || last === null) return
  const next = replacementOf(last, was)
  if (next) enter(next, { preventScroll: true })
})

// The browser does not do so where the address points into the page, and takes the focus away when it goes there.
if (location.hash) addEventListener('load', () => focusNew(document))

/** Opens the folds that an element is in. */
export function openFolds(element) {
  for (let fold = element.closest('details'); fold; fold = fold.parentElement.closest('details'))
    fold.open = true
}

/** Focuses what has just been added, to be written on. */
function focusNew(root) {
  root.querySelector('[autofocus]')?.focus()
}

/** Whether the control could be used now by pointer. */
export function isUsable(control) {
  return (
    !control.disabled &&
    !control.closest('[inert]') &&
    control.checkVisibility() &&
    getComputedStyle(control).pointerEvents !== 'none'
  )
}

/** The button that opens the menu of a hidden control; otherwise the control itself. */
export function shownBy(control) {
  const menu = control.closest('nav[popover], #undo-asked')
  return menu && !menu.checkVisibility() ? document.querySelector(`[popovertarget="${menu.id}"]`) : control
}

/** Focuses any element, even one that Tab does not reach. */
export function enter(element, options) {
  if (!element.matches(CONTROLS)) element.tabIndex = -1
  element.focus(options)
  // Whoever comes back to a text goes on with it.
  if (element.matches('textarea')) element.setSelectionRange(element.value.length, element.value.length)
}

function panel() {
  return document.querySelector('#panel')
}

function panelName() {
  return panel()?.querySelector('[data-panel]')?.dataset.panel ?? ''
}

/** The links that open a panel: on a narrow screen it is the one in the menu. */
function panelLinks(name) {
  return [...document.querySelectorAll(`.story-head [href*="?panel=${name}"]`)]
}

function markPanel() {
  for (const link of document.querySelectorAll('.story-head [hx-target="#panel"]'))
    link.removeAttribute('aria-current')
  for (const link of open === '' ? [] : panelLinks(open)) link.setAttribute('aria-current', 'true')
}

function replacementOf({ name, value, ancestors }, wasOpen) {
  // What a story asked is gone once it is answered, and reading goes on.
  if (ancestors.includes('asks') && !document.getElementById('asks'))
    return document.querySelector('#story > article:last-of-type')
  const home = ancestors.map((id) => document.getElementById(id)).find(Boolean)
  if (!home) return null
  if (home.matches('#panel:empty'))
    return opener ? replacementOf(opener) : panelLinks(wasOpen).map(shownBy).find(isUsable)
  if (home.matches('#story')) return home.querySelector(':scope > article:last-of-type')
  const alike = [home, ...home.querySelectorAll(CONTROLS)].filter((element) => nameOf(element) === name)
  const same = alike.find((element) => element.value === value && isUsable(shownBy(element))) ?? alike[0]
  // What a button has added stands above it, to be written on.
  const added = home.matches('#schema-form') && value?.startsWith('add:') && same?.previousElementSibling
  if (added) return added.querySelector(CONTROLS)
  if (same && isUsable(shownBy(same))) return shownBy(same)
  if (home.matches('main, #play')) return null
  // A disabled step leads to the other step; a closed form, to what opens it.
  return [
    ...(same?.parentElement.querySelectorAll(same.tagName) ?? []),
    ...home.querySelectorAll('[href*="edit"]'),
    ...home.querySelectorAll(CONTROLS),
    home,
  ].find(isUsable)
}

/** Enough to find an element again after a swap; the ids of its ancestors come nearest first. */
function describe(element) {
  return { name: nameOf(element), value: element.value, ancestors: ancestorIds(element) }
}

function ancestorIds(element) {
  const ancestor = element.closest?.('[id]')
  return ancestor ? [ancestor.id, ...ancestorIds(ancestor.parentElement)] : []
}

function isThere(element) {
  return element.isConnected && !element.disabled
}

/** What tells a control from its neighbors, before and after a swap. */
function nameOf(element) {
  if (!element.matches(CONTROLS)) return `#${element.id}`
  const words = element.getAttribute('aria-label') ?? element.textContent.trim()
  return `${element.tagName} ${element.id || element.name || ''} ${words}`.slice(0, 200)
}
