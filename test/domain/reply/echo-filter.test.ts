import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { memoryTask, summaryTask } from '../../../src/domain/memory.ts'
import { BEGIN_REQUEST, CONTINUE_REQUEST } from '../../../src/domain/prompt/phrases.ts'
import { memoryLine } from '../../../src/domain/prompt/turn-notes.ts'
import { type Echoes, EchoFilter } from '../../../src/domain/reply/echo-filter.ts'
import { formatLine } from '../../../src/domain/text/player-line.ts'
import { liveValuesSection } from '../../../src/domain/world/prompt/live-values.ts'
import { recorderQuestion } from '../../../src/domain/world/recorder/question.ts'
import { runs } from '../../support/depth.ts'
import { cutAnywhere } from './pieces.ts'

const REMINDER =
  '[Tell what happens after this, in prose. Then end your reply with the state_delta block: only what this passage changed, or {}.]'
const NOTHING: Echoes = { playerLines: [] }

function filtered(pieces: Iterable<string>, echoes = NOTHING) {
  const filter = new EchoFilter(echoes)
  let prose = ''
  for (const piece of pieces) prose += filter.push(piece)
  prose += filter.end()
  return { prose, isEnded: filter.isEnded, dropped: filter.dropped }
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
    ['the request for a memory', memoryTask(null)],
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
    const notes = [1, 2, 3, 4, 5, 6].map(note).join('')
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
    ['**AI:** **Creak.**', '**Creak.**'],
    ['Response:\n\nThe door opens.', 'The door opens.'],
    ['Your turn:\n\nThe door opens.', 'The door opens.'],
    ['It is late.\n\nNarrator: The door opens.', 'It is late.\n\nThe door opens.'],
    ['It is late.\n\nNarrator:\nThe door opens.', 'It is late.\n\nThe door opens.'],
    ['Assistant: Narrator: The door opens.', 'The door opens.'],
    ['Narrator: World lore: A door.\nIt opens.', 'It opens.'],
    ['User: I open the door.\nAssistant: The door opens.', 'The door opens.'],
    ['The door opens.\n\nUser: I go in.\n\nAssistant: You go in.', 'The door opens.'],
    ['The door opens.\n**Player:** I go in.', 'The door opens.'],
    ['The door opens.\nHUMAN: I go in.', 'The door opens.'],
    ['The door opens.\n\nYou:\nI go in.', 'The door opens.'],
    ['**You:**\nI go in.\n\nThe door opens.', 'The door opens.'],
    ['You:\n[R', ''],
    ['User:\nI go in.\nQuickly.\n\nAssistant:\nThe door opens.', 'The door opens.'],
  ]
  for (const [reply, prose] of cases) test(JSON.stringify(reply), () => expect(proseOf(reply)).toBe(prose))

  test('and the reply ends where the model plays the player', () => {
    expect(filtered(['The door opens.\nUser: I'])).toMatchObject({ isEnded: true, dropped: true })
    expect(filtered(['The door opens.\n[User]:\nI go in.'])).toMatchObject({ isEnded: true, dropped: true })
    expect(filtered(['User: I go in.\nYou go in.'])).toMatchObject({ isEnded: false, prose: 'You go in.' })
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
      expect(proseOf(`It is dark.\n\n${said}`, echoes)).toBe(`It is dark.\n\n${said}`)
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
      expect(proseOf(`It is late.\n\n${reply}`, echoes)).toBe(`It is late.\n\n${reply}`)
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
      expect(proseOf(text)).toBe(text)
      expect(filtered([text]).dropped).toBe(false)
    })

  test('what a person of the story says', () => {
    const echoes = { playerLines: [], names: ['System', 'Human'] }
    expect(proseOf('System: you have gained a level.\nHuman: hooray.', echoes)).toBe(
      'System: you have gained a level.\nHuman: hooray.',
    )
  })
})

test('prose is passed on word by word', () => {
  const filter = new EchoFilter({ playerLines: ['> You open the door.'] })
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
    ...['\n', '\n\n', '\r\n', ' ', '[', ']', '*', '>', '#', ':', '"'],
  ]
  const echoes = { playerLines: ['> You open the door.'], notes: ['World lore: a\nThe door opens.'] }

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

  test('text without echoes passes byte for byte', () => {
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
        expect(filtered(cutAnywhere(text, cuts), echoes)).toEqual({
          prose: text,
          isEnded: false,
          dropped: false,
        })
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
