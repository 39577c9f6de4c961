// Starts htmx at once, so that no early press sends a form without it, and only on the elements that use it. By itself it
// would start in a later task, and read every attribute of the page in search of one that no page has (hx-on).

for (const element of document.querySelectorAll('[hx-get], [hx-post], #events')) window.htmx.process(element)

document.addEventListener('htmx:before:process', (event) => {
  if (event.target === document.body) event.preventDefault()
})
