import { beforeAll, describe, expect, test } from 'bun:test'
import { Window } from 'happy-dom'
import { say } from '../../support/endpoint/endpoint.ts'
import { unzipped } from '../../support/files/unzipped.ts'
import { playTurn } from '../../support/service/events.ts'
import { startWithModel } from '../../support/service/with-model.ts'

const { endpoint, server } = await startWithModel({}, {})
let told = 0
endpoint.byDefault((exchange) => say(`Passage ${++told}.`)(exchange))

let first = 0

const actionAt = async (id: number, index: number) =>
  (await server.get(`/api/adventures/${id}`)).body.actions[index].id as number
async function branch(id: number, index: number, name: string): Promise<number> {
  const { body } = await server.post(`/api/adventures/${id}/family`, {
    action_id: await actionAt(id, index),
    name,
  })
  return body.id
}
async function book(format: string, more = '&branches=true'): Promise<Uint8Array> {
  const answer = await server.ask(`/api/adventures/${first}/export?format=${format}${more}`)
  expect(answer.status).toBe(200)
  return new Uint8Array(await answer.arrayBuffer())
}
const textOf = async (format: string, more?: string) => new TextDecoder().decode(await book(format, more))

beforeAll(async () => {
  first = (await server.post('/api/adventures', { title: 'The <Nine> Bells' })).body.id
  await server.send('PATCH', `/api/adventures/${first}/actions/${await actionAt(first, 0)}`, {
    text: 'A bell rings.',
  })
  const play = (id: number, text: string) => playTurn(server, id, { type: 'do', text })
  await play(first, 'go up')
  const north = await branch(first, 2, 'North & on')
  await play(first, 'go down')
  await play(north, 'go north')
  await server.send('PUT', `/api/adventures/${north}/bookmarks/${await actionAt(north, 4)}`, {
    name: 'The ice',
  })
  await branch(north, 4, 'Deep *snow*')
  await branch(first, 0, 'Nobody rings')
})

describe('a book of all branches', () => {
  test('tells in Markdown what they share once, with their map as contents', async () => {
    expect((await textOf('markdown')).split('\n\n')).toEqual([
      '# The \\<Nine\\> Bells: all branches',
      [
        '- [Original](#branch-1)',
        '  - [North & on](#branch-2)',
        '    - The ice',
        '    - [Deep \\*snow\\*](#branch-3)',
        '  - [Nobody rings](#branch-4)',
      ].join('\n'),
      '<a id="branch-1"></a>',
      '## Original',
      'A bell rings.',
      '> You go up.',
      'Passage 1.',
      '> You go down.',
      'Passage 2.',
      '<a id="branch-2"></a>',
      '## North & on',
      '*Goes on from “Original” after passage 2.*',
      '> You go north.',
      '## The ice',
      'Passage 3.',
      '<a id="branch-3"></a>',
      '## Deep \\*snow\\*',
      '*Goes on from “North & on” after passage 4.*',
      '<a id="branch-4"></a>',
      '## Nobody rings',
      '*Goes on from “Original” after passage 0.*\n',
    ])
  })

  test('is a page with a drawn map, whose contents lead to every branch', async () => {
    const { document } = new Window()
    document.write(await textOf('html'))
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const links = [...document.querySelectorAll('nav a')].map((link) => link.getAttribute('href')?.slice(1))
    expect(links).toEqual([
      'branch-1',
      'branch-2',
      expect.stringMatching(/^chapter-/),
      'branch-3',
      'branch-4',
    ])
    expect(links.filter((id) => !ids.includes(id ?? ''))).toEqual([])
    expect(document.querySelectorAll('nav > ol > li')).toHaveLength(1)
    expect(document.querySelectorAll('nav > ol > li > ol > li')).toHaveLength(2)
    expect(
      [...document.querySelectorAll('svg[role=img] text')].map(({ textContent }) => textContent),
    ).toEqual(['Original', 'North & on', 'Deep *snow*', 'Nobody rings'])
    expect(document.querySelectorAll('svg[role=img] circle')).toHaveLength(4)
  })

  test('is an e-book with the map on its title page and a tree of contents', async () => {
    const files = new Map(unzipped(await book('epub')).map(({ name, text }) => [name, text]))
    const [title = '', nav = '', opf = ''] = ['title.xhtml', 'nav.xhtml', 'package.opf'].map((name) =>
      files.get(`book/${name}`),
    )
    expect(title).toContain('<svg xmlns="http://www.w3.org/2000/svg"')
    expect(opf).toContain('href="title.xhtml" media-type="application/xhtml+xml" properties="svg"')
    const links = [...nav.matchAll(/<a href="([^"]+)">([^<]+)<\/a>/g)].map(([, file, name]) => [file, name])
    expect(links.map(([, name]) => name)).toEqual([
      'Title',
      'Original',
      'North &amp; on',
      'The ice',
      'Deep *snow*',
      'Nobody rings',
    ])
    expect(links.filter(([file]) => !files.has(`book/${file}`))).toEqual([])
    expect(nav.match(/<ol>/g)).toHaveLength(3)
  })

  test('is asked for: else a book is of one branch', async () => {
    const text = await textOf('markdown', '')
    expect(text).toStartWith('# The \\<Nine\\> Bells\n')
    expect(text).not.toContain('branch-1')
    const panel = async (id: number) => (await server.ask(`/adventures/${id}?panel=export`)).text()
    expect(await panel(first)).toContain('name="branches"')
    const alone = (await server.post('/api/adventures', { title: 'Alone' })).body.id
    expect(await panel(alone)).not.toContain('name="branches"')
  })
})
