import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { TemplateTokenFilter } from '../../../src/domain/reply/template-tokens.ts'
import { ALPACA_HEADINGS, TOKEN_FAMILIES } from '../../../src/domain/reply/token-families.ts'
import { runs } from '../../support/depth.ts'
import { cutAnywhere } from './pieces.ts'

function filtered(pieces: Iterable<string>) {
  const filter = new TemplateTokenFilter()
  let prose = ''
  for (const piece of pieces) prose += filter.push(piece)
  prose += filter.end()
  return { prose, isEnded: filter.isEnded, dropped: filter.dropped }
}

/** The same whole and letter by letter. */
function proseOf(reply: string): string {
  const { prose } = filtered([reply])
  expect(filtered(reply).prose).toBe(prose)
  return prose
}

const TOKENS = TOKEN_FAMILIES.flatMap(({ name, role = [], narrator = [], other = [], mark = [] }) =>
  [...role, ...narrator, ...other, ...mark].map((token) => ({ name, token })),
)

describe('a template token ends the reply', () => {
  for (const { name, token } of TOKENS)
    test(`${name}: ${token}`, () => {
      expect(proseOf(`The door opens.${token}\nuser`)).toBe('The door opens.')
      expect(filtered([`The door opens.${token}`])).toEqual({
        prose: 'The door opens.',
        isEnded: true,
        dropped: true,
      })
    })

  for (const heading of [...ALPACA_HEADINGS.narrator, ...ALPACA_HEADINGS.other])
    test(heading, () => {
      for (const end of [':', ':\nYou run.', '\nYou run.', '\r\n', ' :', ''])
        expect(proseOf(`The door opens.\n${heading}${end}`)).toBe('The door opens.\n')
      expect(proseOf(`The door opens.\n${heading.replace(' ', '').toUpperCase()}:`)).toBe('The door opens.\n')
    })

  test('one of a family that no table knows', () => {
    expect(proseOf('The door opens.<|reply_end|>')).toBe('The door opens.')
  })

  test('one that the model did not complete, or misspelled', () => {
    for (const token of ['<|im_end|', '<|im_end|\n<|im_start|', '<|im_end|im_start|>', '<|im_end-1|>'])
      expect(proseOf(`The door opens.${token}`)).toBe('The door opens.')
    expect(proseOf('<|im_start|assistant\nThe door opens.')).toBe('The door opens.')
  })
})

describe('what only looks like a template token is prose', () => {
  const cases = [
    '### A chapter heading\n\nThe door opens.',
    '### Instructions for the dead\n',
    '### The Response\n',
    '#### Response:\n',
    'She wrote ### Instruction: on the wall.',
    '# Input\n',
    '###',
    'He is <b>bold</b>, and sings </song> and <stop>.',
    'Do it [INSTANTLY] or [INST or INST] never.',
    'The sign says <| and |> and <|.',
    '<|two words|>',
    `<|${'a'.repeat(41)}|>`,
    'if a < b and c > d, then <s or /s>',
    '[1] [a note] [|] [|',
    '<<SYSTEM>> <',
    '  \n\nThe door opens.\n\n',
  ]
  for (const text of cases) test(JSON.stringify(text), () => expect(proseOf(text)).toBe(text))
})

describe('a reply that begins with template tokens is read on', () => {
  const cases: [name: string, reply: string][] = [
    ['ChatML', '<|im_start|>assistant\nThe door opens.<|im_end|>\n<|im_start|>user\nYou run.'],
    ['ChatML after an end', '<|im_end|>\n<|im_start|>assistant\nThe door opens.'],
    [
      'ChatML after the line of the player',
      '\n<|im_start|>user\nYou run.<|im_end|>\n<|im_start|>assistant\nThe door opens.',
    ],
    ['ChatML without a role', '<|im_start|>The door opens.'],
    ['Phi 4', '<|im_start|>assistant<|im_sep|>The door opens.<|im_end|>'],
    ['SmolVLM', '<|im_start|>Assistant: The door opens.<end_of_utterance>'],
    ['Llama 2', '<s>[INST] You run. [/INST] The door opens.</s>'],
    [
      'Llama 3',
      '<|begin_of_text|><|start_header_id|>assistant<|end_header_id|>\n\nThe door opens.<|eot_id|>',
    ],
    ['Llama 4', '<|header_start|>assistant<|header_end|>\n\nThe door opens.<|eot|>'],
    ['Mistral', '<s>[SYSTEM_PROMPT]Tell.[/SYSTEM_PROMPT][INST]You run.[/INST]The door opens.</s>'],
    ['Monarch', '<s>assistant\nThe door opens.</s>'],
    ['Gemma', '<bos><start_of_turn>model\nThe door opens.<end_of_turn>\n<start_of_turn>user\n'],
    ['Zephyr', '<|system|>\nTell.</s>\n<|user|>\nYou run.</s>\n<|assistant|>\nThe door opens.</s>'],
    [
      'DeepSeek',
      '<｜begin▁of▁sentence｜><｜User｜>You run.<｜Assistant｜>The door opens.<｜end▁of▁sentence｜>',
    ],
    ['Command R', '<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>The door opens.<|END_OF_TURN_TOKEN|>'],
    [
      'Harmony, with thoughts',
      '<|channel|>analysis<|message|>We need a door.<|end|><|start|>assistant<|channel|>final<|message|>The door opens.<|return|>',
    ],
    ['Granite', '<|start_of_role|>assistant<|end_of_role|>The door opens.<|end_of_text|>'],
    ['EXAONE', '[|assistant|]The door opens.[|endofturn|]'],
    ['Kimi', '<|im_assistant|>assistant<|im_middle|>The door opens.<|im_end|>'],
    ['Alpaca', '### Instruction:\nYou run.\n\n### Response:\nThe door opens.\n'],
  ]
  for (const [name, reply] of cases)
    test(name, () => {
      expect(proseOf(reply).trim()).toBe('The door opens.')
      expect(filtered([reply]).dropped).toBe(true)
    })

  test('one that gives the word to nobody is empty', () => {
    expect(proseOf('<|im_start|>user\nYou run.<|im_end|>\n')).toBe('')
    expect(proseOf('The door opens.<|im_')).toBe('The door opens.')
    expect(proseOf('The door opens.<|')).toBe('The door opens.<|')
    expect(proseOf('<|im_end|>')).toBe('')
    expect(proseOf('<|im_start|>assist')).toBe('assist')
  })
})

describe('however a reply is cut', () => {
  const SCRAPS = [
    ...TOKENS.map(({ token }) => token),
    ...ALPACA_HEADINGS.other,
    ...[
      'assistant',
      'user',
      'analysis',
      'The door ',
      'opens.',
      '\n',
      '\r\n',
      ' ',
      ':',
      '#',
      '<',
      '|',
      '[',
      '<|',
      '</',
      '｜>',
    ],
  ]
  const reply = fc
    .array(fc.oneof(fc.constantFrom(...SCRAPS), fc.constantFrom(...SCRAPS).chain(beginning)), {
      maxLength: 12,
    })
    .map((scraps) => scraps.join(''))

  test('the prose is the same', () => {
    fc.assert(
      fc.property(reply, fc.array(fc.nat({ max: 40 })), (text, cuts) => {
        expect(filtered(cutAnywhere(text, cuts))).toEqual(filtered([text]))
        expect(filtered(text)).toEqual(filtered([text]))
      }),
      { numRuns: runs(2_000) },
    )
  })

  test('text without tokens passes byte for byte', () => {
    const innocent = fc.array(
      fc.constantFrom('The ', 'door', '\n', '# ', '<b>', '[a]', '| ', '### ', '…', '<'),
    )
    fc.assert(
      fc.property(innocent, fc.array(fc.nat({ max: 9 })), (words, cuts) => {
        const text = words.join('')
        expect(filtered(cutAnywhere(text, cuts))).toEqual({ prose: text, isEnded: false, dropped: false })
      }),
    )
  })

  function beginning(token: string): fc.Arbitrary<string> {
    return fc.nat({ max: token.length }).map((length) => token.slice(0, length))
  }
})

describe('a reply of half a million characters', () => {
  for (const unit of [
    '<',
    '<|',
    '[',
    '[|',
    '#',
    '\n###',
    '<|a',
    '<|im_',
    '<s>',
    '<|im_start|>',
    '<|im_start|>user ',
  ])
    test(JSON.stringify(unit), () => {
      const text = unit.repeat(500_000 / unit.length)
      expect(filtered(text)).toEqual(filtered([text]))
    })
})
