/** How a list is looked at: what is chosen is shown at once. Typed words wait for Enter. */
export const view = () => ({
  show({ target }) {
    if (target.matches('select')) this.$root.requestSubmit()
  },
})
