import type { Lane } from '../../domain/family/branch-map.ts'
import type { PortableActions, PortableAdventure } from '../../domain/portable/portable.ts'
import { sha256 } from '../../lib/hash.ts'
import { branchMap } from '../book/branch-map.ts'
import { type BookChapter, chaptersIn, headedPassages, lanesIn } from '../book/chapters.ts'
import { contentsList, contentsOf } from '../book/contents.ts'
import { bookLanguage } from '../book/language.ts'
import { isRightToLeft, passageXml } from '../book/passage-markup.ts'
import { type BookOptions, type BookPassage, titleOf } from '../book/passages.ts'
import { type Content, element, type XmlMarkup } from '../book/xml.ts'
import { makeCoverSvg } from '../picture/cover-svg.ts'
import { makeZip, type ZipEntry } from '../zip/make-zip.ts'

/** Passages in one part of a book: few enough for any reading device. */
const PART = 40

/** Vocabulary: https://www.w3.org/community/reports/publishingcg/CG-FINAL-a11y-discov-vocab/ */
const ACCESSIBILITY = [
  ['schema:accessMode', 'textual'],
  ['schema:accessModeSufficient', 'textual'],
  ['schema:accessibilityFeature', 'tableOfContents'],
  ['schema:accessibilityFeature', 'structuralNavigation'],
  ['schema:accessibilityHazard', 'none'],
  ['schema:accessibilitySummary', 'All of the story is text with headings; the cover shows its title.'],
] as const

const STYLE = `blockquote { margin: 1em 0; padding-left: 1em; border-left: 2px solid gray }
blockquote[dir=rtl] { padding: 0 1em 0 0; border-left: 0; border-right: 2px solid gray }
hr { margin: 1.5em 25% }
img { display: block; max-width: 100%; margin: 0 auto }
.changes { padding: 0; list-style: none; font-size: smaller }
.about { font-size: smaller }
`

/** The parts of a book besides its story. */
interface Edition {
  /** A PNG; null for one that is drawn from the title. */
  cover: Uint8Array | null
  /** In order. Without any, there are parts of equal length. */
  chapters: readonly BookChapter[]
  at: Date
}

/**
 * A story as a book (EPUB 3.3, https://www.w3.org/TR/epub-33/; EPUB Accessibility 1.1,
 * https://www.w3.org/TR/epub-a11y-11/). Equal stories at one moment give equal books.
 */
export function makeEpub(
  adventure: PortableAdventure<PortableActions>,
  options: BookOptions,
  edition: Edition,
): Generator<Uint8Array> {
  return makeZip(entriesOf(adventure, options, edition))
}

function* entriesOf(
  adventure: PortableAdventure<PortableActions>,
  options: BookOptions,
  { cover, chapters, at }: Edition,
): Generator<ZipEntry> {
  const language = bookLanguage(adventure, options)
  const book = { title: titleOf(adventure), language: language.language }
  // A reader knows the book by its first bytes.
  yield { ...file('mimetype', 'application/epub+zip'), stored: true }
  yield file('META-INF/container.xml', container())
  yield file('book/style.css', STYLE)
  const shownChapters = chaptersIn(chapters, options, language)
  const coverName = cover === null ? 'cover.svg' : 'cover.png'
  if (cover === null) yield file(`book/${coverName}`, makeCoverSvg(book.title))
  else yield { name: `book/${coverName}`, bytes: cover, stored: true }
  const lanes = lanesIn(shownChapters)
  yield file('book/title.xhtml', titlePage(book, coverName, lanes))
  const names: string[] = []
  const entries: NavigationEntry[] = []
  const of = { language, chapters: shownChapters }
  for (const part of partsOf(headedPassages(adventure, options, of), of.chapters.length > 0)) {
    const file_name = `part-${names.length + 1}.xhtml`
    names.push(file_name)
    if (part.chapter) entries.push({ ...part.chapter, file_name })
    yield file(`book/${file_name}`, partPage(book, part))
  }
  yield file('book/nav.xhtml', navigation(book, entries))
  yield file(
    'book/package.opf',
    packageFile(adventure, { book, names, coverName, at, hasMap: lanes.length > 0 }),
  )
}

/** Facts that every page of a book states. */
interface Book {
  title: string
  /** BCP 47. */
  language: string
}

type NavigationEntry = BookChapter & { file_name: string }

function file(name: string, text: string): ZipEntry {
  return { name, bytes: new TextEncoder().encode(text) }
}

/** A page of a book. One without a chapter goes on with the one before it. */
interface Part {
  chapter: BookChapter | null
  passages: BookPassage[]
}

// A book must have something to read, and a story may have nothing yet.
function* partsOf(all: ReturnType<typeof headedPassages>, hasChapters: boolean): Generator<Part> {
  let number = 1
  const named = (part: Part, name: string) =>
    hasChapters ? part : { ...part, chapter: { index: 0, name, isHeading: false } }
  let part: Part = { chapter: null, passages: [] }
  for (const { chapter, passage } of all) {
    const isEmpty = part.chapter === null && part.passages.length === 0
    if (!isEmpty && (chapter || part.passages.length === PART)) {
      yield named(part, `Part ${number++}`)
      part = { chapter: null, passages: [] }
    }
    if (chapter) part.chapter = chapter
    if (passage) part.passages.push(passage)
  }
  yield named(part, number === 1 ? 'The story' : `Part ${number}`)
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
  {
    book,
    names,
    coverName,
    at,
    hasMap,
  }: { book: Book; names: readonly string[]; coverName: string; at: Date; hasMap: boolean },
): string {
  const pages = ['title.xhtml', ...names]
  const [first] = adventure.actions
  const item = (id: string, href: string, type: string, properties = '') =>
    element('item', { id, href, 'media-type': type, ...(properties === '' ? {} : { properties }) })
  return document(
    element(
      'package',
      {
        xmlns: 'http://www.idpf.org/2007/opf',
        version: '3.0',
        'unique-identifier': 'id',
        'xml:lang': book.language,
      },
      element(
        'metadata',
        { 'xmlns:dc': 'http://purl.org/dc/elements/1.1/' },
        element('dc:identifier', { id: 'id' }, identifier(adventure)),
        element('dc:title', {}, book.title),
        element('dc:language', {}, book.language),
        element('meta', { property: 'dcterms:modified' }, at.toISOString().replace(/\.\d+/, '')),
        ACCESSIBILITY.map(([property, value]) => element('meta', { property }, value)),
      ),
      element(
        'manifest',
        {},
        item('nav', 'nav.xhtml', 'application/xhtml+xml', 'nav'),
        item('style', 'style.css', 'text/css'),
        item('cover', coverName, coverName.endsWith('.png') ? 'image/png' : 'image/svg+xml', 'cover-image'),
        pages.map((name, i) =>
          item(`page-${i}`, name, 'application/xhtml+xml', hasMap && i === 0 ? 'svg' : ''),
        ),
      ),
      element(
        'spine',
        isRightToLeft(first?.text ?? '') ? { 'page-progression-direction': 'rtl' } : {},
        pages.map((_, i) => element('itemref', { idref: `page-${i}` })),
      ),
    ),
  )
}

/** The same for equal beginnings, so that a reading device knows the book again when it has grown. */
function identifier({ title, actions }: PortableAdventure<PortableActions>): string {
  const [first] = actions
  const beginning = JSON.stringify([title, first?.created_at, first?.text])
  const hash = sha256(beginning, 'hex')
  // Version 8 of RFC 9562: made by a rule of our own.
  return `urn:uuid:${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}

function navigation(book: Book, entries: readonly NavigationEntry[]): string {
  const parts = contentsList(contentsOf(entries), ({ file_name }) => file_name)
  return page(
    book,
    book.title,
    element(
      'nav',
      { 'epub:type': 'toc', role: 'doc-toc', 'aria-label': 'Contents' },
      element('h1', { dir: 'auto' }, book.title),
      element('ol', {}, element('li', {}, element('a', { href: 'title.xhtml' }, 'Title')), parts),
    ),
  )
}

function titlePage(book: Book, coverName: string, lanes: readonly Lane[]): string {
  return page(
    book,
    book.title,
    element('img', { src: coverName, alt: '' }),
    element('h1', { dir: 'auto' }, book.title),
    lanes.length > 0 ? branchMap(lanes) : [],
  )
}

function partPage(book: Book, { chapter, passages }: Part): string {
  const origin = chapter?.branch?.origin ?? ''
  return page(
    book,
    chapter?.name || book.title,
    chapter ? element('h2', { dir: 'auto' }, chapter.name) : [],
    origin === '' ? [] : element('p', { class: 'about', dir: 'auto' }, origin),
    passages.map((passage) => ['\n', passageXml(passage, apart)]),
  )
}

const apart = (label: string, shown: XmlMarkup[]) =>
  element('aside', {}, element('p', { class: 'about' }, label), shown)

function page({ language }: Book, title: string, ...content: Content[]): string {
  return document(
    element(
      'html',
      {
        xmlns: 'http://www.w3.org/1999/xhtml',
        'xmlns:epub': 'http://www.idpf.org/2007/ops',
        lang: language,
        'xml:lang': language,
      },
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
