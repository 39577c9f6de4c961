// Watches the story: htmx swaps in what its stream of events brings. The stream is open while the page is visible, and also
// hidden while a turn runs.

/** Milliseconds without an event, of which there is one every 5 s, after which a stream is dead. */
const SILENCE = 15_000
const ASK_AGAIN = 1_000
const LOAD_AGAIN = 2_000

const CONNECTION_LOST =
  'The connection to Inglenook was lost. Your line is saved; this page updates when Inglenook is back.'
const GONE = 'This story was deleted.'

/** The panels that show the story. */
const PANELS = ['contents', 'history', 'insights', 'memory']

const events = document.querySelector('#events')
let connection = null
let heard = Date.now()
/** The stream is closed until the page is used again. */
let isResting = false
let isLost = false
/** This page has sent a form, whose answer says what it did. */
let isOwn = false
let hasHeard = false
/** The stream of this page does not arrive, so the page is loaded again as without script. */
let isDeaf = sessionStorage.getItem('deaf') === location.pathname

if (events) {
  events.addEventListener('htmx:sse:before:connection', ({ detail }) => {
    if (isResting) detail.connection.cancelled = true
    else connection = detail.connection
  })
  events.addEventListener('htmx:sse:before:message', hear)
  events.addEventListener('htmx:sse:close', () => (connection = null))
  events.addEventListener('htmx:sse:error', ({ detail }) => (detail.status === 404 ? gone() : lose()))
  events.addEventListener('htmx:response:error', ({ detail }) => detail.ctx.response.status === 404 && gone())
  events.addEventListener('htmx:error', lose)
  events.addEventListener('closed', ({ detail }) => {
    isResting = true
    if (detail.data === 'gone') gone()
  })
  document.addEventListener('visibilitychange', () => (document.hidden ? rest() : use()))
  addEventListener('online', reopen)
  addEventListener('pageshow', ({ persisted }) => persisted && reopen())
  for (const type of ['focus', 'pointerdown', 'keydown']) addEventListener(type, use)
  document.addEventListener('htmx:before:request', ({ target }) => (isOwn ||= target.matches('form')))
  events.addEventListener('story-changed', ({ detail }) => changed(detail.data))
  document.addEventListener(
    'htmx:after:request',
    ({ target }) => isDeaf && target.matches('form, .suggest') && location.reload(),
  )
  setTimeout(() => !hasHeard && listenInVain(), SILENCE)
  setInterval(() => isDeaf && document.querySelector('#telling') && location.reload(), LOAD_AGAIN)
  setInterval(() => !isResting && Date.now() - heard > (isLost ? ASK_AGAIN : SILENCE) && reopen(), ASK_AGAIN)
}

function changed(act) {
  if (act && !isOwn) say(act)
  isOwn = false
  const panel = document.querySelector('#panel')
  const head = panel?.querySelector('[data-panel]')
  if (!PANELS.includes(head?.dataset.panel) || head.getBoundingClientRect().top < 0 || isInUse(panel)) return
  const url = `${location.pathname}?panel=${head.dataset.panel}`
  window.htmx.ajax('GET', url, { target: '#panel', select: '#panel', swap: 'outerHTML' })
}

/** Whether the reader is about to use or to write something in a panel. */
function isInUse(panel) {
  const fields = [...panel.querySelectorAll('input:not([type="hidden"]), textarea')]
  return (
    panel.contains(document.activeElement) ||
    panel.querySelector('details[open]') !== null ||
    fields.some((field) => field.value !== field.defaultValue)
  )
}

function hear() {
  hasHeard = true
  isDeaf = false
  sessionStorage.removeItem('deaf')
  heard = Date.now()
  if (isLost) say('')
  isLost = false
}

function lose() {
  if (isResting || isDeaf) return
  isLost = true
  heard = Date.now()
  say(CONNECTION_LOST)
}

/** A page whose stream has never arrived, although its service answers. */
async function listenInVain() {
  const { ok } = await fetch(location.href, { method: 'HEAD' }).catch(() => ({ ok: false }))
  if (!ok || hasHeard) return
  isDeaf = true
  say('')
  sessionStorage.setItem('deaf', location.pathname)
}

function say(words) {
  document.querySelector('#phase')?.replaceChildren(words)
  document.querySelector('#waited')?.replaceChildren()
}

function gone() {
  isResting = true
  events.remove()
  document.querySelector('#notice')?.replaceChildren(GONE)
}

function rest() {
  if (document.querySelector('#telling')) return
  isResting = true
  connection?.reader?.cancel()
}

function use() {
  if (!isResting || document.hidden || !events.isConnected) return
  isResting = false
  reopen()
}

/** Opens the stream anew; a dead one gives no error. */
function reopen() {
  heard = Date.now()
  if (connection?.delayCanceller) connection.delayCanceller()
  else if (connection) connection.reader?.cancel()
  else events.dispatchEvent(new Event('connect'))
}
