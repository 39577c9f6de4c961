import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { chooseCards } from '../../../src/domain/cards/card-budget.ts'
import { cardMatcher, type Hit } from '../../../src/domain/cards/card-triggers.ts'
import { composed } from '../../../src/domain/cards/folded-text.ts'
import { literalKey, parseKeys, splitKeys } from '../../../src/domain/cards/keys.ts'
import { compilePattern } from '../../../src/domain/cards/pattern.ts'
import { lowercase } from '../../../src/lib/fold-text.ts'
import { runs } from '../../support/depth.ts'

function matches(keys: string, text: string): Hit[] {
  return cardMatcher([{ keys, entry: 'lore' }]).match(text)
}

/** Where a key is found last; -1 when it is not. */
function lastOf(key: string, text: string): number {
  return matches(key, text)[0]?.at ?? -1
}

describe('keys', () => {
  const splits: [keys: string, parts: string[]][] = [
    ['', []],
    [' , ,', []],
    ['boat, old pier ,', ['boat', 'old pier']],
    ['Rome\\, Italy, 33\\,000', ['Rome\\, Italy', '33\\,000']],
    ['竜、王，宿', ['竜', '王', '宿']],
    ['تنين، ملك؛ نزل', ['تنين', 'ملك', 'نزل']],
    ['/a, b/, c', ['/a, b/', 'c']],
    ['c,/a,b/i ,-/x,y/', ['c', '/a,b/i', '-/x,y/']],
    ['/[/,]/, c', ['/[/,]/', 'c']],
    ['/a\\/,b/, c', ['/a\\/,b/', 'c']],
    ['/open, c', ['/open', 'c']],
    ['/[open, c/', ['/[open', 'c/']],
    ['/a/ b, c', ['/a/ b', 'c']],
    ['and/or, either/or', ['and/or', 'either/or']],
    ['- /a,b/ , c', ['- /a,b/', 'c']],
    ['+/a,b/, c', ['+/a,b/', 'c']],
    [`/${'a,'.repeat(150)}/, c`, [`/${'a,'.repeat(150)}/`, 'c']],
  ]
  for (const [keys, parts] of splits) test(keys, () => expect(splitKeys(keys)).toEqual(parts))

  const kinds: [key: string, kind: string, text: string, role?: string][] = [
    ['boat', 'word', 'boat'],
    ['= boat', 'whole', 'boat'],
    ['*boat', 'inside', 'boat'],
    ['/boats?/i', 'pattern', '/boats?/i'],
    ['-boat', 'word', 'boat', 'forbids'],
    ['-=boat', 'whole', 'boat', 'forbids'],
    ['- *boat', 'inside', 'boat', 'forbids'],
    ['-/boat/', 'pattern', '/boat/', 'forbids'],
    ['-', 'invalid', '', 'forbids'],
    ['+boat', 'word', 'boat', 'required'],
    ['+ =boat', 'whole', 'boat', 'required'],
    ['+/boat/', 'pattern', '/boat/', 'required'],
    ['=', 'invalid', ''],
    ['*', 'always', ''],
    ['/boat', 'invalid', '/boat'],
    ['/boat/g', 'pattern', '/boat/g'],
    ['/boat/x', 'invalid', '/boat/x'],
    ['++ boat', 'word', 'boat', 'required_all'],
    ['--/boat/', 'pattern', '/boat/', 'forbids_all'],
    ['=Rome\\, Italy', 'whole', 'Rome, Italy'],
    ['well-made', 'word', 'well-made'],
  ]
  for (const [written, kind, text, role = 'triggers'] of kinds)
    test(written, () => expect<object[]>(parseKeys(written)).toEqual([{ kind, text, role, written }]))

  test('any text is a key as it is', () => {
    const texts = fc.array(fc.string({ unit: fc.constantFrom(...'a-+=*/\\,、 [(') }))
    const property = fc.property(texts, (some) => {
      const trimmed = some.map((one) => one.trim()).filter(Boolean)
      const keys = parseKeys(trimmed.map((one) => literalKey(one)).join(', '))
      expect(keys.map(({ role, text }) => [role, text])).toEqual(trimmed.map((one) => ['triggers', one]))
    })
    fc.assert(property, { numRuns: runs(10_000) })
  })

  const found: [key: string, text: string, at: number][] = [
    ['boat', 'Two boats.', 4],
    ['boat', 'A boat, and a BOAT.', 14],
    ['boat', 'a lifeboat', -1],
    ['boat', '2boats', -1],
    ['boat', '_boat', 1],
    ['cat', 'an education', -1],
    ['*cat', 'an education', 6],
    ['gwen', 'It was GWEN’S.', 7],
    ["gwen's", 'It was GWEN’S.', 7],
    ['Gwen’s', "It was Gwen's.", 7],
    ['=gwen', 'It was GWEN’S.', 7],
    ['old pier', 'The old\n  pier.', 4],
    ['old  pier', 'The old\u00a0pier. The older pier.', 4],
    ['*d p', 'The old \n pier', 6],
    ['=old pier', 'old \t piers', -1],
    ['=boat', 'boats', -1],
    ['=boat', 'boat', 0],
    ['=boat', '“Boat!”', 1],
    ['=boat', 'lifeboat', -1],
    ['é', 'cliché', -1],
    ['é', 'cliche\u0301', -1],
    ['é', 'né Éa', 3],
    ['é', 'x e\u0301a', 2],
    ['*é', 'a cliche\u0301', 7],
    ['=cliche', 'cliche\u0301', -1],
    ['=cliche\u0301', 'a cliché', 2],
    ['after', 'e\u0301e\u0301 after', 5],
    ['istanbul', 'In İstanbul', 3],
    ['İstanbul', 'İİ istanbul', 3],
    ['after', 'İİİ after', 4],
    ['ὀδός', 'ΤΗΣ ὈΔΌΣ', 4],
    ['가', 'x \u1100\u1161', 2],
    ['龙', '龙来了', 0],
    ['龙', '看见龙了', 2],
    ['*龙', '看见龙了，龙', 5],
    ['=龙', '是，龙。', 2],
    ['म', 'हिम', -1],
    ['🐉', 'A 🐉!', 2],
    ['*🐉', 'dragon🐉', 6],
    ['🐉', '🐲🐉', 2],
    ['boat', '❤️boat', 2],
    ['𝒜', 'x 𝒜', 2],
    ['𝒜', '𝒜𝒜', 0],
  ]
  for (const [key, text, at] of found) test(`${key} in ${text}`, () => expect(lastOf(key, text)).toBe(at))

  test('that overlap, or that others end in, are all found', () => {
    const keys = ['*he', '*she', '*hers', '*s', '=ushers', 'user']
    const hits = cardMatcher(keys.map((key) => ({ keys: key, entry: 'lore' }))).match('the ushers')
    expect(hits).toEqual([
      { card: 0, key: '*he', at: 6 },
      { card: 1, key: '*she', at: 5 },
      { card: 2, key: '*hers', at: 6 },
      { card: 3, key: '*s', at: 9 },
      { card: 4, key: '=ushers', at: 4 },
    ])
  })

  test('one letter alone has a small form of another length', () => {
    for (let code = 0; code <= 0x10ffff; code++) {
      const letter = String.fromCodePoint(code)
      if (lowercase(`a${letter} Σ`).length !== letter.length + 3) throw new Error(code.toString(16))
    }
  })
})

describe('cards', () => {
  test('are ordered by the key that is mentioned last', () => {
    expect(matches('pier, boat', 'A boat, a pier, a boat')).toEqual([{ card: 0, key: 'boat', at: 18 }])
  })

  test('with a key that forbids say by which', () => {
    expect(matches('boat, -toy, -=sold', 'The toy boats')).toEqual([
      { card: 0, key: 'boat', at: 8, blocked: '-toy' },
    ])
    expect(matches('boat, -=sold', 'The soldier’s boats')).toEqual([{ card: 0, key: 'boat', at: 14 }])
    expect(matches('boat, -/toy.boat/', 'toy boat')[0]?.blocked).toBe('-/toy.boat/')
    expect(matches('boat, -/(/', 'boat')).toEqual([{ card: 0, key: 'boat', at: 0 }])
  })

  test('with the trigger `*` are always included, before all others', () => {
    expect(matches('*', '')).toEqual([{ card: 0, key: '*', at: 0 }])
    expect(matches('boat, *', 'e\u0301 boat')).toEqual([{ card: 0, key: '*', at: 7 }])
    expect(matches('*, -toy', 'A toy.')[0]?.blocked).toBe('-toy')
    expect(matches('*', '  \n')).toHaveLength(1)
    const cards = ['boat', '*', 'pier'].map((keys) => ({ keys, entry: 'lore' }))
    const chosen = chooseCards(cardMatcher(cards).match('a boat at the pier'), {
      budget: 9,
      tokensOf: () => 1,
      isShown: () => false,
    })
    expect(chosen.map(({ card }) => card)).toEqual([1, 2, 0])
  })

  test('that need another word are included if one of them occurs', () => {
    expect(matches('boat, +pier, +=lake', 'A boat.')).toEqual([])
    expect(matches('boat, +pier, +=lake', 'The lake has a boat.')).toEqual([{ card: 0, key: 'boat', at: 15 }])
    expect(matches('boat, +pier', 'A boat at the piers.')).toEqual([{ card: 0, key: 'boat', at: 2 }])
    expect(matches('boat, ++pier, ++lake', 'A boat at the pier.')).toEqual([])
    expect(matches('boat, ++pier, ++lake', 'Lake, boat, pier.')).toEqual([{ card: 0, key: 'boat', at: 6 }])
    expect(matches('boat, --pier, --lake', 'Lake, boat.')).toEqual([{ card: 0, key: 'boat', at: 6 }])
    expect(matches('boat, --pier, --lake', 'Lake, boat, pier.')).toMatchObject([{ blocked: '--pier' }])
    expect(matches('boat, +/(/', 'A boat.')).toEqual([{ card: 0, key: 'boat', at: 2 }])
  })

  test('are not called up by nothing', () => {
    const cards = [
      { keys: '-toy', entry: 'lore' },
      { keys: 'boat', entry: ' \n' },
      { keys: '', entry: 'lore' },
      { keys: '/(/, =, +boat', entry: 'lore' },
      { keys: 'boat', entry: 'lore' },
    ]
    expect(cardMatcher(cards).match('boat')).toEqual([{ card: 4, key: 'boat', at: 0 }])
    expect(cardMatcher(cards).match('')).toEqual([])
    expect(cardMatcher([]).match('boat')).toEqual([])
  })

  test('are found again in another text', () => {
    const matcher = cardMatcher([{ keys: 'boat, *at', entry: 'lore' }])
    expect(['boat', 'cat', 'dog', 'boat'].map((text) => matcher.match(text)[0]?.at)).toEqual([
      2,
      1,
      undefined,
      2,
    ])
  })

  const kind = fc.constantFrom('', '=', '*')
  const text = (most: number) =>
    fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'é', ' ', '’', '🐉'), maxLength: most })
  test('are found as by looking for one key after another', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(kind, text(4)), { maxLength: 12 }), text(40), (keys, told) => {
        const cards = keys.map(([sign, key]) => ({ keys: sign + key, entry: 'lore' }))
        const matcher = cardMatcher(cards)
        const expected = keys.map(([sign, key]) => naiveLast(sign, key, told))
        const places = cards.map(() => -1)
        for (const { card, at } of matcher.match(told)) places[card] = at
        expect(places).toEqual(expected)
      }),
      { numRuns: runs(3_000) },
    )
  })

  test('are found behind a text in the entries of others, each by itself, as often as it is read', () => {
    const card = fc.record({ sign: kind, key: text(3), entry: text(12) })
    const behind = fc.array(fc.nat(5), { maxLength: 5 })
    fc.assert(
      fc.property(
        fc.array(card, { minLength: 6, maxLength: 6 }),
        text(12),
        fc.array(behind),
        (cards, told, all) => {
          const matcher = cardMatcher(
            cards.map(({ sign, key, entry }) => ({ keys: sign + key, entry: `${entry}.` })),
          )
          const read = matcher.read(told)
          for (const some of all) {
            const texts = [told, ...some.map((i) => `${cards[i]?.entry}.`)]
            const places = cards.map(() => -1)
            for (const { card, at } of read(some, () => true)) places[card] = at
            expect(places).toEqual(cards.map(({ sign, key }) => lastInTexts(sign, key, texts)))
          }
        },
      ),
      { numRuns: runs(1_000) },
    )
  })
})

/** Where a key stands last in several texts, one line after the other. */
function lastInTexts(sign: string, key: string, texts: readonly string[]): number {
  const last = texts.findLastIndex((text) => naiveLast(sign, key, text) !== -1)
  if (last === -1) return -1
  const before = texts.slice(0, last).reduce((sum, text) => sum + text.length + 1, 0)
  return before + naiveLast(sign, key, texts[last] ?? '')
}

function naiveLast(sign: string, key: string, text: string): number {
  const words = key.trim().toLowerCase().split(/ +/)
  if (words.join('') === '') return sign === '*' ? text.length : -1
  const before = sign === '*' ? '' : '(?<![\\p{L}\\p{N}])'
  const after = sign === '=' ? '(?![\\p{L}\\p{N}])' : ''
  const shape = new RegExp(`${before}${words.join(' +')}${after}`, 'uy')
  for (let at = text.length; at >= 0; at--) {
    shape.lastIndex = at
    if (shape.exec(text.toLowerCase())?.index === at) return at
  }
  return -1
}

describe('scripts that join articles and prepositions to a noun', () => {
  const cases: [trigger: string, texts: string[], others: string[]][] = [
    [
      'מגדל',
      [
        'המגדל נפל',
        'היא חיה במגדל',
        'מגדל',
        'וכשהמגדל בוער',
        'הַמִּגְדָּל'.normalize('NFD').replace(/\p{M}/gu, ''),
      ],
      ['גדול', 'קמגדל'],
    ],
    ['منارة', ['رأى المنارة', 'بمنارة قديمة', 'منارة', 'للمنارة', 'وبالمنارة'], ['نار', 'حمنارة']],
    ['نار', ['النار', 'ونار'], ['منارة', 'انتظار']],
    ['tower', ['the tower'], ['watchtower']],
  ]
  for (const [trigger, texts, others] of cases)
    test(trigger, () => {
      for (const text of texts) expect([text, lastOf(trigger, text) !== -1]).toEqual([text, true])
      for (const text of others) expect([text, lastOf(trigger, text) !== -1]).toEqual([text, false])
      expect(lastOf(`=${trigger}`, texts[0] ?? '')).toBe(trigger === 'tower' ? 4 : -1)
    })
})

describe('patterns', () => {
  const found: [key: string, text: string, at: number][] = [
    ['/boats?/', 'boat boats Boats', 5],
    ['/boats?/i', 'boat boats Boats', 11],
    ['/o.d/', 'old\no\nd', 0],
    ['/[a-c]+x/', 'dabx', 2],
    ['/[^a-c]x/i', 'Ax dx', 3],
    ['/[a\\-z]1/', 'b1 -1', 3],
    ['/[-z]1/', 'b1 -1', 3],
    ['/[]]/', ']', -1],
    ['/\\d{2,3}/', 'a 1 22', 4],
    ['/^\\d{3}$/', '12\n345\n6', 3],
    ['/^a{2}b{0,1}$/', 'aa\naab\naabb', 3],
    ['/a{2,}/', 'aaa a', 1],
    ['/\\bcat\\b/', 'cat education', 0],
    ['/\\bé/', 'né été', 5],
    ['/\\bcat/', 'écat', 1],
    ['/gr(a|e)y/', 'gray grey', 5],
    ['/(?:old|new)\\s+pier/', 'old\n pier', 0],
    ['/a|b|/', 'b a c', 5],
    ['/\\w+\\W\\w+/', 'é ü', -1],
    ['/\\S\\S/', 'a bc', 2],
    ['/\\u00e9|\\x41|\\u{1F409}/', 'A é 🐉 🐲', 4],
    ['/./', '🐉', 0],
    ['/^.$/', '🐉', 0],
    ['/[🐉-🐲]!/', 'x 🐉!', 2],
    ['/É/i', 'cliché', 5],
    ['/\\/\\.\\,/', 'a/.,', 1],
    ['/a+?b/', 'aab', 1],
    ['/x*/', 'abc', 3],
    ['/^/', 'abc', 0],
    ['/(?<n>a)b/', 'abab', 2],
    ['/\\p{Lu}/u', 'aÉb', 1],
    ['/a{25}/', 'a'.repeat(26), 1],
    ['/(a*)*b/', 'aab', 2],
    ['/(^|x)+b/', 'b xb', 2],
    ['/é!/', 'e\u0301e\u0301!', 2],
    ['/a,b/', 'a,b', 0],
  ]
  for (const [key, text, at] of found)
    test(`${key} in ${JSON.stringify(text)}`, () => expect(lastOf(key, text)).toBe(at))

  const refused = [
    ...[
      '(',
      ')',
      'a)',
      '[a',
      '[',
      '*a',
      'a**',
      'a{3,2}',
      '\\',
      '[b-a]',
      '(a)\\1',
      '(?=a)',
      '(?!a)',
      '(?<=a)',
    ],
    ...['a/b', '\\u{110000}', 'a'.repeat(201), '((a{20}){30})', '((((a{20}){20}){20}){20})'],
    `${'('.repeat(30)}${'){20}'.repeat(30)}`,
    `${'('.repeat(30)}${'|){20}'.repeat(28)}))`,
  ]
  for (const pattern of refused)
    test(`/${pattern}/ is refused`, () => {
      expect(compilePattern(`/${pattern}/`)).toBeUndefined()
      expect(compilePattern(`/${pattern}/i`)).toBeUndefined()
    })

  test('of the greatest size are not refused', () => {
    expect(compilePattern(`/${'a'.repeat(200)}/`)).toBeDefined()
    expect(compilePattern('/((a{20}){20})/')).toBeDefined()
  })

  const part: fc.Arbitrary<string> = fc.letrec<{ part: string }>((tie) => ({
    part: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\b', '^', '$', '\\n', 'A'),
      fc.tuple(tie('part'), tie('part')).map(([a, b]) => a + b),
      fc.tuple(tie('part'), tie('part')).map(([a, b]) => `(${a}|${b})`),
      fc
        .tuple(tie('part'), fc.constantFrom('?', '*', '+', '{2}', '{1,}', '{0,2}', '*?'))
        .map(([a, b]) => `(?:${a})${b}`),
    ),
  })).part
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'A', ' ', '\n'), maxLength: 8 })
  test('mean what they mean in JavaScript', () => {
    fc.assert(
      fc.property(part, text, fc.boolean(), (pattern, told, anyCase) => {
        fc.pre(pattern.length <= 200)
        const flag = anyCase ? 'i' : ''
        expect(compilePattern(`/${pattern}/${flag}`)?.lastIn(told)).toBe(naivePattern(pattern, flag, told))
      }),
      { numRuns: runs(3_000) },
    )
  })
})

function naivePattern(pattern: string, flag: string, text: string): number {
  for (let at = text.length; at >= 0; at--) {
    for (let length = 0; at + length <= text.length; length++) {
      const left = text.length - at - length
      const shape = new RegExp(`(?<=(?<![^])[^]{${at}})(?:${pattern})(?=[^]{${left}}(?![^]))`, `m${flag}`)
      if (shape.test(text)) return at
    }
  }
  return -1
}

test('text that is written apart is put together, and its places are kept', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const apart = text.normalize('NFD')
      const { text: whole, originOf } = composed(apart)
      expect(whole).toBe(apart.normalize('NFC'))
      for (let at = 1; at < whole.length; at++) expect(originOf(at)).toBeGreaterThanOrEqual(originOf(at - 1))
    }),
  )
})

describe('choosing cards', () => {
  const hits: Hit[] = [
    { card: 0, key: 'a', at: 5 },
    { card: 1, key: 'b', at: 9 },
    { card: 2, key: 'c', at: 9 },
    { card: 3, key: 'd', at: 1, blocked: '-x' },
    { card: 4, key: 'e', at: 2 },
  ]
  const costs = [10, 20, 30, 1, 5]
  const choose = (some: Hit[], budget: number, shown: number[]) =>
    chooseCards(some, {
      budget,
      tokensOf: (card) => costs[card] ?? 0,
      isShown: (card) => shown.includes(card),
    })
  const cases: [name: string, budget: number, shown: number[], chosen: string[]][] = [
    ['room for all', 65, [], ['1 shown 20', '2 shown 30', '0 shown 10', '4 shown 5', '3 forbidden 0']],
    [
      'a smaller one fits later',
      35,
      [],
      ['1 shown 20', '2 no room 30', '0 shown 10', '4 shown 5', '3 forbidden 0'],
    ],
    [
      'what is already in the prompt costs nothing',
      30,
      [1, 3],
      ['1 already shown 0', '2 shown 30', '0 no room 10', '4 no room 5', '3 forbidden 0'],
    ],
    [
      'no room at all',
      0,
      [],
      ['1 no room 20', '2 no room 30', '0 no room 10', '4 no room 5', '3 forbidden 0'],
    ],
  ]
  for (const [name, budget, shown, chosen] of cases)
    test(name, () => {
      const choices = choose(hits, budget, shown)
      expect(choices.map(({ card, reason, tokens }) => `${card} ${reason} ${tokens}`)).toEqual(chosen)
      expect(choices.every(({ included, reason }) => included === (reason === 'shown'))).toBe(true)
    })

  test('names the key that blocks a card', () => {
    expect(choose(hits.slice(3, 4), 9, [])).toEqual([
      { card: 3, key: 'd', at: 1, tokens: 0, included: false, reason: 'forbidden', blocked: '-x' },
    ])
  })
})
