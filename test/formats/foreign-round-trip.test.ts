import { describe, expect, test } from 'bun:test'
import type { PortableAction } from '../../src/domain/portable/portable.ts'
import type { CardFields } from '../../src/domain/story-card.ts'
import { WHOLE_STORY } from '../../src/formats/book/passages.ts'
import { makeCharacterJson } from '../../src/formats/character-card/make-card.ts'
import { makeWorldInfo } from '../../src/formats/lore/make-lore.ts'
import { makeAction } from '../../src/formats/shared/actions.ts'
import { makeChat } from '../../src/formats/sillytavern-chat/make-chat.ts'
import { AT, LAMP_ROAD, lampStory } from '../support/files/portable.ts'
import { keysIn } from '../support/files/receipt-faults.ts'
import { read, sample } from './samples.ts'

/** A card as another program keeps it, which does not know what we add. */
function foreignCard(scenario: Parameters<typeof makeCharacterJson>[0]) {
  const { spec, spec_version, data } = JSON.parse(makeCharacterJson(scenario, AT))
  const { inglenook, inglenook_hash, ...extensions } = data.extensions
  expect(inglenook_hash).toBeString()
  expect(inglenook).toMatchObject({ format: 'inglenook-scenario' })
  return { spec, spec_version, data: { ...data, extensions } }
}

describe('a character card', () => {
  for (const name of ['card-v1.json', 'card-v2.json', 'card-v3.json', 'card-pygmalion.json'])
    test(`${name} comes out as it came in`, () => {
      const [scenario] = read(sample(name)).scenarios
      if (!scenario) throw new Error('no scenario')
      const card = foreignCard(scenario)
      const [again] = read(card).scenarios
      const types = (cards: CardFields[] = []) => cards.map((one) => ({ ...one, type: '' }))
      expect({ ...again, story_cards: types(again?.story_cards) }).toEqual({
        ...scenario,
        image: '',
        story_cards: types(scenario.story_cards),
      })
    })

  test('says that its cards trigger each other, where all of them do', () => {
    const timing = { when: [], how: { triggers_others: true } }
    const story_cards = LAMP_ROAD.story_cards.map((card) => ({ ...card, timing }))
    const card = foreignCard({ ...LAMP_ROAD, story_cards })
    expect(card.data.character_book.recursive_scanning).toBe(true)
    const [again] = read(card).scenarios
    expect(again?.story_cards.map((one) => one.timing)).toEqual(story_cards.map(() => timing))
    expect(foreignCard(LAMP_ROAD).data.character_book.recursive_scanning).toBeUndefined()
  })

  test('has each text in the field of its own', () => {
    const given = {
      name: 'Odo',
      description: 'A broker.\n\nHe lends.',
      personality: 'dry',
      scenario: 'A market.',
      first_mes: '{{user}}, sit.',
      mes_example: '<START>\n{{user}}: hi',
      creator_notes: 'For two.',
      creator: 'M., of the inn',
      character_version: '1.2',
      system_prompt: 'Be dry.',
      post_history_instructions: 'Stay with {{user}}.',
    }
    const [scenario] = read({ spec: 'chara_card_v2', data: given }).scenarios
    if (!scenario) throw new Error('no scenario')
    expect(foreignCard(scenario).data).toMatchObject(given)
    const alone = { ...given, system_prompt: '' }
    const [other] = read({ spec: 'chara_card_v2', data: alone }).scenarios
    expect(other && foreignCard(other).data).toMatchObject(alone)
  })

  test('has its nickname beside its name, and the macro for it', () => {
    const given = {
      name: 'Odo Marr, broker',
      nickname: 'Odo',
      description: '{{char}} lends.',
      first_mes: '{{char}} nods.',
      creator_notes: 'For two.',
      creator: 'M.',
      character_version: '2',
    }
    for (const origin of [
      {},
      { creator: '' },
      { creator: '', character_version: '' },
      { creator_notes: '' },
    ]) {
      const data = { ...given, ...origin }
      const [scenario] = read({ spec: 'chara_card_v3', data }).scenarios
      if (!scenario) throw new Error('no scenario')
      expect(scenario).toMatchObject({ title: given.name, prompt: 'Odo nods.', memory: 'Odo: Odo lends.' })
      expect(foreignCard(scenario).data).toMatchObject(data)
    }
  })

  test('has a macro for the name of its character, which is no part of another word', () => {
    const given = {
      name: 'Odo',
      first_mes: '{{char}} and Odos {{random:Odo,x}}: "Odo!"',
      description: 'Odo lends.',
    }
    const [scenario] = read({ spec: 'chara_card_v2', data: given }).scenarios
    if (!scenario) throw new Error('no scenario')
    expect(foreignCard(scenario).data).toMatchObject({
      name: 'Odo',
      first_mes: '{{char}} and Odos {{random:Odo,x}}: "{{char}}!"',
      description: '{{char}} lends.',
    })
    const { name, first_mes } = foreignCard({ ...LAMP_ROAD, title: 'user (${x})' }).data
    expect({ name, first_mes }).toEqual({
      name: 'user (x)',
      first_mes: '{{user}} sees the first lamp go out.',
    })
  })

  test('that was edited elsewhere brings its texts, and the stats that only we know', () => {
    const card = JSON.parse(makeCharacterJson(LAMP_ROAD, AT))
    expect(read(card).scenarios).toEqual([LAMP_ROAD])
    card.data.name = 'The Lamp Road, sanitized'
    expect(read(card).scenarios).toEqual([LAMP_ROAD])
    card.data.alternate_greetings = ['It is {{user}}.']
    card.data.character_book.entries[0].content = 'It burns brighter.'
    const { scenarios, receipt } = read(card)
    expect(scenarios[0]).toMatchObject({
      greetings: ['It is ${Your name}.'],
      icon: LAMP_ROAD.icon,
      stat_schema: LAMP_ROAD.stat_schema,
      story_cards: [{ name: 'Lamp', entry: 'It burns brighter.' }],
    })
    expect(keysIn(receipt.changed)).toContain('data.extensions.inglenook')
  })

  test('has the greetings, the timing of its cards and everything else that both can hold', () => {
    const timing = { when: [], how: { stays: 3, rests: 2, begins: 4, chance: 40, group: 'inn' } }
    const story_cards = [{ type: '', name: 'Bell', keys: 'bell', entry: 'It rings.', notes: 'mine', timing }]
    const scenario = {
      ...LAMP_ROAD,
      stat_schema: null,
      icon: '',
      greetings: ['One, ${Your name}.', 'Two.'],
      story_cards,
    }
    const card = foreignCard(scenario)
    expect(card.data.alternate_greetings).toEqual(['One, {{user}}.', 'Two.'])
    expect(read(card).scenarios).toEqual([{ ...scenario, memory: `The Lamp Road: ${scenario.memory}` }])
  })

  test('of the first version keeps what its creator says', () => {
    const { creatorcomment, ...card } = { ...sample('card-v1.json'), creatorcomment: 'For two.' }
    expect(read({ ...card, creatorcomment }).scenarios[0]?.description).toBe('For two.')
  })

  test('asks nothing but for the name of its reader', () => {
    const entries = [{ keys: ['a ${b}'], content: '${user.name} for {{user}}', enabled: true }]
    const data = {
      name: 'Odo',
      first_mes: 'Pay ${price}, {{user}}.',
      alternate_greetings: ['${x}'],
      character_book: { entries },
    }
    const [scenario] = read({ spec: 'chara_card_v2', data }).scenarios
    expect(scenario).toMatchObject({
      prompt: 'Pay {price}, ${Your name}.',
      greetings: ['{x}'],
      story_cards: [{ keys: 'a {b}', entry: '{user.name} for ${Your name}' }],
    })
  })

  test('has a macro or words for every placeholder', () => {
    const { data } = foreignCard({
      ...LAMP_ROAD,
      prompt: '${Your name} and ${ Hero name } find ${a thing}. ${}',
    })
    expect(data.first_mes).toBe('{{user}} and {{user}} find a thing. ')
  })
})

test('story cards come back from World Info with all their triggers', () => {
  const card = (name: string, keys: string): CardFields => ({
    type: '',
    name,
    keys,
    entry: `${name}.`,
    notes: '',
  })
  const cards = [
    card('Plain', 'lamp, oil'),
    card('Always', '*'),
    card('Always too', '*, lamp'),
    card('Off', '-*, lamp'),
    card('Second', 'lamp, +oil, +wick'),
    card('Blocked', 'lamp, -toy'),
    card('Pattern', '/l[a,b]mp/i'),
    card('Whole', '=lamp, +*oil lamp'),
    card('Anywhere', '*lamp, -*oil'),
  ]
  expect(read(makeWorldInfo(cards)).story_cards).toEqual(cards)
  const [again] = read(foreignCard({ ...LAMP_ROAD, story_cards: cards })).scenarios
  expect(again?.story_cards).toEqual(cards)
})

describe('a story', () => {
  const spoken = ({ type, text, reasoning, variants, variant_index, created_at }: PortableAction) => ({
    type,
    text,
    reasoning,
    created_at,
    versions: variants.map(({ text, reasoning, created_at }) => ({ text, reasoning, created_at })),
    live: variant_index,
  })

  test('comes back from a chat of SillyTavern with its versions, thoughts, times, names and note', () => {
    const story = { ...lampStory(), authors_note: 'Slow.' }
    const chat = [...makeChat(story, WHOLE_STORY)].join('')
    const [again] = read(chat, 'a.jsonl').adventures
    expect(again).toMatchObject({
      title: story.title,
      authors_note: 'Slow.',
      placeholders: story.placeholders,
    })
    const told = ({ versions, ...rest }: ReturnType<typeof spoken>) => ({
      ...rest,
      // The only version of a passage is the passage.
      versions: versions.length > 1 ? versions : [],
    })
    expect(again?.actions.map(spoken).map(told)).toEqual(story.actions.map(spoken).map(told))
    expect([...makeChat({ ...story, ...again, scenario: story.scenario }, WHOLE_STORY)].join('')).toBe(chat)
  })

  test('has lines without the mark of the narrator in a chat, which come back with it and their type', () => {
    const line = (type: string, text: string) => makeAction(type, text)
    const lines = [
      line('do', '> You open the door.\n> It creaks.'),
      line('say', '> You say "> no"'),
      line('do', 'Edited without a mark.'),
      line('story', '> A quote.'),
    ]
    const chat = [...makeChat({ ...lampStory(), actions: [line('start', 'Dusk.'), ...lines] }, WHOLE_STORY)]
    expect(chat.slice(2).map((message) => JSON.parse(message).mes)).toEqual([
      'You open the door.\n> It creaks.',
      'You say "> no"',
      'Edited without a mark.',
      '> A quote.',
    ])
    const back = (text: string) => read(text, 'a.jsonl').adventures[0]?.actions.slice(1)
    expect(back(chat.join(''))).toMatchObject([
      ...lines.slice(0, 2),
      { type: 'story', text: 'Edited without a mark.' },
      { type: 'story', text: '> A quote.' },
    ])
    expect(back(chat.join('').replace('You open', 'You shut'))?.[0]).toMatchObject({
      type: 'do',
      text: '> You shut the door.\n> It creaks.',
    })
  })
})
