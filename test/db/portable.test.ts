import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Library } from '../../src/db/library.ts'
import { getPortableAdventure, getPortableScenario } from '../../src/db/stories/portable.ts'
import { LIVE_TEXT, leaveEarlierLibrary, WORLD } from '../support/earlier/release.ts'
import { openLibrary } from '../support/library/open.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** A library of the earlier release with some changes. */
function libraryWith(also = ''): Library {
  const path = join(temporaryFolder(), 'library.db')
  leaveEarlierLibrary(path, { also })
  return openLibrary(path)
}

describe('a story is exported completely', () => {
  test('with its scenario, cards, memories and all variants with their world states', () => {
    const library = libraryWith()
    const story = getPortableAdventure(library.reader, 1)
    expect(story).toMatchObject({
      title: 'Nine Nights',
      placeholders: { hero: 'Tamsin' },
      stat_schema: { player: { hp: { max: 100 } } },
      world_state: { player: { hp: 60, dread: 3, luck: null } },
      summary: null,
      scenario: {
        title: 'The Dark Light',
        image: expect.stringContaining('data:image/png'),
        story_cards: [],
      },
      memories: [
        { text: 'The rail broke.', source_start: 0, source_end: 5, stale: false },
        { text: 'The oar held.', source_start: 6, source_end: 11 },
        { text: 'Written by hand.', source_start: null, source_end: null },
      ],
    })
    expect(story.actions).toHaveLength(14)
    expect([...story.actions].map(({ type }) => type)).toEqual([
      'start',
      'do',
      'ai',
      'say',
      'ai',
      'ai',
      'story',
      'ai',
      'do',
      'ai',
      'do',
      'ai',
      'say',
      'ai',
    ])
    const last = [...story.actions][13]
    expect(last).toMatchObject({
      text: LIVE_TEXT,
      variant_index: 1,
      world_state_before: WORLD.before,
      created_at: '2026-03-01T10:00:00.000Z',
    })
    expect(last?.variants.map(({ world_state }) => world_state?.state)).toEqual(WORLD.after)
    // Extra fields that early builds stored in a variant are left out: they may contain whole prompts.
    expect(Object.keys(last?.variants[0] ?? {})).toEqual(['text', 'reasoning', 'created_at', 'world_state'])
    library.close()
  })

  test('however long it is, with each action once and in order', () => {
    const library = libraryWith()
    library.write((tx) => {
      for (let index = 14; index < 1_601; index++)
        tx.run(
          `INSERT INTO actions (adventure_id, "index", type, text, created_at, variant_count, variant_index)
           VALUES (1, ?, 'ai', ?, '', 0, 0)`,
          index,
          `Passage ${index}.`,
        )
    })
    const { actions } = getPortableAdventure(library.reader, 1)
    expect([...actions].slice(14).map(({ text }) => text)).toEqual(
      Array.from({ length: 1_587 }, (_, i) => `Passage ${i + 14}.`),
    )
    library.close()
  })

  test('with an edit made by an old build as the live variant', () => {
    const library = libraryWith("UPDATE actions SET text = 'Rewritten.' WHERE id = 14")
    const last = [...getPortableAdventure(library.reader, 1).actions][13]
    expect(last).toMatchObject({ text: 'Rewritten.', variant_index: 1 })
    expect(last?.variants[1]).toMatchObject({ text: 'Rewritten.', edited: true })
    expect(last?.variants[0]?.edited).toBeUndefined()
    library.close()
  })

  test('with an invalid live variant replaced by a valid one', () => {
    const library = libraryWith(
      "UPDATE actions SET variant_index = 9, text = 'You do not wait.' WHERE id = 14",
    )
    expect([...getPortableAdventure(library.reader, 1).actions][13]).toMatchObject({
      variant_index: 2,
      text: 'You do not wait.',
    })
    library.close()
  })

  test('with an empty schema if it has no scenario or no stats', () => {
    const library = libraryWith('UPDATE adventures SET scenario_id = NULL WHERE id = 1')
    expect(getPortableAdventure(library.reader, 1)).toMatchObject({ scenario: null, stat_schema: {} })
    expect(getPortableAdventure(library.reader, 2)).toMatchObject({
      stat_schema: {},
      scenario: { title: 'Night Market' },
    })
    library.close()
  })
})

describe('a card refers to its source in the scenario', () => {
  const cards = `
    INSERT INTO story_cards (id, scenario_id, type, name, keys, entry, notes) VALUES (7, 2, '', 'A', '', '', ''), (9, 2, '', 'B', '', '', '');
    DELETE FROM story_cards WHERE id = 1;
    INSERT INTO story_cards (adventure_id, type, name, keys, entry, notes, source_ref)
      VALUES (1, '', 'b', '', '', '', 'card:9'), (1, '', 'mira', '', '', '', 'npc:mira'), (1, '', 'gone', '', '', '', 'card:8'),
             (1, '', 'mine', '', '', '', NULL), (1, '', 'a', '', '', '', 'card:7');`
  test('by position, because ids mean nothing in another library', () => {
    const library = libraryWith(cards)
    const { story_cards, scenario } = getPortableAdventure(library.reader, 1)
    expect(story_cards.map(({ name, source_ref }) => [name, source_ref])).toEqual([
      ['b', 'card:1'],
      ['mira', 'npc:mira'],
      ['gone', null],
      ['mine', null],
      ['a', 'card:0'],
    ])
    expect(scenario?.story_cards.map(({ name }) => name)).toEqual(['A', 'B'])
    expect(Object.keys(getPortableScenario(library.reader, 2).story_cards[0] ?? {})).toEqual([
      'type',
      'name',
      'keys',
      'entry',
      'notes',
    ])
    library.close()
  })
})

describe('if a story has gaps, every index is replaced by the position', () => {
  // Story 2 has the indexes 0, 1 and 4.
  const state = (at: number) => ({
    player: { hp: 1 },
    milestones: { seen: { reached: true, at }, old: { reached: true } },
    _meta: { last_changed: { 'player.hp': at } },
  })
  const also = `
    UPDATE adventures SET world_state = '${JSON.stringify(state(4))}' WHERE id = 2;
    UPDATE actions SET world_state_before = '${JSON.stringify(state(1))}',
      variants = '[{"text": "It opens.", "world_state": {"delta": {}, "report": {}, "state": ${JSON.stringify(state(4))}}}]' WHERE id = 22;
    INSERT INTO memories (adventure_id, text, source_start, source_end, embedded, pinned, forgotten, use_count, created_at)
      VALUES (2, 'Old', 1, 4, 0, 0, 0, 0, ''), (2, 'Gap', 2, 3, 0, 0, 0, 0, '');`

  test('in clocks, goals, memories and the summary', () => {
    const library = libraryWith(also)
    library.write((tx) =>
      tx.insert('summaries', { adventure_id: 2, covers: 4, text: 'x', made_by: 'model', created_at: '' }),
    )
    const story = getPortableAdventure(library.reader, 2)
    expect(story.world_state).toEqual(state(2))
    expect([...story.actions].map(({ text }) => text)).toEqual([
      '${hero} counts.',
      '> You knock.',
      'It opens.',
    ])
    expect([...story.actions][2]?.world_state_before).toEqual(state(1))
    expect([...story.actions][2]?.variants[0]?.world_state?.state).toEqual(state(2))
    expect(story.memories).toMatchObject([
      { text: 'Old', source_start: 1, source_end: 2 },
      { text: 'Gap', source_start: 1, source_end: 1 },
    ])
    expect(story.summary).toEqual({ covers: 2, made_by: 'model' })
    library.close()
  })
})
