// The scripts of every page, which get them in one file (`src/http/client-script.ts`). All actions are the server's, and
// every page works without them.
import './story/announce.js'
import './forms/drop-file.js'
import './story/listen.js'
import './page/inert-behind-panel.js'
import './page/focus.js'
import './story/live-stats.js'
import './page/shortcuts.js'
import './forms/keep-unsaved.js'
import './story/passage-links.js'
import './story/swipe.js'
import './page/start-htmx.js'
import './page/start-alpine.js'
