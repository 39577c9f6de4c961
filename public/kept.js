import { REST } from './rest.js'

const NO_ANSWER = 'Not saved: Inglenook does not answer. Your words stay here.'

/** A long form that is kept a moment after the last key, and when its page goes away. */
export const autosave = () => {
  let timer = 0
  /** The state that an answer on its way replaces: it brings what the next one needs. */
  let sent = null
  /** What was typed last could not be sent. */
  let failed = false
  const gone = new AbortController()
  return {
    init() {
      const { signal } = gone
      addEventListener('pagehide', () => this.keepNow(), { signal })
      addEventListener('beforeunload', (event) => failed && event.preventDefault(), { signal })
      this.$root.addEventListener('htmx:error', ({ target }) => {
        if (target !== sent) return
        sent = null
        failed = true
        const status = target.matches('[role="status"]') ? target : target.querySelector('[role="status"]')
        status.textContent = NO_ANSWER
      })
    },

    typing() {
      clearTimeout(timer)
      timer = setTimeout(() => {
        const state = this.$root.querySelector('[hx-trigger="autosave"]')
        if (state === sent) return this.typing()
        timer = 0
        failed = false
        sent = state
        state.dispatchEvent(new CustomEvent('autosave'))
      }, REST)
    },

    // Its panel is closed. A form with fields elsewhere says less than all, and is sent by what takes its place.
    destroy() {
      gone.abort()
      const form = this.$root.querySelector('form')
      if (!document.querySelector(`[form="${form.id}"]`)) this.keepNow()
      clearTimeout(timer)
    },

    keepNow() {
      if (!timer && !failed) return
      clearTimeout(timer)
      timer = 0
      const form = this.$root.querySelector('form')
      navigator.sendBeacon(form.getAttribute('action').split('#')[0], new FormData(form))
    },
  }
}

/** A form whose fields are kept one by one, a moment after the last key in each, and when the page goes away. */
export const kept = () => {
  /** Fields that wait for a pause, with their timers. */
  const waiting = new Map()
  /** Fields on their way, with the state that the answer replaces. */
  const sent = new Map()
  /** Fields that could not be sent. */
  const failed = new Set()
  const gone = new AbortController()

  const stateOf = (field) => field.querySelector('.kept-state')
  const say = (field, words) => {
    stateOf(field).querySelector('[role="status"]').textContent = words
  }

  function keepSoon(field) {
    clearTimeout(waiting.get(field))
    waiting.set(
      field,
      setTimeout(() => keep(field), REST),
    )
  }

  function keep(field) {
    const state = stateOf(field)
    // What is on its way comes back with the mark that the next one needs.
    if (sent.get(field) === state) return keepSoon(field)
    waiting.delete(field)
    failed.delete(field)
    sent.set(field, state)
    state.dispatchEvent(new CustomEvent('keep'))
  }

  return {
    init() {
      const { signal } = gone
      addEventListener('pagehide', () => this.keepNow(), { signal })
      addEventListener('beforeunload', (event) => failed.size > 0 && event.preventDefault(), { signal })
      this.$root.addEventListener('htmx:error', ({ target }) => {
        const field = target.closest('.kept')
        if (!field) return
        sent.delete(field)
        failed.add(field)
        say(field, NO_ANSWER)
      })
    },

    typing({ target }) {
      const field = target.closest('.kept')
      if (!field) return
      say(field, 'Not saved yet.')
      keepSoon(field)
    },

    // Its panel is closed.
    destroy() {
      gone.abort()
      this.keepNow()
    },

    // A page that goes away has no time for an answer.
    keepNow() {
      const all = new FormData(this.$root)
      for (const field of new Set([...waiting.keys(), ...failed])) {
        clearTimeout(waiting.get(field))
        const { only: name } = JSON.parse(stateOf(field).getAttribute('hx-vals'))
        const one = new FormData()
        for (const key of [name, `seen-${name}`]) one.set(key, all.get(key))
        navigator.sendBeacon(this.$root.getAttribute('action'), one)
      }
      waiting.clear()
    },
  }
}
