// Saves each form with `data-autosave` a moment after the last key: all its fields in one request, with the version that the
// form shows. The response replaces the state of the form, which has the next version and says why something is not saved.
// One place says if everything is saved: the element with `data-saving`.

import { openFolds } from '../page/focus.js'
import { DEBOUNCE } from './debounce.js'

const NO_RESPONSE = 'Not saved: Inglenook is not responding. Your text stays here.'
/** Milliseconds after which a form that could not be sent is sent again. */
const RETRY = 4_000

export const autosave = () => {
  /** Forms with text that was not sent. */
  const edited = new Set()
  /** Forms that are being sent, with the promise that all their text has been. */
  const saving = new Map()
  const timers = new WeakMap()
  const listeners = new AbortController()
  let root

  function saveSoon(form, delay = DEBOUNCE) {
    edited.add(form)
    clearTimeout(timers.get(form))
    timers.set(
      form,
      setTimeout(() => save(form), delay),
    )
  }

  function save(form) {
    if (!saving.has(form)) saving.set(form, send(form))
    return saving.get(form)
  }

  async function send(form) {
    while (edited.delete(form) && form.isConnected) {
      clearTimeout(timers.get(form))
      const state = stateOf(form)
      let words = NO_RESPONSE
      state.addEventListener('htmx:before:response', () => (words = 'Not saved.'))
      await window.htmx.ajax('POST', form.getAttribute('action'), {
        source: state,
        target: state,
        swap: 'outerHTML',
      })
      if (state.isConnected) {
        state.dataset.refused = ''
        state.querySelector('[role="status"]').textContent = words
        saveSoon(form, RETRY)
        break
      }
      reopen(state, stateOf(form))
      root.dispatchEvent(new CustomEvent('saved'))
    }
    saving.delete(form)
    if (root.isConnected) tell()
  }

  /** Sends a form now, with the version of the button that was pressed. */
  function submit({ target: form, submitter }) {
    if (submitter?.name === 'version') stateOf(form).querySelector('[name="version"]').value = submitter.value
    edited.add(form)
    save(form)
  }

  const unsavedIn = (part) =>
    [...document.querySelectorAll('[data-autosave]')].filter(
      (form) =>
        part.contains(form) && (edited.has(form) || saving.has(form) || form.querySelector('[data-refused]')),
    )

  function tell(done = 'Saved') {
    const said = root.querySelector('[data-saving]')
    const unsaved = unsavedIn(root)
    const isRefused = unsaved.some((form) => form.querySelector('[data-refused]'))
    const words = isRefused ? 'Not saved' : unsaved.length > 0 ? 'Saving…' : done
    if (said.textContent !== words) said.textContent = words
  }

  /** Delays an event that would replace a part of the page until everything in it is saved, and drops it if that fails. */
  async function hold(event, { part, repeat }) {
    if (!part || unsavedIn(part).length === 0) return
    event.preventDefault()
    event.stopImmediatePropagation()
    await Promise.all([...edited, ...saving.keys()].map(save))
    const [form] = unsavedIn(part)
    if (form) show(form)
    else repeat()
  }

  return {
    init() {
      const { signal } = listeners
      root = this.$root
      const on = (type, listen) => document.addEventListener(type, listen, { signal, capture: true })
      on('click', (event) => hold(event, leavingByClick(event)))
      on('submit', (event) => {
        const { target, submitter } = event
        if (!target.matches('[data-autosave]') || submitter?.name === 'do')
          return hold(event, leavingBySubmit(event))
        event.stopImmediatePropagation()
        event.preventDefault()
        submit(event)
      })
      on('htmx:config:request', (event) => hold(event, replacing(event.detail.ctx)))
      // A text was chosen from two, or a button has replaced the form.
      on('htmx:after:swap', () => root.querySelector('[data-saving]').textContent && tell())
      addEventListener('pagehide', () => this.saveNow(), { signal })
      // A reload asks for the new page before it hides this one.
      const leave = (event) => {
        for (const form of edited) save(form)
        if (unsavedIn(root).length > 0 || root.querySelector('[data-unfinished]')) event.preventDefault()
      }
      addEventListener('beforeunload', leave, { signal })
    },

    typing({ target }) {
      const form = target.closest('[data-autosave]')
      if (form) saveSoon(form)
      // A field that a button saves is not said to be saved.
      tell(form ? 'Saved' : '')
    },

    // Its panel was closed, or replaced by the response to a form.
    destroy() {
      listeners.abort()
      this.saveNow()
    },

    // A page that goes away cannot wait for a response.
    saveNow() {
      for (const form of edited) {
        clearTimeout(timers.get(form))
        navigator.sendBeacon(form.getAttribute('action'), new FormData(form))
      }
      edited.clear()
    },
  }
}

function stateOf(form) {
  return form.querySelector('[data-state]')
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
  if ((submitter ?? sourceElement).closest('.clash')) return {}
  const repeat = () =>
    type === 'submit'
      ? sourceElement.requestSubmit(submitter)
      : sourceElement.dispatchEvent(new Event(type, { bubbles: true }))
  return { part: target, repeat }
}

/** Leads the author to what is not saved. */
function show(form) {
  openFolds(form)
  const control =
    form.querySelector('.clash button') ?? form.querySelector('input:not([type="hidden"]), textarea')
  control.scrollIntoView({ block: 'center' })
  control.focus({ preventScroll: true })
}
