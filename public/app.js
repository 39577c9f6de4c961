// What lives in the page alone. Every deed is the server's, and every page works without this file.

/** Milliseconds after the last key before a draft is kept. */
const DRAFT_REST = 500
/** Pixels from the end within which a reader is taken along by what is told. */
const NEAR_THE_END = 120

document.addEventListener('alpine:init', () => {
  const { Alpine } = window

  // A file that is dropped or pasted anywhere on the page of the library is looked into.
  Alpine.data('bring', () => ({
    init() {
      addEventListener('dragover', (event) => event.preventDefault())
      addEventListener('drop', (event) => this.take(event, event.dataTransfer.files))
      addEventListener('paste', (event) => this.take(event, event.clipboardData.files))
    },

    take(event, files) {
      if (files.length === 0) return
      event.preventDefault()
      this.$root.querySelector('[name=file]').files = files
      this.$root.requestSubmit()
    },
  }))

  // The composer: sends with Enter, keeps drafts, and empties its field only when the words are stored.
  Alpine.data('composer', () => ({
    sent: '',
    timer: 0,

    init() {
      addEventListener('pagehide', () => this.keepNow())
    },

    field() {
      return this.$root.querySelector('#words')
    },

    typing() {
      clearTimeout(this.timer)
      this.timer = setTimeout(() => this.keep(), DRAFT_REST)
    },

    keep() {
      this.timer = 0
      this.field().dispatchEvent(new CustomEvent('keep-draft'))
    },

    // A page that goes away has no time for an answer.
    keepNow() {
      if (!this.timer) return
      clearTimeout(this.timer)
      navigator.sendBeacon(this.field().getAttribute('hx-post'), new FormData(this.$root))
    },

    // What is sent is kept by the turn; a draft of it would come back from the dead.
    sending() {
      clearTimeout(this.timer)
      this.timer = 0
      this.sent = this.field().value
    },

    // Words typed since then stay.
    stored() {
      if (this.field().value === this.sent) this.field().value = ''
      this.field().focus()
    },

    keydown(event) {
      const isField = event.target === this.field()
      if (!isField || event.key !== 'Enter' || event.shiftKey || event.isComposing) return
      event.preventDefault()
      // The narrator is still speaking: the words wait in the field.
      if (document.querySelector('#telling')) return
      this.$root.requestSubmit(this.$root.querySelector('button.main'))
    },
  }))

  // The story: follows what is told while its reader is near the end, and reads again what broke off.
  Alpine.data('reader', () => ({
    follows: false,
    ended: true,

    init() {
      if (!location.hash && !location.search) scrollTo(0, document.body.scrollHeight)
      const story = this.$root
      story.addEventListener('htmx:sse:before:message', () => {
        this.follows = innerHeight + scrollY > document.body.scrollHeight - NEAR_THE_END
      })
      story.addEventListener('htmx:sse:after:message', () => {
        if (this.follows) scrollTo(0, document.body.scrollHeight)
      })
      story.addEventListener('htmx:sse:before:connection', () => {
        this.ended = false
        // The words that were sent stand at the end: there the reader looks now.
        scrollTo(0, document.body.scrollHeight)
      })
      story.addEventListener('turn-ended', () => {
        this.ended = true
      })
      story.addEventListener('htmx:sse:close', () => this.lookAgain())
      story.addEventListener('htmx:error', () => this.lookAgain())
    },

    // A stream that closed without its end says nothing of how the turn went: the library knows.
    lookAgain() {
      if (this.ended) return
      this.ended = true
      this.$root.querySelector('#look-again').dispatchEvent(new CustomEvent('look-again'))
    },
  }))

  // A form that is put in anew gives the focus to what was added, or back to where it was.
  let focused = ''
  document.addEventListener('focusin', ({ target }) => {
    focused = nameOf(target)
  })
  document.addEventListener('htmx:after:swap', () => {
    if (document.activeElement !== document.body || focused === '') return
    const same = [...document.querySelectorAll('button, a, input, textarea, select')].find(
      (control) => nameOf(control) === focused && !control.disabled,
    )
    same?.focus({ preventScroll: true })
  })

  // A long form that is kept a moment after the last key, and when its page goes away.
  Alpine.data('autosave', () => {
    let timer = 0
    /** The state that an answer on its way replaces: it brings what the next one needs. */
    let sent = null
    return {
      init() {
        addEventListener('pagehide', () => this.keepNow())
        this.$root.addEventListener('htmx:error', () => {
          sent = null
        })
      },

      typing() {
        clearTimeout(timer)
        timer = setTimeout(() => {
          const state = this.$root.querySelector('[hx-trigger="autosave"]')
          if (state === sent) return this.typing()
          timer = 0
          sent = state
          state.dispatchEvent(new CustomEvent('autosave'))
        }, DRAFT_REST)
      },

      keepNow() {
        if (!timer) return
        clearTimeout(timer)
        const form = this.$root.querySelector('form')
        navigator.sendBeacon(form.getAttribute('action').split('#')[0], new FormData(form))
      },
    }
  })

  // A form whose fields are kept one by one, a moment after the last key in each, and when the page goes away.
  Alpine.data('kept', () => {
    /** Fields that wait for a pause, with their timers. */
    const waiting = new Map()
    /** Fields on their way, with the state that the answer replaces. */
    const sent = new Map()
    /** Fields that could not be sent. */
    const failed = new Set()

    const stateOf = (field) => field.querySelector('.kept-state')
    const say = (field, words) => {
      stateOf(field).querySelector('[role="status"]').textContent = words
    }

    function keepSoon(field) {
      clearTimeout(waiting.get(field))
      waiting.set(
        field,
        setTimeout(() => keep(field), DRAFT_REST),
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
        addEventListener('pagehide', () => this.keepNow())
        addEventListener('beforeunload', (event) => failed.size > 0 && event.preventDefault())
        this.$root.addEventListener('htmx:error', ({ target }) => {
          const field = target.closest('.kept')
          if (!field) return
          sent.delete(field)
          failed.add(field)
          say(field, 'Not saved: Inglenook does not answer. Your words stay here.')
        })
      },

      typing({ target }) {
        const field = target.closest('.kept')
        if (!field) return
        say(field, 'Not saved yet.')
        keepSoon(field)
      },

      // A page that goes away has no time for an answer.
      keepNow() {
        const all = new FormData(this.$root)
        for (const field of waiting.keys()) {
          const { only: name } = JSON.parse(stateOf(field).getAttribute('hx-vals'))
          const one = new FormData()
          for (const key of [name, `seen-${name}`]) one.set(key, all.get(key))
          navigator.sendBeacon(this.$root.getAttribute('action'), one)
        }
      },
    }
  })

  // A picture for a cover is made small before it is sent.
  Alpine.data('picture', () => ({
    async shrink(event) {
      const field = event.target
      const [file] = field.files
      if (!file) return
      const bitmap = await createImageBitmap(file).catch(() => null)
      if (!bitmap) return
      const scale = Math.min(1, 400 / Math.max(bitmap.width, bitmap.height))
      const canvas = document.createElement('canvas')
      canvas.width = Math.max(1, Math.round(bitmap.width * scale))
      canvas.height = Math.max(1, Math.round(bitmap.height * scale))
      canvas.getContext('2d').drawImage(bitmap, 0, 0, canvas.width, canvas.height)
      canvas.toBlob(
        (blob) => {
          if (!blob) return
          const small = new DataTransfer()
          small.items.add(new File([blob], 'cover.webp', { type: blob.type }))
          field.files = small.files
        },
        'image/webp',
        0.82,
      )
    },
  }))
})

/** What tells a control from all others of the page, before and after it was put in anew. */
function nameOf(control) {
  if (!(control instanceof HTMLElement) || !control.matches('button, a, input, textarea, select')) return ''
  const words = control.getAttribute('aria-label') ?? control.textContent.trim()
  return `${control.tagName} ${control.id || control.getAttribute('name') || ''} ${control.value ?? ''} ${words}`.slice(
    0,
    200,
  )
}
