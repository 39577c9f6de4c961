import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { Window } from 'happy-dom'
import { render } from '../../src/views/jsx/jsx-runtime.ts'
import { Prose } from '../../src/views/prose/prose.tsx'
import { StreamingProse } from '../../src/views/prose/streaming-prose.tsx'

const document = new Window().document

/** Puts frames in their places as htmx does; gives the passage then, and how often something shown was put anew. */
function toldBy(pieces: string[], language = 'und'): { html: string; again: number } {
  document.body.innerHTML = '<div id="told"></div>'
  const prose = new StreamingProse(language)
  let again = 0
  for (const frame of pieces
    .map((piece) => prose.add(piece))
    .join('')
    .split('\n\n')
    .filter(Boolean)) {
    const holder = document.createElement('div')
    holder.innerHTML = frame.replace(/^data: /gm, '')
    const partial = holder.firstElementChild
    const target = document.querySelector(partial?.getAttribute('hx-target') ?? '')
    if (!partial || !target) throw new Error(`There is no place for ${frame}`)
    if (partial.getAttribute('hx-swap') === 'beforeend') target.append(...partial.childNodes)
    else {
      again++
      target.replaceChildren(...partial.childNodes)
    }
  }
  return { html: document.querySelector('#told')?.innerHTML ?? '', again }
}

/** The same as a browser writes it. */
function proseOf(text: string, language = 'und'): string {
  const holder = document.createElement('div')
  holder.innerHTML = (<Prose text={text} language={language} />).html
  return holder.innerHTML
}

describe('a streaming passage', () => {
  const WHOLE = 'A *soft* and a **loud**\nword, ***both***, 2 * 3.\n\n“*All of this* is *said*.”'

  test('has the marks of its language from the start, so that nothing is rendered twice', () => {
    const text = '"Wait," she says -- "it\'s here..."\n\n*"No."*'
    expect(toldBy([...text, '\n'], 'en')).toEqual({ html: proseOf(text, 'en'), again: 0 })
  })

  for (const size of [1, 2, 3, 7, 100])
    test(`looks as it will when it is whole, in pieces of ${size}`, () => {
      const pieces = WHOLE.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
      expect(toldBy(pieces)).toEqual({ html: proseOf(WHOLE), again: 0 })
    })

  test('has its headings, rules, lists and quotes from the first', () => {
    const text =
      '# One *soft*\nA word.\n---\n## Two\n\nTake:\n- a *lamp*\n- oil\n* * x\n\n> Said\n> she\n>\n> once.\nNo.\n\n4. a\n5. b'
    for (const size of [1, 2, 3, 7, 100]) {
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
      expect(toldBy([...pieces, '\n\nEnd'], 'en')).toEqual({
        html: proseOf(`${text}\n\nEnd`, 'en'),
        again: 0,
      })
    }
  })

  test('shows emphasis before it is closed', () => {
    expect(toldBy(['She is *not', ' here ', 'yet']).html).toBe('<p>She is <em>not here yet</em></p>')
    expect(toldBy(['**Ru', 'n']).html).toBe('<p><strong>Run</strong></p>')
    // Lines that come in one piece, in what was begun by it or before it.
    expect(toldBy(['*Run\nfar']).html).toBe('<p><em>Run\n</em>far</p>')
    expect(toldBy(['*Run', ' on\nand on']).html).toBe('<p><em>Run on\n</em>and on</p>')
  })

  const MARKS = [
    ...['*', '**', '***', '* * *', '---', '# ', '##', '> ', '>', '- ', '* ', '1. ', '2. ', '2', '.'],
    ...['_', '\n', '\n', '\n\n', ' ', 'a', 'b c', '\u{10400}', '<b>', '&'],
  ]
  const pieces = () => fc.array(fc.constantFrom(...MARKS), { maxLength: 30 })

  test('is right as soon as a paragraph is whole, however it was marked and cut', () => {
    fc.assert(
      fc.property(pieces(), (pieces) => {
        const text = pieces.join('')
        fc.pre(text.trim() !== '')
        expect(toldBy([...pieces, '\n\nEnd'], 'en').html).toBe(proseOf(`${text}\n\nEnd`, 'en'))
      }),
    )
  })

  test('is the same for a page that comes later, wherever the text is cut', () => {
    fc.assert(
      fc.property(pieces(), fc.nat(20), (pieces, at) => {
        const early = pieces.slice(0, at)
        const prose = new StreamingProse('en')
        prose.add(early.join(''))
        const holder = document.createElement('div')
        holder.innerHTML = render(prose.soFar())
        expect(holder.innerHTML).toBe(toldBy(early, 'en').html)
      }),
    )
  })
})
