import { Parser } from 'htmlparser2'
import { importRefused } from '../shared/import-refused.ts'
import { decodeText } from '../shared/json-file.ts'
import type { ZipFile } from '../zip/read-zip.ts'
import { type Dialect, HTML, OPEN_DOCUMENT, textOf, WORD } from './markup-text.ts'

/** The text of a book or document, and its title; '' without one. */
export interface DocumentText {
  title: string
  text: string
}

/** The file that an archive of a kind of document has, and what is read of the archive. */
const KINDS: readonly [file: string, read: (files: Files) => DocumentText][] = [
  ['META-INF/container.xml', readEpub],
  ['word/document.xml', (files) => readDocument(files, 'word/document.xml', WORD, 'docProps/core.xml')],
  ['content.xml', (files) => readDocument(files, 'content.xml', OPEN_DOCUMENT, 'meta.xml')],
]

type Files = ReadonlyMap<string, ZipFile>

/** In every file of Office. */
const OFFICE = '[Content_Types].xml'

/** Recognizes the archive of an e-book or a document. */
export function isDocument(files: readonly Pick<ZipFile, 'name'>[]): boolean {
  return files.some(({ name }) => name === OFFICE || KINDS.some(([file]) => file === name))
}

/** The text of an e-book (.epub) or a document (.docx, .odt). Throws import_refused. */
export function documentText(files: readonly ZipFile[]): DocumentText {
  const named = new Map(files.map((file) => [file.name, file]))
  const [, read] = KINDS.find(([file]) => named.has(file)) ?? []
  if (read === undefined) throw importRefused(NO_TEXT)
  const document = read(named)
  // Fonts alone may be encrypted.
  if (document.text === '') throw importRefused(named.has('META-INF/encryption.xml') ? LOCKED : NO_TEXT)
  return document
}

const NO_TEXT = 'This document has no text that can be read. Save its text as a text file and import that.'

const LOCKED =
  'This book is protected against copying. Export its text with the program that you read it with, and import that.'

export function isWebPage(text: string): boolean {
  return /^\s*(?:<\?xml[^>]*>\s*)?(?:<!doctype html|<html)[\s>]/i.test(text)
}

export function webPageText(markup: string): DocumentText {
  return { title: titleIn(markup, 'title', false), text: textOf(markup, HTML) }
}

function readDocument(files: Files, file: string, dialect: Dialect, facts: string): DocumentText {
  return {
    title: titleIn(contentIn(files, facts), 'dc:title'),
    text: textOf(contentIn(files, file), dialect),
  }
}

/** The chapters of an e-book in their order (EPUB 3.3, package document). */
function readEpub(files: Files): DocumentText {
  const [root] = elementsIn(contentIn(files, 'META-INF/container.xml'), 'rootfile')
  const packagePath = root?.attributes['full-path'] ?? ''
  const packaged = contentIn(files, packagePath)
  const links = new Map(
    elementsIn(packaged, 'item').map(({ attributes: { id = '', href = '' } }) => [id, href]),
  )
  const texts = elementsIn(packaged, 'itemref').map(({ attributes: { idref = '' } }) =>
    textOf(contentIn(files, pathFrom(packagePath, links.get(idref) ?? '')), HTML),
  )
  return { title: titleIn(packaged, 'dc:title'), text: texts.filter((text) => text !== '').join('\n\n') }
}

const ROOT = 'epub:///'

/** The path that a link of a file leads to; '' for one that is no path. */
function pathFrom(file: string, link: string): string {
  const { pathname = '' } = URL.parse(link, URL.parse(file, ROOT)?.href ?? ROOT) ?? {}
  try {
    return decodeURIComponent(pathname).slice(1)
  } catch {
    return ''
  }
}

function contentIn(files: Files, name: string): string {
  const bytes = files.get(name)?.read()
  return bytes ? decodeText(bytes) : ''
}

function titleIn(markup: string, name: string, isXml = true): string {
  return elementsIn(markup, name, isXml)[0]?.text.replace(/\s+/g, ' ').trim() ?? ''
}

interface FoundElement {
  attributes: Readonly<Record<string, string>>
  /** Without that of elements inside. */
  text: string
}

/** The elements of a name in their order, with any prefix. */
function elementsIn(markup: string, name: string, isXml = true): FoundElement[] {
  const found: FoundElement[] = []
  let open: FoundElement | null = null
  const parser = new Parser(
    {
      onopentag: (tag, attributes) => {
        open = tag === name || tag.endsWith(`:${name}`) ? { attributes, text: '' } : null
        if (open) found.push(open)
      },
      ontext: (part) => {
        if (open) open.text += part
      },
      onclosetag: () => {
        open = null
      },
    },
    { xmlMode: isXml, decodeEntities: true },
  )
  parser.end(markup)
  return found
}
