import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { Window } from 'happy-dom'
import { LiveTurn } from '../../src/app/runtime/live-stories.ts'
import { proseSoFar } from '../../src/domain/text/prose-markup.ts'
import { Telling } from '../../src/views/play/telling.tsx'
import { Prose } from '../../src/views/prose/prose.tsx'

const document = new Window().document

/** A page that watches a turn, and puts fragments in their places as htmx does. */
class Watching {
  readonly turn = new LiveTurn(1, null)
  /** Times that the whole passage was replaced. */
  again = 0
  private readonly telling: Telling

  constructor(
    language: string,
    before = '',
    readonly page = document.createElement('div'),
  ) {
    this.turn.add({ type: 'chunk', text: before })
    this.telling = new Telling(this.turn, { language, marks: language })
    page.innerHTML = `<p id="phase"></p><p id="waited"></p>${this.telling.shown.html}`
  }

  add(text: string): void {
    this.turn.add({ type: 'chunk', text })
    this.update()
  }

  update(): void {
    const holder = document.createElement('div')
    holder.innerHTML = this.telling.more()
    const swaps = [...holder.children].map((partial) => {
      const selector = partial.getAttribute('hx-target') ?? ''
      const target = this.page.querySelector(selector)
      if (target === null) throw new Error(`There is no ${selector}.`)
      return { partial, target, swap: partial.getAttribute('hx-swap') }
    })
    for (const { partial, target, swap } of swaps) {
      if (swap === 'beforeend') target.append(...partial.childNodes)
      else if (swap === 'outerHTML') target.replaceWith(...partial.childNodes)
      else target.replaceChildren(...partial.childNodes)
      if (target.id === 'told' && swap === 'innerHTML') this.again++
    }
  }

  get html(): string {
    return this.page.querySelector('#told')?.innerHTML ?? ''
  }
}

/** The same as a browser writes it. */
function proseOf(text: string, language: string): string {
  const holder = document.createElement('div')
  holder.innerHTML = (<Prose text={text} language={language} />).html
  return holder.innerHTML
}

describe('a streaming passage', () => {
  const TEXTS = [
    'A *soft* and a **loud**\nword, ***both***, 2 * 3.\n\n“*All of this* is *said*.”',
    '"Wait," she says -- "it\'s here..."\n\n*"No."*',
    '# One *soft*\nA word.\n---\n## Two\n\nTake:\n- a *lamp*\n- oil\n* * x\n\n> Said\n> she\n>\n> once.\nNo.\n\n4. a\n5. b',
  ]
  for (const text of TEXTS)
    for (const size of [1, 2, 3, 7, 100])
      test(`looks as it is stored, and only its last block changes, in pieces of ${size}`, () => {
        const page = new Watching('en')
        for (const piece of `${text}\n\nEnd`.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []) page.add(piece)
        expect(page.html).toBe(proseOf(`${text}\n\nEnd`, 'en'))
        expect(page.again).toBe(0)
      })

  test.each<[string, string]>([
    ['She is *not here', '<p>She is <em>not here</em></p>'],
    ['She is *not here ', '<p>She is <em>not here</em></p>'],
    ['**Run', '<p><strong>Run</strong></p>'],
    ['**Run*', '<p><strong>Run</strong></p>'],
    ['***Run', '<p><strong><em>Run</em></strong></p>'],
    ['*Run\nfar', '<p>*Run\nfar</p>'],
    ['2 * 3', '<p>2 * 3</p>'],
    ['It is *', '<p>It is</p>'],
    ['One.\n\n#', '<p>One.</p>'],
    ['One.\n\n- a lamp', '<p>One.</p>'],
    ['One.\n\n- a lamp\n- o', '<p>One.</p><ul><li>a lamp</li><li>o</li></ul>'],
    ['One.\n- a lamp\nGo', '<p>One.\n- a lamp\nGo</p>'],
    ['One.\n\n* *', '<p>One.</p>'],
  ])('%j is shown without what may still change', (text, html) =>
    expect(proseOf(proseSoFar(text, 'en'), 'en')).toBe(html),
  )

  test('begins anew where what came was no story', () => {
    const page = new Watching('en')
    page.add('One.\n\nTwo.')
    page.turn.add({ type: 'recast' })
    page.add('Three')
    expect(page.html).toBe('<p>Three</p>')
  })

  const MARKS = [
    ...['*', '**', '***', '* * *', '---', '# ', '##', '> ', '>', '- ', '* ', '1. ', '2. ', '2', '.'],
    ...['_', '\n', '\n', '\n\n', ' ', 'a', 'b c', '\u{10400}', '<b>', '&', '"', '--', '`'],
  ]
  const pieces = () => fc.array(fc.constantFrom(...MARKS), { maxLength: 30 })

  test('is what is stored of it, however it is marked and cut, for a page that comes later too', () => {
    fc.assert(
      fc.property(pieces(), fc.nat(20), (pieces, at) => {
        const [first, later] = [new Watching('en'), new Watching('en', pieces.slice(0, at).join(''))]
        for (const piece of pieces) first.add(piece)
        for (const piece of pieces.slice(at)) later.add(piece)
        const text = pieces.join('')
        expect(first.html).toBe(proseOf(proseSoFar(text, 'en'), 'en'))
        expect(later.html).toBe(first.html)
        first.add('\n\nEnd')
        expect(first.html).toBe(proseOf(`${text}\n\nEnd`, 'en'))
      }),
    )
  })
})
