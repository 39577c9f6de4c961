import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { ALPACA_HEADINGS, TOKEN_FAMILIES } from '../../../src/domain/reply/mark-families.ts'
import { type FilteredPart, MarkFilter } from '../../../src/domain/reply/mark-filter.ts'
import { runs } from '../../support/depth.ts'
import { cutAnywhere } from './pieces.ts'

function filtered(pieces: Iterable<string>) {
  const filter = new MarkFilter()
  const read = { prose: '', thoughts: '' }
  const take = (parts: Iterable<FilteredPart>) => {
    for (const part of parts) {
      if (part.kind === 'text') read.prose += part.text
      if (part.kind === 'thinking') read.thoughts += part.text
      if (part.kind === 'recast') Object.assign(read, { prose: '', thoughts: read.thoughts + read.prose })
    }
  }
  for (const piece of pieces) take(filter.push(piece))
  take(filter.end())
  return { ...read, isEnded: filter.isEnded }
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
        thoughts: '',
        isEnded: true,
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
    expect(proseOf('<|im_start|assistant\nThe door opens.')).toBe('\nThe door opens.')
  })
})

/** Thoughts and a story, as models wrote them. */
const THOUGHTS: [family: string, reply: string][] = [
  ['DeepSeek R1, Qwen 3, GLM', '<think>hm</think>The door opens.'],
  ['in capitals', '<THINK>hm</Think>The door opens.'],
  ['opened in the prompt', 'hm\n</think>\n\nThe door opens.'],
  ['opened in the prompt, closed in mid-line', 'so I write hm</think>The door opens.'],
  ['closed at once', '<think>\n\n</think>\n\nThe door opens.'],
  ['with a mark of its own kind inside', '<think>a <think> hm</think>The door opens.'],
  ['with the marks of others inside', '<think>[/THINK]</thinking><channel|>hm</think>The door opens.'],
  ['others', '<thinking>hm</thinking>The door opens.'],
  ['EXAONE Deep', '<thought>hm</thought>The door opens.'],
  ['Reka', '<reasoning>hm</reasoning>The door opens.'],
  ['Seed-OSS', '<seed:think>hm</seed:think>The door opens.'],
  ['MiniMax M3', '<mm:think>hm</mm:think>The door opens.'],
  ['K2 Horizon', '<ifm|think>hm</ifm|think>The door opens.'],
  ['LongCat', '<longcat_think>hm</longcat_think>The door opens.'],
  ['Hunyuan 3', '<think:opensource>hm</think:opensource>The door opens.'],
  ['a family that no table knows', '<xy_thoughts>hm</xy_thoughts>The door opens.'],
  ['Magistral', '[THINK]hm[/THINK]The door opens.'],
  ['Kimi VL', '◁think▷hm◁/think▷The door opens.'],
  ['Kimi K3', '<|open|>think<|sep|>hm<|close|>think<|sep|><|open|>response<|sep|>The door opens.<|close|>response<|sep|>'],
  ['Kimi K3, opened in the prompt', 'hm<|close|>think<|sep|>The door opens.'],
  ['Command A', '<|START_THINKING|>hm<|END_THINKING|><|START_RESPONSE|>The door opens.<|END_RESPONSE|>'],
  ['Sky-T1', '<|begin_of_thought|>hm<|end_of_thought|><|begin_of_solution|>The door opens.'],
  ['LFM', '<|think_start|>hm<|think_end|>The door opens.'],
  ['Solar', '<|think|>hm<|end|><|begin|>assistant<|content|>The door opens.<|end|>'],
  ['Apertus', '<|inner_prefix|>hm<|inner_suffix|>The door opens.'],
  ['Gemma 4', '<|channel>thought\nhm<channel|>The door opens.<turn|>'],
  ['Gemma 4 after its turn', '<|turn>model\n<|channel>thought\nhm<channel|>The door opens.'],
  ['MedGemma', '<unused94>thought\nhm<unused95>The door opens.'],
  ['Pangu', '[unused16]hm[unused17]The door opens.'],
  ['Granite 3.2', 'Here is my thought process: hm\nHere is my response: The door opens.'],
  ['Apriel', 'Here are my reasoning steps:\nhm\n[BEGIN FINAL RESPONSE]\nThe door opens.\n[END FINAL RESPONSE]'],
  ['gpt-oss', '<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>The door opens.<|return|>'],
  ['gpt-oss, twice', '<|channel|>analysis<|message|>h<|end|><|start|>assistant<|channel|>commentary<|message|>m<|end|><|start|>assistant<|channel|>final<|message|>The door opens.'],
  ['gpt-oss without its tokens', 'analysishmassistantfinalThe door opens.'],
  ['Hunyuan A13B', '<think>hm</think>\n<answer>\nThe door opens.\n</answer>'],
] // biome-ignore format: a case a line

describe('thoughts are taken out', () => {
  for (const [family, reply] of THOUGHTS) {
    test(family, () => {
      const whole = filtered([reply])
      expect([whole.prose.trim(), whole.thoughts]).toEqual([
        'The door opens.',
        expect.stringMatching(/hm|^\s*$/),
      ])
      for (let size = 1; size < reply.length; size++) {
        const pieces = reply.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
        expect(filtered(pieces)).toEqual(whole)
      }
    })
  }

  test('between sentences of the story, too', () => {
    expect(filtered(['It is late.\n\n<think>hm</think>\n\nThe door opens.'])).toMatchObject({
      prose: 'It is late.\n\n\n\nThe door opens.',
      thoughts: 'hm',
    })
  })

  test('also if they never end', () => {
    expect(filtered(['<think>hm, the'])).toMatchObject({ prose: '', thoughts: 'hm, the' })
  })
})

describe('a mark that prose mentions is prose', () => {
  const cases = [
    'She types <think> and waits.',
    'The word <think> is written over the door; </think> stands under it.',
    'He wrote “<think>hello</think>” on the wall.',
    'The sign says `</think>`. Nobody laughs.',
    'She typed </think> and pressed the key.',
    'It reads <reasoning>, then nothing.',
    '[Thinking] He paused.',
    'He says: Here is my response: no.',
    'The assistant finally spoke.',
    'a <thin line> and 1 < 2',
    'The door <thi',
    '<b>The</b> <thinker>',
    'The tag <answer> hangs from the key.',
  ]
  for (const text of cases) test(JSON.stringify(text), () => expect(proseOf(text)).toBe(text))
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
        expect(filtered(cutAnywhere(text, cuts))).toEqual({ prose: text, thoughts: '', isEnded: false })
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
