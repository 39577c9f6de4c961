import { createHash } from 'node:crypto'
import type { PortableActions, PortableAdventure } from '../../domain/portable/portable.ts'
import { storyLanguage } from '../book/language.ts'
import { passageXml } from '../book/passage-markup.ts'
import { type BookOptions, passagesOf, titleOf } from '../book/passages.ts'
import { element, type XmlMarkup } from '../book/xml.ts'

// No character in it may need to be escaped: inside <style> HTML reads none.
const STYLE = `
:root { color-scheme: light dark; --paper: #fbf8f2; --ink: #26221c; --faint: #6b6257; --line: #d9d0c0 }
@media (prefers-color-scheme: dark) { :root { --paper: #1b1916; --ink: #e8e1d5; --faint: #a89d8c; --line: #3d382f } }
body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 38rem; background: var(--paper); color: var(--ink);
  font: 1.125rem/1.65 Georgia, serif }
h1 { line-height: 1.2 }
img { display: block; max-width: 100%; height: auto; border-radius: .5rem }
p { overflow-wrap: anywhere }
hr { border: 0; border-top: 1px solid var(--line); margin: 2rem 25% }
blockquote { margin: 1.5rem 0; padding-inline-start: 1rem; border-inline-start: .2rem solid var(--line); color: var(--faint) }
details, .changes, .about { color: var(--faint); font: .875rem/1.5 system-ui, sans-serif }
details { margin: 1rem 0; padding-inline-start: 1rem; border-inline-start: .2rem solid var(--line) }
.changes { padding: 0; list-style: none }
@media print {
  :root { color-scheme: light }
  body { max-width: none; padding: 0; font-size: 11pt }
  p { orphans: 2; widows: 2 }
  h1, hr { break-after: avoid }
  img { max-height: 12cm }
  @page { margin: 2cm }
}
`

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** A story as one page that needs nothing else: no script, no other file, no network. `cover` is a data URI or ''. */
export function* makeHtml(
  adventure: PortableAdventure<PortableActions>,
  options: BookOptions,
  cover: string,
): Generator<string> {
  const title = titleOf(adventure)
  const language = storyLanguage(adventure)
  const page = element(
    'html',
    { lang: language },
    element(
      'head',
      {},
      element('meta', { charset: 'utf-8' }),
      element('meta', { 'http-equiv': 'Content-Security-Policy', content: POLICY }),
      element('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      element('title', {}, title),
      element('style', {}, STYLE),
    ),
    element(
      'body',
      {},
      element(
        'header',
        {},
        cover === '' ? [] : element('img', { src: cover, alt: '' }),
        element('h1', { dir: 'auto' }, title),
      ),
      element('main', {}),
    ),
  )
  const end = page.markup.lastIndexOf('</main>')
  yield `<!doctype html>\n${page.markup.slice(0, end)}`
  for (const passage of passagesOf(adventure, options, language))
    yield `\n${passageXml(passage, folded).markup}`
  yield `${page.markup.slice(end)}\n`
}

const folded = (label: string, shown: XmlMarkup[]) =>
  element('details', {}, element('summary', {}, label), shown)
