import type { PortableActions, PortableAdventure } from '../../domain/portable/portable.ts'
import { sha256 } from '../../lib/hash.ts'
import { branchMap } from '../book/branch-map.ts'
import { type BookChapter, chaptersIn, headedPassages, lanesIn } from '../book/chapters.ts'
import { contentsList, contentsOf } from '../book/contents.ts'
import { bookLanguage } from '../book/language.ts'
import { passageXml } from '../book/passage-markup.ts'
import { type BookOptions, titleOf } from '../book/passages.ts'
import { element, type XmlMarkup } from '../book/xml.ts'

// No character in it may need to be escaped: inside <style> HTML reads none. Each printed page has the title at its top.
const styleOf = (title: string) => `
:root { color-scheme: light dark; --paper: #fbf8f2; --ink: #26221c; --faint: #6b6257; --line: #d9d0c0 }
@media (prefers-color-scheme: dark) { :root { --paper: #1b1916; --ink: #e8e1d5; --faint: #a89d8c; --line: #3d382f } }
body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 38rem; background: var(--paper); color: var(--ink);
  font: 1.125rem/1.65 Georgia, serif }
h1, h2 { line-height: 1.2 }
h2 { margin: 4rem 0 1.5rem }
nav a { color: inherit }
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
  h1, h2, h3, h4, h5, h6, hr { break-after: avoid }
  h2 { break-before: page }
  nav a { color: inherit; text-decoration: none }
  img { max-height: 12cm }
  @page { margin: 2cm; @top-center { content: '${cssText(title)}' } @bottom-center { content: counter(page) } }
  @page :first { @top-center { content: none } }
}
`

/** A text inside a string of CSS, with all but letters and digits as escapes (CSS Syntax 3, 4.3.7). */
function cssText(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, (character) => `\\${character.codePointAt(0)?.toString(16)} `)
}

const policyOf = (style: string) =>
  [
    "default-src 'none'",
    `style-src 'sha256-${sha256(style, 'base64')}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')

/** The parts of a page besides its story. */
interface WebEdition {
  /** A data URI; '' for none. */
  cover: string
  /** In order. */
  chapters: readonly BookChapter[]
}

/** A story as one page that needs nothing else: no script, no other file, no network. */
export function* makeHtml(
  adventure: PortableAdventure<PortableActions>,
  options: BookOptions,
  { cover, chapters }: WebEdition,
): Generator<string> {
  const title = titleOf(adventure)
  const language = bookLanguage(adventure, options)
  const shown = chaptersIn(chapters, options, language)
  const style = styleOf(title)
  const page = element(
    'html',
    { lang: language.language },
    element(
      'head',
      {},
      element('meta', { charset: 'utf-8' }),
      element('meta', { 'http-equiv': 'Content-Security-Policy', content: policyOf(style) }),
      element('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      element('title', {}, title),
      element('style', {}, style),
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
      lanesIn(shown).length > 0 ? branchMap(lanesIn(shown)) : [],
      shown.length > 1 ? contents(shown) : [],
      element('main', {}),
    ),
  )
  const end = page.markup.lastIndexOf('</main>')
  yield `<!doctype html>\n${page.markup.slice(0, end)}`
  for (const { chapter, passage } of headedPassages(adventure, options, { language, chapters: shown })) {
    if (chapter) yield `\n${heading(chapter)}`
    if (passage) yield `\n${passageXml(passage, folded).markup}`
  }
  yield `${page.markup.slice(end)}\n`
}

function contents(chapters: readonly BookChapter[]): XmlMarkup {
  const items = contentsList(contentsOf(chapters), (chapter) => `#${anchorOf(chapter)}`)
  return element('nav', { 'aria-label': 'Contents' }, element('ol', {}, items))
}

function heading(chapter: BookChapter): string {
  const { markup } = element('h2', { id: anchorOf(chapter), dir: 'auto' }, chapter.name)
  const origin = chapter.branch?.origin ?? ''
  return origin === '' ? markup : `${markup}\n${element('p', { class: 'about', dir: 'auto' }, origin).markup}`
}

function anchorOf({ index, branch }: BookChapter): string {
  return branch ? `branch-${branch.lane.row + 1}` : `chapter-${index}`
}

const folded = (label: string, shown: XmlMarkup[]) =>
  element('details', {}, element('summary', {}, label), shown)
