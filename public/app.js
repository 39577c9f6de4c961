// What lives in the page alone. Every deed is the server's, and every page works without these files.
import './announce.js'
import './bring.js'
import { composer } from './composer.js'
import './cover.js'
import './focus.js'
import { autosave, kept } from './kept.js'
import './keys.js'
import { picture } from './picture.js'
import { reader } from './reader.js'
import './typed.js'

document.addEventListener('alpine:init', () => {
  for (const [name, component] of Object.entries({ autosave, composer, kept, picture, reader }))
    window.Alpine.data(name, component)
})
