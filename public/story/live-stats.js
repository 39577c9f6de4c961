// When the world state is replaced, what has changed lights up, and its bar moves from the old value to the new one.

const world = document.getElementById('world')

/** The values last shown, by path. A form shows none, so they are compared with those before it. */
const shown = new Map()
/** The paths that changed last, and when: they stay lit if the same values are shown again. */
let lit = []
let since = 0
const LIT = 2_000

function showChanges() {
  const rows = [...world.querySelectorAll('[data-path]')]
  const changed = rows.filter(({ dataset: { path, value } }) => shown.has(path) && shown.get(path) !== value)
  if (changed.length > 0) since = Date.now()
  if (changed.length > 0) lit = changed.map(({ dataset }) => dataset.path)
  else if (Date.now() - since > LIT) lit = []
  for (const row of rows) {
    const { path, value } = row.dataset
    const old = shown.get(path)
    shown.set(path, value)
    row.classList.toggle('lit', lit.includes(path))
    const bar = changed.includes(row) ? row.querySelector('meter') : null
    if (bar === null) continue
    bar.value = old
    // The old width is laid out, so that the new one is a transition from it.
    bar.getBoundingClientRect()
    bar.value = value
  }
}

if (world) {
  showChanges()
  new MutationObserver(showChanges).observe(world, { childList: true })
}
