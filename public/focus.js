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

/** What tells a control from all others of the page, before and after it was put in anew. */
function nameOf(control) {
  if (!(control instanceof HTMLElement) || !control.matches('button, a, input, textarea, select')) return ''
  const words = control.getAttribute('aria-label') ?? control.textContent.trim()
  return `${control.tagName} ${control.id || control.getAttribute('name') || ''} ${control.value ?? ''} ${words}`.slice(
    0,
    200,
  )
}
