// Starts Alpine with our components. The pages' content policy allows no `eval`, and their expressions are single names, so
// looking a name up is all that evaluating takes. The build of Alpine for such policies reads every property of `window` when
// it starts, which is half of what the script of a page costs.

import Alpine from 'alpinejs'
import { autosave } from '../forms/autosave.js'
import { picture } from '../forms/cover-upload.js'

Alpine.setEvaluator((element, expression) => (receive, { scope = {}, params = [] } = {}) => {
  const data = Alpine.mergeProxies([scope, ...Alpine.closestDataStack(element)])
  const value = typeof expression === 'function' ? expression : data[expression]
  receive(typeof value === 'function' ? value.apply(data, params) : value)
})

for (const [name, component] of Object.entries({ autosave, picture })) Alpine.data(name, component)

// hx-alpine-compat looks for it there.
window.Alpine = Alpine
Alpine.start()
