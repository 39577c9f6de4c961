import { describe, expect, test } from 'bun:test'
import { searchLibrary } from '../../../src/app/search-library.ts'
import { repairSearchIndex } from '../../../src/db/search/story-index.ts'
import { updateActionText } from '../../../src/db/tables/actions/write.ts'
import { insertCard } from '../../../src/db/tables/story-cards.ts'
import { leaveEarlierLibrary } from '../../support/earlier/release.ts'
import { openLibrary } from '../../support/library/open.ts'
import { begin, elsewhere, found, place, tell } from '../../support/library/searched.ts'

describe('text written by another program', () => {
  test('is found after the library is opened again, and deleted text is not', () => {
    const path = place()
    leaveEarlierLibrary(path)
    const first = openLibrary(path)
    const actions = first.reader.all<{ id: number }>("SELECT id FROM actions WHERE text LIKE '%opens%'")
    expect(found(first, 'opens', { kind: 'action' })).toEqual(
      actions.map(({ id }) => `action ${id}`).reverse(),
    )
    expect(found(first, 'silverfinch')).toEqual([])
    first.close()
    elsewhere(
      path,
      "UPDATE actions SET text = 'A silverfinch sings.' WHERE id = 3",
      "UPDATE story_cards SET entry = 'silverfinch' WHERE id = (SELECT min(id) FROM story_cards)",
      "UPDATE adventures SET title = 'Silverfinch' WHERE id = 2",
      'DELETE FROM actions WHERE adventure_id = 2',
    )
    const again = openLibrary(path)
    expect(found(again, 'silverfinch')).toEqual(['adventure 2', 'story_card 1', 'action 3'])
    expect(found(again, 'opens', { kind: 'action', adventure: 2 })).toEqual([])
    again.close()
  })

  test('is all that is indexed again: an up-to-date index does not change', () => {
    const library = openLibrary(place())
    library.write((tx) => {
      tell(tx, begin(tx, 'Straße'), 0, 'Ünïcödé 猫 🐉\0 and more')
      expect(repairSearchIndex(tx).repaired).toBe(0)
      tx.run("UPDATE actions SET text = 'other'")
      expect(repairSearchIndex(tx).repaired).toBe(1)
      tx.run('DELETE FROM search_indexed')
      expect(repairSearchIndex(tx).repaired).toBeGreaterThan(3)
    })
    expect(found(library, 'other', { kind: 'action' })).toEqual(['action 1'])
    expect(found(library, '猫')).toEqual([])
    library.close()
  })

  test('is not found by its old words even before the library is opened again', () => {
    const library = openLibrary(place())
    library.write((tx) => {
      tell(tx, begin(tx, 'One'), 0, 'A silverfinch sings.')
      tx.run("UPDATE actions SET text = 'Nothing sings.'")
    })
    expect(found(library, 'silverfinch')).toEqual([])
    library.close()
  })
})

describe('a search', () => {
  const library = openLibrary(place())
  library.write((tx) => {
    tx.run('DELETE FROM scenarios')
    repairSearchIndex(tx)
    for (let story = 1; story <= 12; story++) {
      const id = begin(tx, `Story ${story}`)
      for (let index = 0; index < 5; index++) tell(tx, id, index, `The lamp burns, ${story} nights.`)
      insertCard(tx, { adventure_id: id }, { type: '', name: 'Lamp', keys: '', entry: '', notes: '' }, null)
    }
  })

  test('continues after the last result of a page, and misses nothing', () => {
    const seen: string[] = []
    for (let before: number | null | undefined; before !== null; ) {
      const page = searchLibrary(library.reader, 'lamp', { limit: 7, before })
      expect(page.items.length).toBeLessThanOrEqual(7)
      seen.push(...page.items.map(({ kind, id }) => `${kind} ${id}`))
      before = page.next
    }
    expect(seen).toHaveLength(72)
    expect(new Set(seen).size).toBe(72)
    expect(seen[0]).toBe('story_card 12')
    expect(seen.at(-1)).toBe('action 1')
  })

  test('can be limited to one story, without those whose number starts with the same digits', () => {
    expect(found(library, 'lamp', { adventure: 1 })).toEqual([
      'story_card 1',
      ...[5, 4, 3, 2, 1].map((id) => `action ${id}`),
    ])
    expect(found(library, 'lamp', { adventure: 1, kind: 'story_card' })).toEqual(['story_card 1'])
    expect(found(library, 'lamp', { adventure: 13 })).toEqual([])
  })

  const LANGUAGES: [text: string, finds: string[], not: string[]][] = [
    [
      'The well-known Keeper’s lantern.',
      ['keeper', "keeper's", 'lant', 'well-known', 'known lan', '"keeper\'s lantern"'],
      ['antern', 'an', '"well-know"', '"lantern the"'],
    ],
    [
      'Die Tür über der Straße fällt zu.',
      ['tur', 'TÜR', 'strasse', 'STRAẞE', 'fallt', 'stras'],
      ['tuer', 'rasse'],
    ],
    ['Смотритель зажёг фонарь; ёж ушёл.', ['фонар', 'ЗАЖЕГ', 'ёж', 'еж'], ['лампа', 'онарь']],
    ['他们在图书馆里见面。', ['图', '图书', '图书馆', '见面。', '书馆 见面'], ['馆书', '猫']],
    ['猫が窓からガラスを割った', ['猫', '窓', 'ガラ', 'ｶﾞﾗｽ', '割った'], ['カラス', '犬']],
    ['แมวกระโดดออกจากหน้าต่าง', ['แมว', 'หน้าต่าง', 'กร'], ['หมา']],
    ["Élodie d’Arcy met Siobhán O'Malley", ['elodie', "d'arcy", 'malley', 'o’malley', 'siobhan'], ['darcy']],
    ['השומר בבית הגדול', ['בית', 'בבית', 'שומר'], ['חתול']],
    ['الحارس في البيت', ['بيت', 'البيت'], ['قط']],
    ['고양이가 창문을 넘었다', ['고양이', '창문', '창'], ['강아지']],
    ['Tamsin sagt: 「また明日」 ❤️🐉', ['tamsin 明日', '「また', '🐉', '❤'], ['🦊', 'tamsin -明日']],
  ]
  for (const [index, [text, finds, not]] of LANGUAGES.entries())
    test(text, () => {
      const id = library.write((tx) => tell(tx, 12, 100 + index, text))
      const hits = (typed: string) => found(library, typed, { adventure: 12 }).includes(`action ${id}`)
      for (const typed of finds) expect([typed, hits(typed)]).toEqual([typed, true])
      for (const typed of not) expect([typed, hits(typed)]).toEqual([typed, false])
      library.write((tx) => updateActionText(tx, id, 'Nothing.', []))
      for (const typed of finds) expect([typed, hits(typed)]).toEqual([typed, false])
    })
})
