// On a narrow screen the menu or a panel covers the page; the panel that compares versions always does. Everything under it is
// made inert, so that no tap, focus or screen reader gets there, and Back closes what covers the page instead of leaving it.

const NARROW = matchMedia('(max-width: 63.99rem)')
const COVERS = ['#story-menu:popover-open', '#world:popover-open', '#world.open', '#panel:not(:empty)']

/** Elements made inert here. */
let under = []
/** The page is covered. One that is loaded with a panel has its history entry already. */
let isCovered = Boolean(findCover())
/** The browser was told to go back, which it does later. */
let isGoingBack = false

update()
// What is gone after a reload needs no Back.
if (isBackToClose() && !isCovered) goBack()
// Another width makes no history entry and removes none: going back would break off what the reader does meanwhile.
NARROW.addEventListener('change', () => {
  isCovered = Boolean(findCover())
  update()
})
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

addEventListener('popstate', () => {
  const cover = findCover()
  const wasGoingBack = isGoingBack
  isGoingBack = false
  if (!cover && isBackToClose()) goBack()
  if (!cover || isBackToClose()) return
  // Something else has covered the page before the browser went back.
  if (wasGoingBack) history.pushState('covered', '')
  else close(cover)
})
// A link to a place on this page leads there only if nothing covers it, and to the same place again makes no entry.
document.addEventListener('click', ({ target }) => {
  const cover = findCover()
  const link = target.closest('a:not(.close)')
  if (link?.href === location.href && cover?.contains(link)) close(cover)
})

function close(cover) {
  if (!cover.matches(':popover-open')) return cover.querySelector('.close').click()
  cover.hidePopover()
  // The browser does not report the closing of a popover that is opened again at once.
  update()
}

function isBackToClose() {
  return history.state === 'covered'
}

/** Makes the history entry that Back removes, or removes it when the page is uncovered otherwise. */
function enterHistory(cover) {
  if (Boolean(cover) === isCovered) return
  isCovered = !isCovered
  if (isCovered) history.pushState('covered', '')
  else if (isBackToClose()) goBack()
}

function goBack() {
  isGoingBack = true
  history.back()
}

function findCover() {
  return (
    document.querySelector('#panel:has(.variants)') ??
    (NARROW.matches && COVERS.map((one) => document.querySelector(one)).find(Boolean))
  )
}

function update() {
  free()
  const cover = findCover()
  enterHistory(cover)
  under = cover ? outside(cover).filter((element) => !element.inert && !isAbove(cover, element)) : []
  for (const element of under) element.inert = true
}

/** Whether an element is the bar of the story, and in sight above what covers the rest. */
function isAbove(cover, element) {
  const { bottom } = element.getBoundingClientRect()
  return element.matches('.story-head') && bottom <= cover.getBoundingClientRect().top
}

/** All elements that neither contain an element nor are inside it. Live regions stay audible. */
function outside(element) {
  if (element === document.body) return []
  const others = [...element.parentElement.children].filter(
    (one) => one !== element && !one.matches('dialog, [aria-live]'),
  )
  return [...others, ...outside(element.parentElement)]
}
