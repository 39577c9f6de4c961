// The scripts of every page, which get them in one file (`src/http/client-script.ts`). All actions are the server's, and
// every page works without them.
import './announce.js'
import './drop-file.js'
import './listen.js'
import './inert-behind-panel.js'
import './focus.js'
import './live-stats.js'
import './shortcuts.js'
import './keep-unsaved.js'
import './passage-links.js'
import './swipe.js'
import './start-htmx.js'
import './start-alpine.js'
