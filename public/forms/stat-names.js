// What a check can add is called as its stat is, while its author names it.

document.addEventListener('input', ({ target: { name, value } }) => {
  if (!name?.startsWith('name:') || value.trim() === '') return
  const path = CSS.escape(name.slice('name:'.length))
  for (const option of document.querySelectorAll(`#schema-form option[value="${path}"]`)) {
    option.textContent = value + (option.dataset.of ?? '')
    option.disabled = false
  }
})
