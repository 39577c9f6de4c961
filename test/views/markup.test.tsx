import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { Window } from 'happy-dom'
import type { ActionView } from '../../src/domain/action.ts'
import { planRefresh } from '../../src/domain/refresh/plan.ts'
import { EMPTY_SCENARIO } from '../../src/domain/scenario.ts'
import { NotFoundPage } from '../../src/views/error-pages.tsx'
import { ScenariosPage } from '../../src/views/library/scenarios.tsx'
import { Action } from '../../src/views/play/passage/action.tsx'
import { ActionEditor } from '../../src/views/play/passage/action-editor.tsx'
import { Prose } from '../../src/views/prose/prose.tsx'
import { RefreshPage } from '../../src/views/refresh/refresh.tsx'
import { FoundServers } from '../../src/views/settings/found-servers.tsx'

const document = new Window().document

function elements(html: string): { tags: string[]; text: string } {
  const holder = document.createElement('div')
  holder.innerHTML = html
  return {
    tags: [...holder.querySelectorAll('*')].map(({ tagName }) => tagName.toLowerCase()),
    text: holder.textContent ?? '',
  }
}

describe('prose', () => {
  const cases: [text: string, html: string][] = [
    ['One.\n\nTwo.', '<p>One.</p><p>Two.</p>'],
    ['*soft* and **loud**', '<p><em>soft</em> and <strong>loud</strong></p>'],
    ['***both***', '<p><strong><em>both</em></strong></p>'],
    ['2 * 3 * 4', '<p>2 * 3 * 4</p>'],
    ['Then\n---\nnow', '<p>Then</p><hr><p>now</p>'],
    ['***', '<hr>'],
    ['_soft_ and snake_case_name', '<p><em>soft</em> and snake_case_name</p>'],
    ['“_Soft_,” she _says_.', '<p>“<em>Soft</em>,” she <em>says</em>.</p>'],
    ['# The *lower* cellar\n\nDust.', '<h3>The <em>lower</em> cellar</h3><p>Dust.</p>'],
    ['#1 of\n# many', '<p>#1 of\n# many</p>'],
    ['- a list\n# no heading', '<p>- a list\n# no heading</p>'],
    ['**open', '<p>**open</p>'],
    [
      '[a](javascript:alert(1)) ![b](https://c.d/e.png)',
      '<p>[a](javascript:alert(1)) ![b](https://c.d/e.png)</p>',
    ],
    ['<img src=x onerror=alert(1)> & "q"', '<p>&lt;img src=x onerror=alert(1)&gt; &amp; &quot;q&quot;</p>'],
  ]
  for (const [text, html] of cases)
    test(text, () => expect((<Prose text={text} language="und" />).html).toBe(html))

  test('a long run without a space can break, and loses no letter', () => {
    const run = '🌲'.repeat(1200)
    const shown = elements((<Prose text={`Look: ${run}!`} language="und" />).html)
    expect(shown).toEqual({ tags: ['p', 'wbr', 'wbr'], text: `Look: ${run}!` })
  })

  test('never makes any other element, and shows every word', () => {
    const marks = fc.constantFrom(
      '*',
      '**',
      '***',
      '\n',
      '\n\n',
      '---',
      '<b>',
      '</p>',
      '&',
      '"',
      "'",
      '_',
      'word',
      ' ',
      '<script>',
      '`',
      '# ',
      '> ',
      '- ',
      '1. ',
      '2. ',
    )
    fc.assert(
      fc.property(fc.array(marks, { maxLength: 40 }), (parts) => {
        const { tags, text } = elements((<Prose text={parts.join('')} language="en" />).html)
        expect(tags.filter((tag) => !/^(p|em|strong|hr|h[3-6]|ul|ol|li|blockquote)$/.test(tag))).toEqual([])
        const words = (shown: string) => shown.match(/word|<b>|<script>/g) ?? []
        expect(words(text)).toEqual(words(parts.join('')))
      }),
    )
  })
})

describe('what a stranger wrote is text wherever it is shown', () => {
  const hostile = '<script>alert(1)</script>"\'><img src=x onerror=alert(1)>&amp;</textarea></title>'
  const action: ActionView = {
    id: 1,
    adventure_id: 1,
    index: 0,
    type: hostile,
    text: hostile,
    reasoning: hostile,
    steering: hostile,
    variant_count: 2,
    variant_index: 0,
    cut: null,
    hidden: false,
    waiting: false,
    created_at: '',
    world_changes: [
      {
        kind: 'stat',
        path: hostile,
        label: hostile,
        delta: null,
        value: hostile,
        asked: hostile,
        clamped: true,
        verdict: 'limited',
        reason: hostile,
      },
      {
        kind: 'rejected',
        path: hostile,
        label: hostile,
        asked: hostile,
        verdict: 'refused',
        reason: hostile,
      },
    ],
  }
  const scenario = {
    id: 1,
    title: hostile,
    description: hostile,
    tags: hostile,
    icon: hostile,
    image_url: '',
    updated_at: '',
  }
  const plan = planRefresh({
    scenario: {
      ...EMPTY_SCENARIO,
      id: 1,
      created_at: '',
      updated_at: '',
      title: hostile,
      memory: `${hostile} \${${hostile.replaceAll('}', '')}}`,
      stat_schema: {
        player: { [hostile]: { desc: hostile, initial: 1 } },
        npcs: { [hostile]: { name: hostile } },
      },
    },
    scenario_cards: [
      {
        id: 1,
        scenario_id: 1,
        adventure_id: null,
        type: '',
        name: hostile,
        keys: hostile,
        entry: hostile,
        notes: '',
      },
    ],
    adventure: { memory: '', authors_note: hostile, ai_instructions: '', example_dialogue: '' },
    story_cards: [],
    cards_adopted: true,
    answers: {},
    schema: null,
    state: {},
  })
  const questions = [{ name: hostile, places: [{ at: 'card' as const, name: hostile }] }]
  const pages = {
    refresh: () => (
      <RefreshPage
        adventure={{ id: 1, title: hostile }}
        plan={plan}
        version={hostile}
        questions={questions}
        notice={hostile}
        typed={{ 'question-0': hostile, 'answer-0': hostile }}
      />
    ),
    action: () => (
      <Action
        action={action}
        look={{
          language: { language: 'und', marks: 'und' },
          rules: null,
          checks: [],
          reroll: () => null,
          recorded: () => action.id,
          offersRecord: () => true,
          bookmarked: new Set<number>(),
        }}
        newest
      />
    ),
    editor: () => <ActionEditor action={action} />,
    scenarios: () => <ScenariosPage scenarios={[scenario]} />,
    nothing: () => <NotFoundPage sentence={hostile} />,
    servers: () => (
      <FoundServers
        servers={[
          {
            url: hostile,
            server: 'unknown',
            name: hostile,
            evidence: [hostile],
            models: [hostile],
            windows: { [hostile]: 1 },
            advice: hostile,
          },
        ]}
      />
    ),
  }
  for (const [name, page] of Object.entries(pages))
    test(name, () => {
      const { html } = page()
      expect(html).not.toContain('<script>alert')
      expect(html).not.toContain('<img src=x')
      expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    })
})

describe('the doors of the templates', () => {
  test('take no objects, no promises, no handlers, no styles, no scripts and no strange addresses', () => {
    expect(() => <p>{{} as never}</p>).toThrow()
    expect(() => <p>{Promise.resolve('x') as never}</p>).toThrow()
    expect(() => <p onclick="x" />).toThrow()
    expect(() => <p style="color: red" />).toThrow()
    expect(() => <script>alert(1)</script>).toThrow()
    expect(() => <a href="javascript:alert(1)" />).toThrow()
    expect(() => <a href="data:text/html,x" />).toThrow()
    expect(() => <p {...{ 'x"><img': '' }} />).toThrow()
  })
})

test('what stands in a field comes back as it was typed', () => {
  const typed = 'a &lt; b & "c" <d>'
  expect((<input value={typed} />).html).toBe('<input value="a &amp;lt; b &amp; &quot;c&quot; &lt;d&gt;">')
})
