import { createHash } from 'node:crypto'
import type { PortableActions, PortableAdventure } from '../../domain/portable/portable.ts'
import { passageXml } from '../book/passage-markup.ts'
import { type BookOptions, type BookPassage, passagesOf, titleOf } from '../book/passages.ts'
import { type Content, element, type XmlMarkup } from '../book/xml.ts'
import { makeZip, type ZipEntry } from './make-zip.ts'

/** Passages in one part of a book: few enough for any reading device. */
const PART = 40

/** No tongue is known: the story does not tell (BCP 47, "und"). */
const LANGUAGE = 'und'

const STYLE = `blockquote { margin: 1em 0; padding-left: 1em; border-left: 2px solid gray }
hr { margin: 1.5em 25% }
img { display: block; max-width: 100%; margin: 0 auto }
.changes { padding: 0; list-style: none; font-size: smaller }
.about { font-size: smaller }
`

/**
 * A story as a book (EPUB 3.3, https://www.w3.org/TR/epub-33/). `cover` is a PNG, or null. Equal stories at one moment
 * give equal books.
 */
export function makeEpub(
  adventure: PortableAdventure<PortableActions>,
  options: BookOptions,
  cover: Uint8Array | null,
  at: Date,
): Generator<Uint8Array> {
  return makeZip(entriesOf(adventure, options, cover, at))
}

function* entriesOf(
  adventure: PortableAdventure<PortableActions>,
  options: BookOptions,
  cover: Uint8Array | null,
  at: Date,
): Generator<ZipEntry> {
  const title = titleOf(adventure)
  // A reader knows the book by its first bytes.
  yield { ...file('mimetype', 'application/epub+zip'), stored: true }
  yield file('META-INF/container.xml', container())
  yield file('book/style.css', STYLE)
  if (cover !== null) yield { name: 'book/cover.png', bytes: cover, stored: true }
  yield file('book/title.xhtml', titlePage(title, cover !== null))
  const headings: string[] = []
  const names: string[] = []
  for (const { heading, passages } of partsOf(passagesOf(adventure, options))) {
    headings.push(heading)
    names.push(`part-${headings.length}.xhtml`)
    yield file(`book/${names.at(-1)}`, partPage(heading, passages))
  }
  yield file('book/nav.xhtml', navigation(title, names, headings))
  yield file('book/package.opf', packageFile(adventure, { title, names, hasCover: cover !== null, at }))
}

function file(name: string, text: string): ZipEntry {
  return { name, bytes: new TextEncoder().encode(text) }
}

// A book must have something to read, and a story may have nothing yet.
function* partsOf(passages: Iterable<BookPassage>): Generator<{ heading: string; passages: BookPassage[] }> {
  let [number, part]: [number, BookPassage[]] = [1, []]
  for (const passage of passages) {
    if (part.length === PART) {
      yield { heading: `Part ${number++}`, passages: part }
      part = []
    }
    part.push(passage)
  }
  yield { heading: number === 1 ? 'The story' : `Part ${number}`, passages: part }
}

function container(): string {
  return document(
    element(
      'container',
      { version: '1.0', xmlns: 'urn:oasis:names:tc:opendocument:xmlns:container' },
      element(
        'rootfiles',
        {},
        element('rootfile', {
          'full-path': 'book/package.opf',
          'media-type': 'application/oebps-package+xml',
        }),
      ),
    ),
  )
}

function packageFile(
  adventure: PortableAdventure<PortableActions>,
  { title, names, hasCover, at }: { title: string; names: readonly string[]; hasCover: boolean; at: Date },
): string {
  const pages = ['title.xhtml', ...names]
  const item = (id: string, href: string, type: string, properties = '') =>
    element('item', { id, href, 'media-type': type, ...(properties === '' ? {} : { properties }) })
  return document(
    element(
      'package',
      { xmlns: 'http://www.idpf.org/2007/opf', version: '3.0', 'unique-identifier': 'id' },
      element(
        'metadata',
        { 'xmlns:dc': 'http://purl.org/dc/elements/1.1/' },
        element('dc:identifier', { id: 'id' }, identifier(adventure)),
        element('dc:title', {}, title),
        element('dc:language', {}, LANGUAGE),
        element('meta', { property: 'dcterms:modified' }, at.toISOString().replace(/\.\d+/, '')),
      ),
      element(
        'manifest',
        {},
        item('nav', 'nav.xhtml', 'application/xhtml+xml', 'nav'),
        item('style', 'style.css', 'text/css'),
        hasCover ? item('cover', 'cover.png', 'image/png', 'cover-image') : [],
        pages.map((name, i) => item(`page-${i}`, name, 'application/xhtml+xml')),
      ),
      element(
        'spine',
        {},
        pages.map((_, i) => element('itemref', { idref: `page-${i}` })),
      ),
    ),
  )
}

/** The same for equal beginnings, so that a reading device knows the book again when it has grown. */
function identifier({ title, actions }: PortableAdventure<PortableActions>): string {
  const [first] = actions
  const beginning = JSON.stringify([title, first?.created_at, first?.text])
  const hash = createHash('sha256').update(beginning).digest('hex')
  // Version 8 of RFC 9562: made by a rule of our own.
  return `urn:uuid:${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}

function navigation(title: string, names: readonly string[], headings: readonly string[]): string {
  const parts = names.map((name, i) => element('li', {}, element('a', { href: name }, headings[i] ?? '')))
  return page(
    title,
    element(
      'nav',
      { 'epub:type': 'toc' },
      element('h1', { dir: 'auto' }, title),
      element('ol', {}, element('li', {}, element('a', { href: 'title.xhtml' }, 'Title')), parts),
    ),
  )
}

function titlePage(title: string, hasCover: boolean): string {
  const cover = hasCover ? element('img', { src: 'cover.png', alt: '' }) : []
  return page(title, cover, element('h1', { dir: 'auto' }, title))
}

function partPage(heading: string, passages: readonly BookPassage[]): string {
  return page(
    heading,
    element('h2', {}, heading),
    passages.map((passage) => ['\n', passageXml(passage, apart)]),
  )
}

const apart = (label: string, shown: XmlMarkup[]) =>
  element('aside', {}, element('p', { class: 'about' }, label), shown)

function page(title: string, ...content: Content[]): string {
  return document(
    element(
      'html',
      { xmlns: 'http://www.w3.org/1999/xhtml', 'xmlns:epub': 'http://www.idpf.org/2007/ops' },
      element(
        'head',
        {},
        element('title', {}, title),
        element('link', { rel: 'stylesheet', href: 'style.css' }),
      ),
      element('body', {}, ...content),
    ),
  )
}

function document(root: XmlMarkup): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root.markup}\n`
}
