/** A file that is dropped or pasted anywhere on the page of the library is looked into. */
export const bring = () => ({
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
})
