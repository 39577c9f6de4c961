// Watches the story: htmx swaps in what its stream of events brings. The stream is open while the page is visible, and also
// hidden while a turn runs.

/** Milliseconds without an event, of which there is one every 5 s, after which a stream is dead. */
const SILENCE = 15_000
const ASK_AGAIN = 1_000

const CONNECTION_LOST =
  'The connection to Inglenook was lost. Your line is saved; this page updates when Inglenook is back.'
const GONE = 'This story was deleted.'

const events = document.querySelector('#events')
let connection = null
let heard = Date.now()
/** The stream is closed until the page is used again. */
let isResting = false
let isLost = false

if (events) {
  events.addEventListener('htmx:sse:before:connection', ({ detail }) => {
    if (isResting) detail.connection.cancelled = true
    else connection = detail.connection
  })
  events.addEventListener('htmx:sse:after:connection', hear)
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
  setInterval(() => !isResting && Date.now() - heard > (isLost ? ASK_AGAIN : SILENCE) && reopen(), ASK_AGAIN)
}

function hear() {
  heard = Date.now()
  if (isLost) say('')
  isLost = false
}

function lose() {
  if (isResting) return
  isLost = true
  heard = Date.now()
  say(CONNECTION_LOST)
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
