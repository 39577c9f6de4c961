// Saves what is typed a moment after the last key. A unit is what is saved in one request: an element with `data-autosave`,
// its fields, and inside it the state element that the response replaces. Whether all units are saved is said in one place,
// the element with `data-saving`; a unit itself says only why it is not. Nothing replaces a unit before it is saved.

import { openFolds } from '../page/focus.js'
import { DEBOUNCE } from './debounce.js'

const NO_RESPONSE = 'Not saved: Inglenook is not responding. Your text stays here.'
/** Milliseconds after which a unit that could not be sent is sent again. */
const RETRY = 4_000

export const autosave = () => {
  /** Units that wait for a pause in the typing, with their timers. */
  const waiting = new Map()
  /** Units on their way, with the state element that the response will replace. */
  const sent = new Map()
  /** Units that could not be sent. */
  const failed = new Set()
  const listeners = new AbortController()

  const stateOf = (unit) => unit.querySelector('[hx-trigger="autosave"]')

  const isUnsaved = (unit) =>
    waiting.has(unit) || sent.has(unit) || failed.has(unit) || unit.querySelector('[data-refused]') !== null

  const unsavedIn = (root) => [...root.querySelectorAll('[data-autosave]')].filter(isUnsaved)

  function tell(root, done = 'Saved') {
    const isBusy = waiting.size > 0 || sent.size > 0
    const said = root.querySelector('[data-saving]')
    const words = isBusy ? 'Saving…' : unsavedIn(root).length > 0 ? 'Not saved' : done
    if (said.textContent !== words) said.textContent = words
  }

  /** Forgets the units whose response has come, or that a button has replaced. */
  function settle(root) {
    const settled = [...sent].filter(([, state]) => !state.isConnected)
    for (const [unit, state] of settled) {
      sent.delete(unit)
      if (unit.isConnected) reopen(state, stateOf(unit))
    }
    for (const unit of failed) if (!unit.isConnected) failed.delete(unit)
    if (root.querySelector('[data-saving]').textContent !== '') tell(root)
    if (settled.length > 0) root.dispatchEvent(new CustomEvent('saved'))
    root.dispatchEvent(new CustomEvent('settled'))
  }

  function saveSoon(unit) {
    clearTimeout(waiting.get(unit))
    waiting.set(
      unit,
      setTimeout(() => save(unit), DEBOUNCE),
    )
  }

  function save(unit) {
    const state = stateOf(unit)
    clearTimeout(waiting.get(unit))
    // A button has replaced it, with all that was typed.
    if (!unit.isConnected) return waiting.delete(unit)
    // The response on its way brings the version that the next request needs.
    if (sent.get(unit) === state) return saveSoon(unit)
    waiting.delete(unit)
    failed.delete(unit)
    sent.set(unit, state)
    state.dispatchEvent(new CustomEvent('autosave'))
  }

  function fail(unit, words) {
    sent.delete(unit)
    failed.add(unit)
    stateOf(unit).querySelector('[role="status"]').textContent = words
    setTimeout(() => failed.has(unit) && save(unit), RETRY)
  }

  /** Saves everything now; resolves when every response has come. */
  async function saveAll(root) {
    for (const unit of failed) save(unit)
    for (;;) {
      for (const unit of [...waiting.keys()]) if (!sent.has(unit)) save(unit)
      if (sent.size === 0) return
      await new Promise((resolve) => root.addEventListener('settled', resolve, { once: true }))
    }
  }

  /** Holds an event that would replace `part` of the page until everything in it is saved, and stops it if that fails. */
  async function hold(event, root, { part, repeat }) {
    if (!part || unsavedIn(root).every((unit) => !part.contains(unit))) return
    event.preventDefault()
    event.stopImmediatePropagation()
    await saveAll(root)
    const unit = unsavedIn(root).find((unit) => part.contains(unit))
    if (unit) show(unit)
    else repeat()
  }

  return {
    init() {
      const { signal } = listeners
      const root = this.$root
      const on = (type, listen) => document.addEventListener(type, listen, { signal, capture: true })
      on('click', (event) => hold(event, root, leavingByClick(event)))
      on('submit', (event) => hold(event, root, leavingBySubmit(event)))
      on('htmx:config:request', (event) => hold(event, root, replacing(event.detail.ctx)))
      on('htmx:after:swap', () => settle(root))
      on('htmx:finally:request', ({ target, detail }) => {
        const unit = target.closest?.('[data-autosave]')
        if (unit && sent.get(unit) === target) fail(unit, detail.ctx.response ? 'Not saved.' : NO_RESPONSE)
        tell(root)
        root.dispatchEvent(new CustomEvent('settled'))
      })
      addEventListener('pagehide', () => this.saveNow(), { signal })
      // A reload asks for the new page before it hides this one.
      const leave = (event) => {
        for (const unit of [...waiting.keys()]) save(unit)
        if (unsavedIn(root).length > 0 || root.querySelector('[data-unfinished]')) event.preventDefault()
      }
      addEventListener('beforeunload', leave, { signal })
    },

    typing({ target }) {
      const unit = target.closest('[data-autosave]')
      if (unit) saveSoon(unit)
      // A field that a button saves is not said to be saved.
      tell(this.$root, unit ? 'Saved' : '')
    },

    // Its panel was closed, or replaced by the response to a form.
    destroy() {
      listeners.abort()
      this.saveNow()
      for (const timer of waiting.values()) clearTimeout(timer)
    },

    // A page that goes away cannot wait for a response.
    saveNow() {
      const isClosed = !this.$root.isConnected
      for (const unit of new Set([...waiting.keys(), ...failed])) {
        clearTimeout(waiting.get(unit))
        if (!isClosed && !unit.isConnected) continue
        navigator.sendBeacon(stateOf(unit).getAttribute('hx-post'), fieldsOf(unit))
      }
      waiting.clear()
    },
  }
}

/** Opens the folds that were open before. */
function reopen(before, now) {
  const folds = now.querySelectorAll('details')
  for (const [i, { open }] of before.querySelectorAll('details').entries())
    if (open && folds[i]) folds[i].open = true
}

/** What a click on a link replaces, if htmx does not follow it. */
function leavingByClick(event) {
  const link = event.target.closest('a[href]')
  const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0 || link?.target
  const isHere = link?.hash && link.href.split('#')[0] === location.href.split('#')[0]
  if (!link || isElsewhere || isHere || link.matches('[hx-get]')) return {}
  return { part: document, repeat: () => link.click() }
}

/** What a form replaces, if htmx does not send it. */
function leavingBySubmit({ target, submitter }) {
  if (target.matches('[hx-get], [hx-post]')) return {}
  return { part: document, repeat: () => target.requestSubmit(submitter) }
}

/** What the response to a request of htmx replaces. A choice between two texts is what settles an unsaved one. */
function replacing({ sourceElement, sourceEvent, target }) {
  const { type, submitter } = sourceEvent
  if (type === 'autosave' || (submitter ?? sourceElement).closest('.clash')) return {}
  const repeat = () =>
    type === 'submit'
      ? sourceElement.requestSubmit(submitter)
      : sourceElement.dispatchEvent(new Event(type, { bubbles: true }))
  return { part: target, repeat }
}

/** Leads the author to what is not saved. */
function show(unit) {
  openFolds(unit)
  const control =
    unit.querySelector('.clash button') ?? unit.querySelector('input:not([type="hidden"]), textarea')
  control.scrollIntoView({ block: 'center' })
  control.focus({ preventScroll: true })
}

/** The fields of a unit: some of the form that it is in, or all of the form that is in it. */
function fieldsOf(unit) {
  const fields = new FormData(unit.closest('form') ?? unit.querySelector('form'))
  const names = new Set([...unit.querySelectorAll('[name]')].map(({ name }) => name))
  for (const name of new Set(fields.keys())) if (!names.has(name)) fields.delete(name)
  return fields
}
