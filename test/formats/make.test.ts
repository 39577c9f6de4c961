import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { Window } from 'happy-dom'
import { makeCards } from '../../src/formats/ai-dungeon/make-cards.ts'
import { type BookOptions, WHOLE_STORY } from '../../src/formats/book/passages.ts'
import { makeCharacterPng } from '../../src/formats/character-card/make-card.ts'
import { parseFile } from '../../src/formats/detect.ts'
import { makeEarlierScenario } from '../../src/formats/earlier-release/make-scenario.ts'
import { ENDINGS, fileName, titleFrom } from '../../src/formats/file-name.ts'
import { makeScenario } from '../../src/formats/inglenook/make-scenario.ts'
import { makeGradientPng } from '../../src/formats/picture/gradient-png.ts'
import { runs } from '../support/depth.ts'
import {
  makeAdventure,
  makeChat,
  makeEarlierAdventure,
  makeEpub,
  makeHtml,
  makeMarkdown,
} from '../support/files/make.ts'
import { AT, HOSTILE, hostileStory, LAMP_ROAD, lampStory } from '../support/files/portable.ts'
import { unzipped } from '../support/files/unzipped.ts'
import { elementsOf } from '../support/files/xml.ts'

const golden = (name: string) => readFileSync(join(import.meta.dir, 'golden', name), 'utf8')
const EVERYTHING: BookOptions = { ...WHOLE_STORY, attempts: true, stats: true }
/** A book with the cover of its title and parts of equal length. */
const PLAIN = { cover: null, chapters: [], at: AT }
const pretty = (json: string) => `${JSON.stringify(JSON.parse(json), null, 2)}\n`

describe('a short story looks as it should', () => {
  const files: [name: string, written: () => string][] = [
    ['lamp.md', () => makeMarkdown(lampStory(), WHOLE_STORY)],
    ['lamp-everything.md', () => makeMarkdown(lampStory(), EVERYTHING)],
    ['lamp-everything.html', () => makeHtml(lampStory(), EVERYTHING, 'data:image/png;base64,AAAA')],
    ['lamp.jsonl', () => makeChat(lampStory(), WHOLE_STORY)],
    ['lamp.inglenook.json', () => pretty(makeAdventure(lampStory(), AT))],
    ['lamp.v1.json', () => pretty(makeEarlierAdventure(lampStory()))],
    ['lamp-road.inglenook.json', () => pretty(makeScenario(LAMP_ROAD, AT))],
    ['lamp-road.v1.json', () => pretty(makeEarlierScenario(LAMP_ROAD))],
    ['lamp-road.cards.json', () => pretty(JSON.stringify(makeCards(LAMP_ROAD.story_cards)))],
  ]
  for (const [name, written] of files) test(name, () => expect(written()).toBe(golden(name)))
})

describe('a reader sees what was asked for', () => {
  const cases: [asked: Partial<BookOptions>, shown: string[], hidden: string[]][] = [
    [{}, ['Dusk', 'You wait', 'Rain.', 'He was not alone'], ['Snow', 'oil', 'Attempt']],
    [{ player_lines: false }, ['Dusk', 'Rain.', 'He was not alone'], ['You wait']],
    [{ attempts: true }, ['Version 1 of 2', 'Snow'], ['oil']],
    [{ stats: true }, ['oil −1 → 2 (asked for −5, got −1: at most 1 per turn)'], ['Snow']],
    [{ from: 1, to: 2 }, ['You wait', 'Rain.'], ['Dusk', 'He was']],
    [{ from: 9 }, [], ['Dusk', 'Rain']],
  ]
  const plain: [format: string, text: (reading: BookOptions) => string][] = [
    ['Markdown', (reading) => makeMarkdown(lampStory(), reading).replaceAll('\\', '')],
    [
      'HTML',
      (reading) =>
        elementsOf(makeHtml(lampStory(), reading, '')).find(({ name }) => name === 'body')?.text ?? '',
    ],
    ['EPUB', (reading) => bookText(makeEpub(lampStory(), reading, PLAIN))],
  ]
  for (const [format, text] of plain)
    for (const [asked, shown, hidden] of cases)
      test(`${format} with ${JSON.stringify(asked)}`, () => {
        const seen = text({ ...WHOLE_STORY, ...asked })
        for (const words of shown) expect(seen).toContain(words)
        for (const words of hidden) expect(seen).not.toContain(words)
      })

  test('a chat has the range and the lines, and its swipes always', () => {
    const lines = makeChat(lampStory(), { player_lines: false, from: 1, to: 2 }).split('\n')
    expect(lines.slice(1).map((line) => JSON.parse(line))).toMatchObject([
      { mes: 'Rain.', swipes: ['Rain.', 'Snow.'] },
    ])
  })
})

test('a chat is read back with its title, its reader, its words and the note of its author', () => {
  const story = lampStory({ authors_note: 'Slow.', title: 'Lamp II' })
  const [again] = parseFile(new TextEncoder().encode(makeChat(story, WHOLE_STORY)), '').adventures
  expect(again).toMatchObject({
    title: 'Lamp II',
    authors_note: 'Slow.',
    placeholders: { 'Your name': 'Tamsin' },
    actions: story.actions.map(({ type, text }) => ({ type, text })),
  })
})

describe('a book', () => {
  const files = unzipped(makeEpub(lampStory(), EVERYTHING, { ...PLAIN, cover: Uint8Array.of(1) }))
  const byName = new Map(files.map((file) => [file.name, file]))
  const opf = elementsOf(byName.get('book/package.opf')?.text ?? '')

  test('is known by its first bytes', () => {
    const bytes = Buffer.from(makeEpub(lampStory(), WHOLE_STORY, PLAIN))
    expect(bytes.toString('latin1', 30, 58)).toBe('mimetypeapplication/epub+zip')
    expect(files[0]).toMatchObject({ name: 'mimetype', method: 0, text: 'application/epub+zip' })
    expect(files.map(({ name }) => name).indexOf('META-INF/container.xml')).toBe(1)
  })

  test('leads from its container to its package', () => {
    const container = elementsOf(byName.get('META-INF/container.xml')?.text ?? '')
    const path = container.find(({ name }) => name === 'rootfile')?.attributes['full-path'] ?? ''
    expect([...byName.keys()]).toContain(path)
  })

  test('says what it must of itself', () => {
    const told = (name: string) => opf.find((element) => element.name === name)?.text
    expect(told('dc:title')).toBe('Lamp')
    expect(told('dc:language')).toBe('en')
    expect(told('dc:identifier')).toMatch(
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
    )
    const [modified] = opf.filter(({ attributes }) => attributes.property === 'dcterms:modified')
    expect(modified?.text).toBe('2026-03-01T10:00:00Z')
    const id = opf.find(({ name }) => name === 'package')?.attributes['unique-identifier']
    expect(opf.find(({ name }) => name === 'dc:identifier')?.attributes.id).toBe(id)
  })

  test('lists every file once and reads its pages in order', () => {
    const items = opf.filter(({ name }) => name === 'item').map(({ attributes }) => attributes)
    const listed = items.map(({ href }) => `book/${href}`)
    const there = [...byName.keys()].filter((name) => name.startsWith('book/') && !name.endsWith('.opf'))
    expect(listed.sort()).toEqual(there.sort())
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length)
    const spine = opf.filter(({ name }) => name === 'itemref').map(({ attributes }) => attributes.idref)
    const order = spine.map((ref) => items.find(({ id }) => id === ref)?.href)
    expect(order).toEqual(['title.xhtml', 'part-1.xhtml'])
    expect(items.filter(({ properties }) => properties === 'nav')).toHaveLength(1)
    expect(items.find(({ properties }) => properties === 'cover-image')?.['media-type']).toBe('image/png')
  })

  test('has a table of contents that leads to pages', () => {
    const nav = elementsOf(byName.get('book/nav.xhtml')?.text ?? '')
    expect(nav.find(({ name }) => name === 'nav')?.attributes['epub:type']).toBe('toc')
    const links = nav.filter(({ name }) => name === 'a').map(({ attributes }) => `book/${attributes.href}`)
    expect(links.filter((link) => !byName.has(link))).toEqual([])
    expect(links).toHaveLength(2)
  })

  test('of a long story has parts of a size that any device can read', () => {
    const long = lampStory({
      actions: Array.from({ length: 1_000 }, () => lampStory().actions[0]).filter((one) => one !== undefined),
    })
    const pages = unzipped(makeEpub(long, WHOLE_STORY, PLAIN)).filter(({ name }) =>
      name.startsWith('book/part-'),
    )
    expect(pages).toHaveLength(25)
    const ids = pages.flatMap(({ text }) => elementsOf(text).flatMap(({ attributes }) => attributes.id ?? []))
    expect(new Set(ids).size).toBe(1_000)
  })

  test('has a chapter for each bookmark, and a long one continues without a heading', () => {
    const action = lampStory().actions[0]
    const long = lampStory({
      actions: Array.from({ length: 100 }, () => action).filter((one) => one !== undefined),
    })
    const chapters = [
      { index: 3, name: 'The pier', isHeading: false },
      { index: 60, name: 'Under <the> bell', isHeading: false },
      { index: 99, name: 'Not in this book', isHeading: false },
    ]
    const pages = unzipped(makeEpub(long, { ...WHOLE_STORY, to: 70 }, { ...PLAIN, chapters }))
    const headings = pages
      .filter(({ name }) => name.startsWith('book/part-'))
      .map(({ text }) => elementsOf(text).find(({ name }) => name === 'h2')?.text ?? '')
    expect(headings).toEqual(['', 'The pier', '', 'Under <the> bell'])
    const nav = elementsOf(pages.find(({ name }) => name === 'book/nav.xhtml')?.text ?? '')
    expect(nav.filter(({ name }) => name === 'a').map(({ text }) => text)).toEqual([
      'Title',
      'The pier',
      'Under <the> bell',
    ])
  })

  test('without a picture has a cover with its title, and names the language of its story', () => {
    const story = lampStory({ title: 'The Long Watch of <Saltmere>' })
    const told = {
      ...story,
      actions: story.actions.map((one) => ({
        ...one,
        text: 'The lamp is out, and you are in the dark with it.',
      })),
    }
    const book = new Map(unzipped(makeEpub(told, WHOLE_STORY, PLAIN)).map(({ name, text }) => [name, text]))
    const cover = elementsOf(book.get('book/cover.svg') ?? '')
    expect(cover.filter(({ name }) => name === 'tspan').map(({ text }) => text)).toEqual([
      'The Long Watch',
      'of <Saltmere>',
    ])
    expect(book.get('book/package.opf')).toContain('<dc:language>en</dc:language>')
    for (const [name, text] of book)
      if (name.endsWith('.xhtml'))
        expect(elementsOf(text)[0]?.attributes).toMatchObject({ lang: 'en', 'xml:lang': 'en' })
  })

  test('of a story without a word has a page all the same', () => {
    const pages = unzipped(makeEpub(lampStory({ actions: [], title: ' ' }), WHOLE_STORY, PLAIN))
    for (const { name, text } of pages) if (/xhtml|opf|xml$/.test(name)) elementsOf(text)
    expect(pages.filter(({ name }) => name.startsWith('book/part-')).map(({ name }) => name)).toEqual([
      'book/part-1.xhtml',
    ])
  })
})

describe('a page', () => {
  const page = makeHtml(hostileStory(), EVERYTHING, 'data:image/png;base64,AAAA')
  const elements = elementsOf(page)

  test('holds no script and leads nowhere', () => {
    expect([...new Set(elements.map(({ name }) => name))].sort()).toEqual([
      'blockquote',
      'body',
      'details',
      'h1',
      'head',
      'header',
      'html',
      'img',
      'li',
      'main',
      'meta',
      'p',
      'section',
      'style',
      'summary',
      'title',
      'ul',
    ])
    const keys = new Set(elements.flatMap(({ attributes }) => Object.keys(attributes)))
    expect([...keys].sort()).toEqual([
      'alt',
      'charset',
      'class',
      'content',
      'dir',
      'http-equiv',
      'id',
      'lang',
      'name',
      'src',
    ])
    expect(
      elements.filter(({ attributes }) => attributes.src).map(({ attributes }) => attributes.src),
    ).toEqual(['data:image/png;base64,AAAA'])
    const style = elements.find(({ name }) => name === 'style')?.text ?? ''
    // Its only string is the title, in letters, digits and escapes.
    const [before = '', title = '', ...after] = style.split("'")
    expect(title).toMatch(/^(?:[\p{L}\p{N}]|\\[0-9a-f]{1,6} )+$/u)
    expect([before, ...after].join()).not.toMatch(/url|import|["<>&\\]/)
  })

  test('forbids everything but its own style and pictures in place', () => {
    const policy = elements.find(({ attributes }) => attributes['http-equiv'])?.attributes.content ?? ''
    const style = elements.find(({ name }) => name === 'style')?.text ?? ''
    const hash = new Bun.CryptoHasher('sha256').update(style).digest('base64')
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `style-src 'sha256-${hash}'`,
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
    ])
  })

  test('is read by a browser as it is read by a strict reader', () => {
    const window = new Window()
    window.document.write(page)
    const main = window.document.querySelector('main')
    const strict = elements.find(({ name }) => name === 'main')
    expect(main?.textContent).toBe(strict?.text ?? '')
  })
})

describe('chapters', () => {
  const texts = [
    '# One "*light*"\n\nThe rain is on you and the pier.',
    'Rain.',
    '# Two',
    'Snow.\n\n# Not a chapter\n\nWind.',
    'Sun.',
  ]
  const [sample] = lampStory().actions
  const story = lampStory({
    actions: texts.flatMap((text) => (sample ? [{ ...sample, type: 'story', text, variants: [] }] : [])),
  })
  const chapters = [
    { index: 0, name: 'One "light"', isHeading: true },
    { index: 2, name: 'Two', isHeading: true },
    { index: 4, name: 'The end', isHeading: false },
  ]
  const shown = (html: string) =>
    elementsOf(html).flatMap(({ name, text }) => (/^(?:h[2-6]|p)$/.test(name) ? [`${name} ${text}`] : []))
  const whole = [
    ['h2 One “light”', 'p The rain is on you and the pier.', 'p Rain.'],
    ['h2 Two', 'p Snow.', 'h3 Not a chapter', 'p Wind.'],
    ['h2 The end', 'p Sun.'],
  ]
  const reading = { ...WHOLE_STORY }

  test('are headings of a page, with a list of them, and each heading stands there once', () => {
    const html = makeHtml(story, reading, '', chapters)
    expect(shown(html)).toEqual(whole.flat())
    const links = elementsOf(html).filter(({ name }) => name === 'a')
    const anchors = elementsOf(html).flatMap(({ name, attributes }) =>
      name === 'h2' ? [`#${attributes.id}`] : [],
    )
    expect(links.map(({ attributes }) => attributes.href)).toEqual(anchors)
    expect(links.map(({ text }) => text)).toEqual(['One “light”', 'Two', 'The end'])
  })

  test('are pages of a book', () => {
    const pages = unzipped(makeEpub(story, reading, { ...PLAIN, chapters }))
    expect(pages.filter(({ name }) => name.startsWith('book/part-')).map(({ text }) => shown(text))).toEqual(
      whole,
    )
  })

  test('are headings of Markdown', () => {
    expect(makeMarkdown(story, reading, chapters).split('\n\n').slice(1)).toEqual([
      ...[
        '## One "light"',
        'The rain is on you and the pier.',
        'Rain.',
        '## Two',
        'Snow.',
        '### Not a chapter',
        'Wind.',
      ],
      ...['## The end', 'Sun.\n'],
    ])
  })

  test('begin with the one that the first passage belongs to', () => {
    const html = makeHtml(story, { ...reading, from: 3, to: 3 }, '', chapters)
    expect(shown(html)).toEqual(['h2 Two', 'p Snow.', 'h3 Not a chapter', 'p Wind.'])
  })
})

describe('hostile words are words', () => {
  const words = /<\/p><\/title><script>alert\(1\)<\/script>\]\]>&amp;&#0;"'/
  const cleaned = (text: string) => expect(text).not.toMatch(/[^\P{Cc}\n\t]|\uffff/u)

  test('in Markdown no mark of theirs means anything', () => {
    const text = makeMarkdown(hostileStory(), EVERYTHING)
    cleaned(text)
    // Each sign that could open something stands behind a backslash, but for those that we have written.
    const ours = text.replace(/^(# |> ?|- )/gm, '')
    expect(ours).not.toMatch(/(?<!\\)[<>`[\]_~|]/)
    expect(ours).not.toMatch(/(?<!\\)&(#?\w+);/)
    expect(text.replaceAll('\\', '')).toMatch(words)
  })

  test('whatever signs a story holds, Markdown shows the words that the page shows', () => {
    const signs = fc.constantFrom(
      ...[
        '*',
        '**',
        '_',
        '~',
        '~~~',
        '`',
        '```',
        '#',
        '# ',
        '> ',
        '- ',
        '+ ',
        '1. ',
        '2) ',
        '===',
        '---',
        '|',
        '|-|',
        '\\',
      ],
      ...[
        '\n',
        '\n\n',
        '  \n',
        '    ',
        '\t',
        '<b>',
        '</p>',
        '<!--',
        '&amp;',
        '&#35;',
        '&',
        '[a]',
        '(b)',
        '![',
        ']:',
        ' /x',
        'word',
        ' ',
      ],
    )
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 30 }), (parts) => {
        const story = lampStory({
          actions: lampStory()
            .actions.slice(0, 2)
            .map((one) => ({ ...one, text: parts.join('') })),
        })
        const html = Bun.markdown.html(makeMarkdown(story, WHOLE_STORY), { autolinks: false })
        const shown = new Window().document
        shown.write(`<main>${html}</main>`)
        const names = [...shown.querySelectorAll('main *')].map(({ tagName }) => tagName.toLowerCase())
        expect(
          names.filter((name) => !/^(h[1-6]|p|em|strong|blockquote|hr|br|ul|ol|li)$/.test(name)),
        ).toEqual([])
        const typed = { ...WHOLE_STORY, typography: false }
        const page = elementsOf(makeHtml(story, typed, '')).find(({ name }) => name === 'main')
        // What we mark as emphasis may be none to Markdown: then its stars stay.
        const words = (text = '') => text.replace(/[\s*]+/g, '')
        expect(words(shown.querySelector('main')?.textContent ?? '')).toBe(`Lamp${words(page?.text)}`)
      }),
      { numRuns: runs(300) },
    )
  })

  test('in a book every page is well-formed and shows them', () => {
    const files = unzipped(makeEpub(hostileStory(), EVERYTHING, PLAIN))
    for (const { name, text } of files.filter((one) => /\.(xhtml|opf|xml)$/.test(one.name))) {
      cleaned(text)
      expect(elementsOf(text).map((element) => element.name)).not.toContain('script')
      if (name.startsWith('book/part-')) expect(elementsOf(text)[0]?.text).toMatch(words)
    }
  })

  test('in JSON and in chats they come back to the letter', () => {
    const texts = hostileStory().actions.map(({ text }) => ({ text }))
    expect(JSON.parse(makeAdventure(hostileStory(), AT))).toMatchObject({ actions: texts })
    const lines = makeChat(hostileStory(), WHOLE_STORY).split('\n')
    expect(lines).toHaveLength(5)
    expect(lines.slice(1).map((line) => JSON.parse(line).mes)).toEqual(
      Array.from({ length: 4 }, () => HOSTILE),
    )
    // A lone half of a letter is written out, so that the file is valid UTF-8.
    expect(new TextDecoder('utf-8', { fatal: true }).decode(new TextEncoder().encode(lines[1]))).toBe(
      lines[1] ?? '',
    )
    expect(lines[1]?.isWellFormed()).toBe(true)
  })

  test('in a card they come back to the letter', () => {
    const scenario = hostileStory().scenario
    if (scenario === null) throw new Error('no scenario')
    const { inglenook } = cardIn(makeCharacterPng(scenario, null, AT), 'ccv3').data.extensions
    expect(inglenook.prompt).toBe(HOSTILE)
  })
})

describe('a character card', () => {
  test('is a picture with both chunks, and the newer one takes the whole scenario along', () => {
    const png = makeCharacterPng(LAMP_ROAD, null, AT)
    expect(chunksOf(png).map(({ type }) => type)).toEqual(['IHDR', 'IDAT', 'tEXt', 'tEXt', 'IEND'])
    const [second, third] = [cardIn(png, 'chara'), cardIn(png, 'ccv3')]
    const data = {
      name: 'The Lamp Road',
      description: 'The road is long.',
      first_mes: '{{user}} sees the first lamp go out.',
      creator_notes: 'A walk in the dark.',
      system_prompt: 'Tell it in the present.',
      tags: ['quiet', 'night'],
      character_book: {
        entries: [
          {
            keys: ['lamp', '/l[a,b]mp/'],
            content: 'It burns.',
            name: 'Lamp',
            comment: 'Lamp',
            enabled: true,
            insertion_order: 0,
            extensions: { inglenook: { type: 'object', notes: 'mine' } },
          },
        ],
      },
    }
    expect(second).toMatchObject({ spec: 'chara_card_v2', spec_version: '2.0', data })
    expect(second.data.extensions.depth_prompt.prompt).toBe('Slow.')
    expect(third).toMatchObject({ spec: 'chara_card_v3', spec_version: '3.0', data })
    expect(third.data.character_book.entries[0].use_regex).toBe(false)
    expect(third.data.extensions.inglenook).toEqual(JSON.parse(makeScenario(LAMP_ROAD, AT)))
  })

  test('keeps the picture that the scenario has', async () => {
    const cover = makeGradientPng('#102030', '#405060', 3, 2)
    const png = makeCharacterPng(LAMP_ROAD, cover, AT)
    expect(chunksOf(png).slice(0, 2)).toEqual(chunksOf(cover).slice(0, 2))
    const { width, height } = await new Bun.Image(png).metadata()
    expect([width, height]).toEqual([3, 2])
  })

  test('a plain picture runs from one color into the other', () => {
    const [header, pixels] = chunksOf(makeGradientPng('#102030', '#405060', 2, 3))
    expect([...(header?.data ?? [])]).toEqual([0, 0, 0, 2, 0, 0, 0, 3, 8, 2, 0, 0, 0])
    expect([...inflateSync(pixels?.data ?? new Uint8Array())]).toEqual([
      ...[0, 0x10, 0x20, 0x30, 0x10, 0x20, 0x30],
      ...[0, 0x28, 0x38, 0x48, 0x28, 0x38, 0x48],
      ...[0, 0x40, 0x50, 0x60, 0x40, 0x50, 0x60],
    ])
  })
})

describe('the name of a file', () => {
  const names: [title: string, name: string][] = [
    ['The Lamp Road', 'The Lamp Road.md'],
    ['../../etc/passwd', 'etc-passwd.md'],
    ['a/b\\c:d*e?f"g<h>i|j', 'a-b-c-d-e-f-g-h-i-j.md'],
    ['.hidden', 'hidden.md'],
    ['~home', 'home.md'],
    ['ends with dots...  ', 'ends with dots.md'],
    ['', 'story.md'],
    ['///', 'story.md'],
    ['\u0000\u0007\ud800', '�.md'],
    ['CON', 'story-CON.md'],
    ['nul.txt', 'story-nul.txt.md'],
    ['Console', 'Console.md'],
    ['gpj\u202e.exe', 'gpj.exe.md'],
    ['שלום 世界 🏮', 'שלום 世界 🏮.md'],
    ['two\nlines\ttabbed', 'two lines tabbed.md'],
    ['🦊'.repeat(200), `${'🦊'.repeat(60)}.md`],
  ]
  for (const [title, name] of names)
    test(JSON.stringify(title).slice(0, 40), () => expect(fileName(title, 'md')).toBe(name))
})

test('files of one title have a name each, by which they are called after the title again', () => {
  const endings = Object.values(ENDINGS).flatMap((all) => Object.values(all))
  const names = endings.map((ending) => fileName('Lamp Road', ending))
  expect(new Set(names).size).toBe(endings.length)
  expect(new Set(names.map(titleFrom))).toEqual(new Set(['Lamp Road']))
  expect([titleFrom('a/Odo.story.JSON'), titleFrom('Dr. Odo.txt'), titleFrom('v1.2.png')]).toEqual([
    'Odo',
    'Dr. Odo',
    'v1.2',
  ])
})

function bookText(archive: Uint8Array): string {
  return unzipped(archive)
    .filter(({ name }) => name.startsWith('book/part-'))
    .map(({ text }) => elementsOf(text).find(({ name }) => name === 'body')?.text ?? '')
    .join('')
}

function chunksOf(png: Uint8Array): { type: string; data: Uint8Array }[] {
  const bytes = Buffer.from(png)
  const chunks = []
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    chunks.push({
      type: bytes.toString('latin1', at + 4, at + 8),
      data: bytes.subarray(at + 8, at + 8 + length),
    })
    at += length + 12
  }
  return chunks
}

// biome-ignore lint/suspicious/noExplicitAny: what a stranger's program would read
function cardIn(png: Uint8Array, keyword: string): any {
  const texts = chunksOf(png).flatMap(({ type, data }) =>
    type === 'tEXt' ? [Buffer.from(data).toString('latin1')] : [],
  )
  const [, packed = ''] = texts.find((text) => text.startsWith(`${keyword}\0`))?.split('\0') ?? []
  return JSON.parse(Buffer.from(packed, 'base64').toString())
}

test('a book in a script that is read from the right has its bars, its bullets and its pages turned round', () => {
  const [opening] = lampStory().actions
  const told = (type: string, text: string) => ({ ...opening, type, text, variants: [] })
  const actions = [
    told('start', 'الليلة.\n\n> «من»\n\n* واحد\n* اثنان\n* ثلاثة'),
    told('do', '> أفتح.'),
    told('do', '> You wait.'),
  ] as ReturnType<typeof lampStory>['actions']
  const story = { ...lampStory(), actions }
  const page = [...makeHtml(story, WHOLE_STORY, '')].join('')
  expect(page.match(/<(?:blockquote|ul)[^>]*>/g)).toEqual([
    '<blockquote dir="rtl">',
    '<ul dir="rtl">',
    '<blockquote id="passage-1" dir="rtl">',
    '<blockquote id="passage-2">',
  ])
  const spineOf = (book: typeof story) =>
    unzipped(makeEpub(book, WHOLE_STORY, PLAIN))
      .map(({ text }) => /<spine[^>]*>/.exec(text)?.[0])
      .filter(Boolean)
  expect(spineOf(story)).toEqual(['<spine page-progression-direction="rtl">'])
  expect(spineOf(lampStory())).toEqual(['<spine>'])
})
