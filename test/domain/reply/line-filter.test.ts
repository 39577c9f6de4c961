import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { memoryTask, summaryTask } from '../../../src/domain/memory.ts'
import { BEGIN_REQUEST, CONTINUE_REQUEST } from '../../../src/domain/prompt/phrases.ts'
import { memoryLine } from '../../../src/domain/prompt/turn-notes.ts'
import type { Echoes } from '../../../src/domain/reply/known-texts.ts'
import { LineFilter } from '../../../src/domain/reply/line-filter.ts'
import { formatLine } from '../../../src/domain/text/player-line.ts'
import { PathResolver } from '../../../src/domain/world/path-resolver.ts'
import { liveValuesSection } from '../../../src/domain/world/prompt/live-values.ts'
import { recorderQuestion } from '../../../src/domain/world/recorder/question.ts'
import { readRules } from '../../../src/domain/world/rules.ts'
import { runs } from '../../support/depth.ts'
import { LANTERN_ROCK } from '../../support/stories/worlds.ts'
import { cutAnywhere } from './pieces.ts'

const REMINDER =
  '[Tell what happens after this, in prose. Then end your reply with the state_delta block: only what this passage changed, or {}.]'
const paths = new PathResolver(readRules(LANTERN_ROCK))
const NOTHING: Echoes = { playerLines: [], names: ['Ottoline Marsh'], paths }

function filtered(pieces: Iterable<string>, echoes = NOTHING) {
  const filter = new LineFilter(echoes)
  let prose = ''
  for (const piece of pieces) prose += filter.push(piece)
  prose += filter.end()
  return { prose, isEnded: filter.isEnded, isCut: filter.isCut, dropped: filter.hasDropped }
}

/** The same whole and letter by letter. */
function proseOf(reply: string, echoes = NOTHING): string {
  const { prose } = filtered([reply], echoes)
  expect(filtered(reply, echoes).prose).toBe(prose)
  return prose
}

describe('a note of ours is dropped', () => {
  const notes: [name: string, note: string][] = [
    ['lore', 'World lore: The iron door has three bolts.'],
    ['lore without an entry', 'World lore:'],
    ['a memory', memoryLine({ text: 'You met Mara [the elder] at the mill.', isPast: false })],
    ["the author's note", "[Author's note: Cold wind.]"],
    ["the author's note with a curly apostrophe", '[Author’s note: Cold wind.]'],
    ['the live values', liveValuesSection(['You: warmth 30/40.', 'Flags: door barred no.'])],
    ['the live values in other words', '[World state:\nYou: you must not touch the candle.\nFlags: none.]'],
    ['the live values, said to end', '[End of World state now (totals):\nWorld: crosses 0/6 (dark).]'],
    ['the roll', '[Dice. Hold the course: 5 + 5 = 10 against 12. Outcome: held.]'],
    ['the end of the reply', '[End of Your Own Reply]'],
    ['the rule not to end the story', 'End the story, with the final state Delta block at the bottom.'],
    ['a remark about the reply', '(note: the story has changed.)'],
    ['one of the live values', '[World: night 1.]'],
    ['one of the live values in quotes', '["Player: lamp_oil 20/30"]'],
    ['some of the live values in quotes', '[“You: warmth 20/40”, “Flags: door barred no”]'],
    ['an older reminder', REMINDER],
    [
      'the reminder of older prompts',
      '[End your reply with the state_delta block: only what this passage changed.]',
    ],
    ['the reminder in other words', '[Fix the state_delta block: 150 * 1 = 150]'],
    ['an older note on refusals', '[Not accepted from your last block. flags.fog: there is no such flag.]'],
    ['the question to the recorder', recorderQuestion([{ kind: 'flag', path: 'flags.lit' }])],
    ['the live values without their opening line', 'You: hp 50/100.'],
    ['the rest of the live values', 'You: warmth 30/40 (cold), nerve 3.]'],
    ['some of the live values without their opening', 'Flags: door barred no, lamp lit yes.'],
    ['a character’s values', 'Ottoline Marsh (npc.ottoline): faith 3/10.]'],
    ['the request for a memory', memoryTask(6)],
    ['the request for a summary', summaryTask('', [], 250).replace('\n\n', ' ')],
    ['the request to continue', CONTINUE_REQUEST],
    ['the request to begin', BEGIN_REQUEST],
    ['the heading of lore', '## World lore'],
    ['the heading of the plot', 'What is true in this story:'],
    ['the heading of the summary', '**The story so far:**'],
    ['a note behind a label', '**At the moment:** World lore: False alarm 1/10 [high]'],
    ['a note behind a label in italics', '_Now_: World lore: False alarm 1/10'],
    ['a quoted note', '> World lore: The iron door has three bolts.'],
  ]
  for (const [name, note] of notes)
    test(name, () => {
      expect(proseOf(note)).toBe('')
      expect(proseOf(`${note}\n\nThe door opens.`)).toBe('The door opens.')
      expect(proseOf(`\n${note}\nThe door opens.`)).toBe('The door opens.')
      expect(proseOf(`The door opens.\n\n${note}\n\nIt shuts.`)).toBe('The door opens.\n\nIt shuts.')
      expect(proseOf(`The door opens.\n${note}\nIt shuts.`)).toBe('The door opens.\nIt shuts.')
      expect(proseOf(`The door opens.\n\n\n${note}\n${note}\n\n\nIt shuts.`)).toBe(
        'The door opens.\n\nIt shuts.',
      )
      expect(proseOf(`The door opens.\n\n${note}`)).toBe('The door opens.')
      expect(filtered([note]).dropped).toBe(true)
    })

  test('in brackets, up to the closing one', () => {
    expect(proseOf('[World state now (totals):\nYou: warm.] The door opens.')).toBe('The door opens.')
    for (const note of [
      '[Earlier in the story: x]',
      '[Earlier, passage 12: x]',
      '[Formerly in the story: x]',
      '[Formerly, passage 12: x]',
    ])
      expect(proseOf(`It is late.\n\n${note} The door opens.`)).toBe('It is late.\n\nThe door opens.')
  })

  test('with the marks behind its brackets', () => {
    expect(proseOf('[World state: You: warm.].')).toBe('')
    expect(proseOf('[World state: You: warm.]].\n\nThe door opens.')).toBe('The door opens.')
    expect(proseOf('[World state: You: warm.] “Hush!”')).toBe('“Hush!”')
  })

  test('in brackets that are never closed, up to a blank line', () => {
    expect(proseOf('[World state now (totals):\nYou: warm.\n \nThe door opens.')).toBe('The door opens.')
    expect(proseOf('It is late.\n[World state: none\n\nThe door opens.')).toBe(
      'It is late.\n\nThe door opens.',
    )
  })

  test('and the reply ends where notes repeat each other', () => {
    const note = (nerve: number) =>
      `[World state now (totals):\nWorld: crossings 0/6 (dark).\nYou: lamp_oil 30/30, nerve ${nerve}/10.]\n\n`
    const notes = Array.from({ length: 30 }, (_, nerve) => note(nerve)).join('')
    const several = `World lore: The lamp is lit.\n\nWorld lore: The fog is warm.\n\n${note(1)}`
    expect(filtered([`The door opens.\n\n${notes}It shuts.`])).toMatchObject({
      prose: 'The door opens.',
      isEnded: true,
    })
    expect(filtered([notes])).toMatchObject({ prose: '', isEnded: true })
    expect(proseOf(`${several}The door opens.\n\n${several}It shuts.`)).toBe('The door opens.\n\nIt shuts.')
  })

  test('with the live values that follow it', () => {
    expect(proseOf('[World state:\nYou: cold.\n\nYou: wet.\nFlags: none.\n\nYou: “No!”? You run.')).toBe('')
    expect(proseOf('You: cold.\n\nFlags: none.')).toBe('You: cold.\n\nFlags: none.')
  })

  test('with its further lines, word for word', () => {
    const echoes = {
      playerLines: [],
      notes: ['World lore: Mara keeps the inn.\nShe is old. She forgets no debt.'],
    }
    expect(
      proseOf(
        'World lore: Mara keeps the inn.\nShe is old. She forgets no debt.\nShe is old.\nThe door opens.',
        echoes,
      ),
    ).toBe('The door opens.')
    expect(proseOf('The door opens.\nShe forgets no debt.', echoes)).toBe(
      'The door opens.\nShe forgets no debt.',
    )
  })
})

describe('the label of who speaks is dropped', () => {
  const cases: [reply: string, prose: string][] = [
    ['[The state of the door is not clear.]', '[The state of the door is not clear.]'],
    ['[Fix the door', '[Fix the door'],
    ['Narrator: The door opens.', 'The door opens.'],
    ['assistant: The door opens.', 'The door opens.'],
    ['**Narrator:** The door opens.', 'The door opens.'],
    ['**Narrator**: The door opens.', 'The door opens.'],
    ['Narrator: *Creak.* The door opens.', '*Creak.* The door opens.'],
    ['**Model:** **Creak.**', '**Creak.**'],
    ['assistant\nThe door opens.', 'The door opens.'],
    ['model\n\nThe door opens.', 'The door opens.'],
    ['Response:\n\nThe door opens.', 'The door opens.'],
    ['Your turn:\n\nThe door opens.', 'The door opens.'],
    ['Assistant: Narrator: The door opens.', 'The door opens.'],
    ['Narrator: World lore: A door.\nIt opens.', 'It opens.'],
    ['User: I open the door.\nAssistant: The door opens.', 'The door opens.'],
    ['The door opens.\n\nUser: I go in.\n\nAssistant: You go in.', 'The door opens.'],
    ['The door opens.\n**Player:** I go in.', 'The door opens.'],
    ['The door opens.\nHUMAN: I go in.', 'The door opens.'],
    ['The door opens.\n\nYou:\nI go in.', 'The door opens.'],
    ['**You:**\nThe door opens.', 'The door opens.'],
  ]
  for (const [reply, prose] of cases) test(JSON.stringify(reply), () => expect(proseOf(reply)).toBe(prose))

  test('and the reply ends where the model plays the player', () => {
    expect(filtered(['The door opens.\nUser: I'])).toMatchObject({ isEnded: true, dropped: true })
    expect(filtered(['The door opens.\n[User]:\nI go in.'])).toMatchObject({ isEnded: true, dropped: true })
    expect(filtered(['Human: So they called you.'])).toMatchObject({ isEnded: false, dropped: false })
  })
})

describe('the line of the player, said back first, is dropped', () => {
  const cases: [type: 'do' | 'say' | 'story', typed: string, said: string][] = [
    ['do', 'open the door', '> You open the door.'],
    ['do', 'open the door', 'You open the door'],
    ['do', 'open the door', 'you open the door...'],
    ['do', 'open the door', 'I open the door.'],
    ['do', 'open the door', '*Open the door!*'],
    ['do', 'I climb up', 'I climb up.'],
    ['do', 'I climb up', 'You climb up.'],
    ['do', 'run', 'You run.'],
    ['say', 'hello', '> You say "hello."'],
    ['say', 'hello', 'You say, “Hello!”'],
    ['say', 'hello', 'I say: hello'],
    ['say', 'Who are you?', '"Who are you?"'],
    ['say', 'Odile, where have you gone?', '"Odile, where have you gone?" you ask.'],
    ['say', 'hello', '“Hello,” you say.'],
    ['story', 'The rain stops.', 'The rain stops.'],
  ]
  for (const [type, typed, said] of cases)
    test(`${type} ${JSON.stringify(typed)}: ${JSON.stringify(said)}`, () => {
      const echoes = { playerLines: [formatLine(type, typed)] }
      expect(proseOf(`${said}\n\nIt is dark.`, echoes)).toBe('It is dark.')
      expect(proseOf(`\n${said}`, echoes)).toBe('')
      const later = said.startsWith('>') ? 'It is dark.' : `It is dark.\n\n${said}`
      expect(proseOf(`It is dark.\n\n${said}`, echoes)).toBe(later)
    })

  const sentences: [type: 'do' | 'say' | 'story', typed: string, reply: string, prose: string][] = [
    ['do', 'open the door', 'You open the door. It is dark.', 'It is dark.'],
    ['do', 'open the door', '> You open the door. It is dark.', 'It is dark.'],
    [
      'do',
      'open the door',
      'you open the door… It is dark.\n\nA bell rings.',
      'It is dark.\n\nA bell rings.',
    ],
    ['do', 'open the door', '*You open the door.* *Creak.* It is dark.', '*Creak.* It is dark.'],
    ['do', 'open the door', 'You open the door. “Who is it?”', '“Who is it?”'],
    ['do', 'open the door', 'You open the door! "Who is it?"', '"Who is it?"'],
    ['do', 'open the door', 'You open the door. You open the door. It is dark.', 'It is dark.'],
    ['do', 'I look. I go in', 'You look. You go in. It is dark.', 'It is dark.'],
    ['say', 'hello', 'You say, “Hello!” Nobody answers.', 'Nobody answers.'],
    ['say', 'hello', 'You say "hello." "Hello," says Mara.', '"Hello," says Mara.'],
    ['say', 'Who are you?', '"Who are you?" you ask. Nobody answers.', 'Nobody answers.'],
    ['story', 'The rain stops.', 'The rain stops. 3 bells ring.', '3 bells ring.'],
    ['do', '打开门', '打开门。门后很黑。', '门后很黑。'],
    ['say', '走吧。', '> You say "走吧。" 门开了。', '门开了。'],
  ]
  for (const [type, typed, reply, prose] of sentences)
    test(`as its first sentence: ${JSON.stringify(reply)}`, () => {
      const echoes = { playerLines: [formatLine(type, typed)] }
      expect(proseOf(reply, echoes)).toBe(prose)
      const later = reply.startsWith('>') ? prose : reply
      expect(proseOf(`It is late.\n\n${reply}`, echoes)).toBe(`It is late.\n\n${later}`)
    })

  const kept: [type: 'do' | 'say' | 'story', typed: string, reply: string][] = [
    ['do', 'open the door', 'You open the door, and it is dark.'],
    ['do', 'open the door', 'You open the door... and go in.'],
    ['do', 'open the door', 'You open the door. . . and go in.'],
    ['do', 'open the door', 'You open the door: It is dark.'],
    ['do', 'open the door', 'You open the door to the cellar. It is dark.'],
    ['do', 'open the door', 'You open the doors. It is dark.'],
    ['do', 'open the door', 'Slowly you open the door. It is dark.'],
    ['do', 'open the door', 'Open the door. It is dark.'],
    ['do', 'I look. I go in', 'You look. It is dark.'],
    ['do', 'wait', 'You wait. It is dark.'],
    ['say', 'hello', 'You say "hello." quietly.'],
    ['say', 'Who are you?', '"Who are you?" Mara asks.'],
    ['say', 'Who are you?', '"Who are you?" you ask the boy.'],
    ['story', 'The rain stops.', 'The rain stops.It is dark.'],
  ]
  for (const [type, typed, reply] of kept)
    test(`but not in other words: ${JSON.stringify(reply)}`, () => {
      expect(proseOf(reply, { playerLines: [formatLine(type, typed)] })).toBe(reply)
    })

  const marked: [reply: string, prose: string][] = [
    // Qwen2.5 1.5B.
    [
      '> Der alte Mann lächelt: "Komm."\n>\n> Du gehst.\nEs ist spät.',
      'Der alte Mann lächelt: "Komm."\n\nDu gehst.\nEs ist spät.',
    ],
    ['> You feel like you are missing something.', 'You feel like you are missing something.'],
    ['> You say "走吧。"他说。', 'You say "走吧。"他说。'],
    ['>“Who is there?” you ask.', '“Who is there?” you ask.'],
  ]
  for (const [reply, prose] of marked)
    test(`or only its mark: ${JSON.stringify(reply)}`, () => {
      expect(proseOf(reply, { playerLines: ['> You say "走吧。"'] })).toBe(prose)
      expect(filtered([reply]).dropped).toBe(true)
      expect(proseOf(`It is late.\n\n${reply}`)).toBe(`It is late.\n\n${reply}`)
    })

  test('with all its lines', () => {
    const echoes = { playerLines: ['The rain stops.\nA bell rings.'] }
    expect(proseOf('The rain stops.\n\nA bell rings.\n\nIt is dark.', echoes)).toBe('It is dark.')
  })

  test('but not a word or two, which may be an answer', () => {
    expect(proseOf('"Hello."', { playerLines: ['> You say "Hello."'] })).toBe('"Hello."')
    expect(proseOf('Run!', { playerLines: ['> You run.'] })).toBe('Run!')
  })
})

describe('labelled lines of a story are prose', () => {
  const cases = [
    'The screen of the old machine wakes:\nLogin: guest\nUser: root\nIt hums, and the gate slides back.',
    'A slip falls from the book:\n\nUser: Ada Vane\nCode: none\n\nYou pocket it.',
    'The children begin.\n\nNarrator: Long ago there was a bear.\nBear: I am hungry.\nThey bow.',
    'Narrator: Long ago there was a bear.\nBear: I am hungry.',
    'System: boot\nUser: root\nThe lamps come on.',
    'Human: a word they spat. You wore it like a coat.',
    'Human: So they called you. You wore it like a coat.',
    'Assistant: so says the card. You turn it over.',
    'He reads on.\n\nSystem: all quiet.\nThe line goes dead.',
    'He reads on.\n\nAssistant: Miss Vale.',
  ]
  for (const text of cases) test(JSON.stringify(text), () => expect(proseOf(text)).toBe(text))

  test('but a reply ends where it goes on for the player, also in capitals and brackets', () => {
    for (const line of [
      'User: I go in.',
      'USER: i go in.',
      '[User]: I go in.',
      '**Human:** In I go.',
      'You:\nI go in.',
    ])
      expect(filtered([`The door opens.\n\n${line}\n\nAssistant: It is dark.`])).toMatchObject({
        prose: 'The door opens.',
        isCut: true,
      })
  })
})

describe('a quoted paragraph with the words of a line of the player is dropped', () => {
  const echoes: Echoes = {
    playerLines: ['> You feed the cat.'],
    earlierLines: ['> You say "Marmalade, who lives upstairs with you?"', '> You open your bag and look.'],
  }
  for (const quoted of [
    '> "Marmalade, who lives upstairs with you?"',
    '> You say "Marmalade, who is upstairs with you?"',
    '> “Marmalade, who lives upstairs with you?” you ask.',
    '> I open my bag and look.',
    '> *You feed the cat.*',
  ])
    test(quoted, () => {
      expect(proseOf(`He looks offended.\n\n${quoted}`, echoes)).toBe('He looks offended.')
      expect(proseOf(`He looks offended.\n\n${quoted}\n\nA bell rings.`, echoes)).toBe(
        'He looks offended.\n\nA bell rings.',
      )
    })

  for (const text of [
    'He reads:\n\n> The cat is upstairs, it says.',
    'He reads:\n\n> Feed it.',
    'You feed the cat and look.',
  ])
    test(`but not ${JSON.stringify(text)}`, () =>
      expect(proseOf(`So.\n\n${text}`, echoes)).toBe(`So.\n\n${text}`))
})

test('the opening of a note alone leaves the prose behind it', () => {
  expect(proseOf('[World state now (totals):\nThe door opens.\n\nIt shuts.')).toBe(
    'The door opens.\n\nIt shuts.',
  )
  expect(proseOf("It is late.\n[Author's note:\nThe sign says [no].")).toBe(
    'It is late.\nThe sign says [no].',
  )
})

test('a note of the prompt is known by its first words', () => {
  const echoes = { playerLines: [], notes: ['[Answer the player with what the world does next: be brief.]'] }
  expect(proseOf('[Answer the player with a bell.] A bell rings.', echoes)).toBe('A bell rings.')
})

test('in a fence of the story everything is prose', () => {
  const text = 'The screen shows:\n\n```\nUser: root\nWorld lore: none\n[World state]\n```\n\nIt hums.'
  expect(proseOf(text)).toBe(text)
})

describe('a remark in brackets', () => {
  const changes = [
    "[Ottoline's faith changes to +5.]",
    '[Warmth -3]',
    '[warmth +2, lamp oil −1]',
    '[You lose 4 warmth.]',
    '**[Lamp oil: 17]**',
    '[player.warmth decreases by 3.]',
    '[Door barred = true]',
    '[Warmth 28/40.]',
  ]
  for (const remark of changes)
    test(`that states a change of a value is dropped: ${remark}`, () => {
      expect(proseOf(`She nods.\n\n${remark}\n\nRain falls.`)).toBe('She nods.\n\nRain falls.')
      expect(proseOf(`${remark}\nRain falls.`)).toBe('Rain falls.')
    })

  const prose = [
    '[The warmth of the room fades.]',
    '[Courage +5]',
    '[Night, 3 o’clock. The sea at 7:30.]',
    '[Warmth -3] she reads aloud.',
    'He wrote [warmth -3] on the wall.',
    '[Open to 5 by sea-front: the faithless]',
    '[Two by 2, the lamps went out.]',
  ]
  for (const text of prose)
    test(`that does not, or is not alone on its line, is prose: ${text}`, () =>
      expect(proseOf(`She nods.\n\n${text}`)).toBe(`She nods.\n\n${text}`))

  test('is prose in a story without stats', () =>
    expect(proseOf('[Warmth -3]', { playerLines: [] })).toBe('[Warmth -3]'))
})

describe('what only looks like an echo is prose', () => {
  const cases = [
    '["Player one, ready?" asks the machine.]',
    '[“Your turn,” she whispers.]',
    'The story so far: you came here by boat.',
    'What is true in this story: nothing.',
    'Begin the story, he said.',
    'World lore is what the old woman teaches.',
    '[Earlier, in another town.]',
    '[Level up: courage is now 3.]',
    '[The world stands still for you, and the state of things is grave.]',
    '[System]: You gain 5 experience.',
    '[Players enter here]',
    '(He notes: nothing.)',
    "[Author's notes are missing]",
    'The narrator: a man of sixty.',
    'He told the user: go away.',
    'Narrator said nothing.',
    '“Your turn.”',
    'Your turning: no.',
    'Mara: hello.\nUserman: no.\nAid: yes.',
    'You: hello.\nWorld: silent.',
    'It reads:\n\n> A quotation.\n\n***\n\n# A heading',
    '> *Dear keeper,*\n>\n> Wait.',
    '\n\n  The door opens.  \r\n\r\n\r\n\n  It shuts. \n\n',
    'The door opens.\n\n> You run.',
    '**Brisa:** World war is over.\n*Now:* we go.\n**You:** World\n__At last:__',
    '',
    ' \n ',
  ]
  for (const text of cases)
    test(JSON.stringify(text), () => {
      expect(proseOf(text).trim()).toBe(text.trim())
      expect(filtered([text]).dropped).toBe(false)
    })

  test('what a person of the story says', () => {
    const echoes = { playerLines: [], names: ['System', 'Human'] }
    expect(proseOf('System: you have gained a level.\nHuman: hooray.', echoes)).toBe(
      'System: you have gained a level.\nHuman: hooray.',
    )
  })
})

test('prose is passed on word by word once its line can be nothing else', () => {
  const filter = new LineFilter({ playerLines: ['> You open the door.'] })
  const shown = ['You ', 'open ', 'a ', 'window.', '\n', '\nNight', 'fall', ' comes'].map((one) =>
    filter.push(one),
  )
  expect(shown).toEqual(['', '', 'You open a ', 'window.', '', '\n\nNight', 'fall', ' comes'])
})

describe('however a reply is cut', () => {
  const SCRAPS = [
    'World lore: ',
    '[World state now (totals):',
    '[Earlier in the story: ',
    REMINDER,
    CONTINUE_REQUEST,
    'The story so far:',
    'Narrator:',
    '**Assistant:**',
    'User:',
    'You:',
    'You open the door.',
    'I open the door',
    'and ',
    'It is dark. ',
    'You: cold.',
    'The door opens.',
    '```state_delta',
    '{"player.warmth": -3}',
    '```',
    'State delta:',
    '<state>',
    ...['\n', '\n\n', '\r\n', ' ', '[', ']', '{', '*', '>', '#', ':', '"'],
  ]
  const echoes = { playerLines: ['> You open the door.'], notes: ['World lore: a\nThe door opens.'], paths }

  test('the prose is the same', () => {
    const reply = fc.array(fc.constantFrom(...SCRAPS), { maxLength: 14 }).map((scraps) => scraps.join(''))
    fc.assert(
      fc.property(reply, fc.array(fc.nat({ max: 30 })), (text, cuts) => {
        expect(filtered(cutAnywhere(text, cuts), echoes)).toEqual(filtered([text], echoes))
        expect(filtered(text, echoes)).toEqual(filtered([text], echoes))
      }),
      { numRuns: runs(2_000) },
    )
  })

  test('text without echoes stays as it is', () => {
    const word = fc.constantFrom(
      'The ',
      'door.',
      '\n',
      '\n\n\n',
      '"World ',
      'loren ',
      '[Ear',
      '] ',
      '* ',
      '\t',
    )
    fc.assert(
      fc.property(fc.array(word), fc.array(fc.nat({ max: 9 })), (words, cuts) => {
        const text = words.join('')
        const { prose, ...rest } = filtered(cutAnywhere(text, cuts), echoes)
        expect([prose.trim(), rest]).toEqual([text.trim(), { isEnded: false, isCut: false, dropped: false }])
      }),
      { numRuns: runs(1_000) },
    )
  })
})

describe('a reply of half a million characters', () => {
  for (const unit of [
    '<',
    '[',
    '#',
    '*',
    ' ',
    '\n',
    '> ',
    '\n[',
    '[World state',
    '\nWorld lore:',
    '\nYou open ',
  ])
    test(JSON.stringify(unit), () => {
      const text = unit.repeat(500_000 / unit.length)
      const echoes = { playerLines: ['> You open the door.', text.slice(0, 10_000)] }
      expect(filtered(text, echoes)).toEqual(filtered([text], echoes))
    })
})
