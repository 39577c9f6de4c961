// Saves what is typed a moment after the last key, and when the page goes away. A unit is what is saved in one request:
// an element with `data-autosave`, its fields, and inside it the state element that the response replaces. Whether all units
// are saved is said in one place, the element with `data-saving`; a unit itself says only why it is not.

import { DEBOUNCE } from './debounce.js'

const NO_RESPONSE = 'Not saved: Inglenook is not responding. Your text stays here.'

export const autosave = () => {
  /** Units that wait for a pause in the typing, with their timers. */
  const waiting = new Map()
  /** Units on their way, with the state element that the response will replace. */
  const sent = new Map()
  /** Units that could not be sent. */
  const failed = new Set()
  const listeners = new AbortController()

  const stateOf = (unit) => unit.querySelector('[hx-trigger="autosave"]')
  const setStatus = (unit, text) => {
    stateOf(unit).querySelector('[role="status"]').textContent = text
  }

  function tell(root) {
    const isRefused = failed.size > 0 || root.querySelector('[data-refused]') !== null
    const isBusy = waiting.size > 0 || sent.size > 0
    const said = root.querySelector('[data-saving]')
    const words = isBusy ? 'Saving…' : isRefused ? 'Not saved' : 'Saved'
    if (said.textContent !== words) said.textContent = words
  }

  /** Forgets the units whose response has come, or that a button has replaced. */
  function settle(root) {
    const settled = [...sent].filter(([, state]) => !state.isConnected)
    for (const [unit] of settled) sent.delete(unit)
    for (const unit of failed) if (!unit.isConnected) failed.delete(unit)
    if (root.querySelector('[data-saving]').textContent !== '') tell(root)
    if (settled.length > 0) root.dispatchEvent(new CustomEvent('saved'))
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
    // A button has replaced it, with all that was typed.
    if (!unit.isConnected) return waiting.delete(unit)
    // The response on its way brings the version that the next request needs.
    if (sent.get(unit) === state) return saveSoon(unit)
    waiting.delete(unit)
    failed.delete(unit)
    sent.set(unit, state)
    state.dispatchEvent(new CustomEvent('autosave'))
  }

  return {
    init() {
      const { signal } = listeners
      addEventListener('pagehide', () => this.saveNow(), { signal })
      document.addEventListener('htmx:after:swap', () => settle(this.$root), { signal })
      addEventListener('beforeunload', (event) => failed.size > 0 && event.preventDefault(), { signal })
      this.$root.addEventListener('htmx:error', ({ target }) => {
        const unit = target.closest('[data-autosave]')
        if (!unit) return
        sent.delete(unit)
        failed.add(unit)
        setStatus(unit, NO_RESPONSE)
        tell(this.$root)
      })
    },

    typing({ target }) {
      const unit = target.closest('[data-autosave]')
      if (!unit) return
      saveSoon(unit)
      tell(this.$root)
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

/** The fields of a unit: some of the form that it is in, or all of the form that is in it. */
function fieldsOf(unit) {
  const fields = new FormData(unit.closest('form') ?? unit.querySelector('form'))
  const names = new Set([...unit.querySelectorAll('[name]')].map(({ name }) => name))
  for (const name of new Set(fields.keys())) if (!names.has(name)) fields.delete(name)
  return fields
}
