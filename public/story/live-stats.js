// When the world state is replaced, what has changed lights up, and its bar moves from the old value to the new one.

const world = document.getElementById('world')

/** The values last shown, by path. A form shows none, so they are compared with those before it. */
const shown = new Map()

function showChanges() {
  for (const row of world.querySelectorAll('[data-path]')) {
    const { path, value } = row.dataset
    const old = shown.get(path)
    shown.set(path, value)
    if (old === undefined || old === value) continue
    row.classList.add('lit')
    const bar = row.querySelector('meter')
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
