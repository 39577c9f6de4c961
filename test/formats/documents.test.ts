import { describe, expect, test } from 'bun:test'
import { documentText, isDocument, isWebPage, webPageText } from '../../src/formats/document/document-text.ts'
import { bytesInMemory } from '../../src/formats/zip/byte-source.ts'
import { makeZip } from '../../src/formats/zip/make-zip.ts'
import { readZip } from '../../src/formats/zip/read-zip.ts'
import { concatBytes } from '../../src/lib/bytes.ts'

function filesOf(contents: Record<string, string>) {
  const entries = Object.entries(contents).map(([name, text]) => ({
    name,
    bytes: new TextEncoder().encode(text),
  }))
  const files = readZip(bytesInMemory(concatBytes([...makeZip(entries)])))
  if (typeof files === 'string') throw new Error(files)
  return files
}

const CONTAINER = '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>'
const book = (manifest: string, spine: string) =>
  `<package><metadata><dc:title>The Lamp &amp; the Sea</dc:title></metadata><manifest>${manifest}</manifest><spine>${spine}</spine></package>`

describe('the text of', () => {
  const cases: [name: string, files: Record<string, string>, title: string, text: string][] = [
    [
      'an e-book, in the order of its spine',
      {
        'META-INF/container.xml': CONTAINER,
        'OPS/book.opf': book(
          '<item id="b" href="b%20two.xhtml"/><item id="a" href="text/a.xhtml"/><item id="nav" href="nav.xhtml"/>',
          '<itemref idref="a"/><itemref idref="b"/>',
        ),
        'OPS/text/a.xhtml':
          '<html><head><title>x</title></head><body><h1>One</h1><p>A&#x2014;b<br/>c</p></body></html>',
        'OPS/b two.xhtml': '<html><body><p>D <i>e</i> f&nbsp;g.</p><hr/><p>H</p></body></html>',
        'OPS/nav.xhtml': '<html><body><p>Not in the spine</p></body></html>',
      },
      'The Lamp & the Sea',
      '# One\n\nA—b\nc\n\nD e f g.\n\n***\n\nH',
    ],
    [
      'a document of Word, without what was deleted',
      {
        '[Content_Types].xml': '<Types/>',
        'docProps/core.xml': '<cp:coreProperties><dc:title>Notes</dc:title></cp:coreProperties>',
        'word/document.xml':
          '<w:document><w:body><w:p><w:pPr><w:pStyle w:val="berschrift2"/></w:pPr><w:r><w:t>Pier</w:t></w:r></w:p><w:p><w:r><w:t xml:space="preserve">One </w:t></w:r><w:r><w:t>two</w:t><w:br/><w:t>three</w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p><w:p/><w:p><w:r><w:instrText>PAGE</w:instrText><w:t>&lt;b&gt;</w:t></w:r></w:p></w:body></w:document>',
      },
      'Notes',
      '## Pier\n\nOne two\nthree\n\n<b>',
    ],
    [
      'an OpenDocument text',
      {
        mimetype: 'application/vnd.oasis.opendocument.text',
        'content.xml':
          '<office:document-content><office:text><text:h text:outline-level="1">Up</text:h><text:p>One<text:s text:c="2"/>two<office:annotation><text:p>note</text:p></office:annotation></text:p></office:text></office:document-content>',
      },
      '',
      '# Up\n\nOne two',
    ],
  ]
  for (const [name, contents, title, text] of cases)
    test(name, () => {
      const files = filesOf(contents)
      expect(isDocument(files)).toBe(true)
      expect(documentText(files)).toEqual({ title, text })
    })

  test('a page of the web', () => {
    const page =
      '<!DOCTYPE html><html><head><title> A\n b </title><style>p{}</style></head><body><script>x</script><p>One<p>Two &hellip;</body>'
    expect(isWebPage(page)).toBe(true)
    expect(webPageText(page)).toEqual({ title: 'A b', text: 'One\n\nTwo …' })
    expect(isWebPage('A <html> tag in prose')).toBe(false)
  })
})

describe('refused are', () => {
  const cases: [name: string, files: Record<string, string>][] = [
    ['a spreadsheet', { '[Content_Types].xml': '<Types/>', 'xl/workbook.xml': '<workbook/>' }],
    ['a book without chapters', { 'META-INF/container.xml': CONTAINER, 'OPS/book.opf': book('', '') }],
    ['a book without its package', { 'META-INF/container.xml': '<x' }],
    [
      'a book with links that are none',
      {
        'META-INF/container.xml': CONTAINER,
        'OPS/book.opf': book(
          '<item id="a" href="http://["/><item id="b" href="%E0%A4%A"/>',
          '<itemref idref="a"/><itemref idref="b"/>',
        ),
      },
    ],
    ['a book whose package is no path', { 'META-INF/container.xml': CONTAINER.replace('OPS/', 'http://[') }],
    ['an empty document', { 'word/document.xml': '' }],
  ]
  for (const [name, contents] of cases)
    test(name, () => {
      const files = filesOf(contents)
      expect(isDocument(files)).toBe(true)
      expect(() => documentText(files)).toThrow(/has no text/)
    })

  test('a protected book', () => {
    const files = filesOf({
      'META-INF/container.xml': CONTAINER,
      'META-INF/encryption.xml': '<encryption/>',
      'OPS/book.opf': book('<item id="a" href="a.xhtml"/>', '<itemref idref="a"/>'),
    })
    expect(() => documentText(files)).toThrow(/protected/)
  })
})
