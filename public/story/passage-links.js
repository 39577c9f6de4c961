// A link from a passage to itself, with all its tools or as an edit form, replaces only that passage. A page has so many of
// them that they have no attributes of htmx of their own.

document.addEventListener('click', (event) => {
  const link = event.target.closest?.('#story article a[href]')
  const passage = link?.closest('article')
  if (!passage || link.hash !== `#${passage.id}` || !isPlain(event)) return
  event.preventDefault()
  window.htmx.ajax('GET', link.pathname + link.search, { source: link, target: passage, swap: 'outerHTML' })
})

/** Whether the link is followed here, not in another tab. */
function isPlain({ button, ctrlKey, metaKey, shiftKey, altKey, defaultPrevented }) {
  return button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey && !defaultPrevented
}
