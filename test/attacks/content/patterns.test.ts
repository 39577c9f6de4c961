import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, type Token, tokTypes } from 'acorn'
import { Glob } from 'bun'
import { parseColumn } from '../../../src/db/column-values.ts'
import { cardMatcher } from '../../../src/domain/cards/card-triggers.ts'
import { parseKeys } from '../../../src/domain/cards/keys.ts'
import { StoryError } from '../../../src/domain/errors.ts'
import type { PortableAdventure } from '../../../src/domain/portable/portable.ts'
import { lineTerms } from '../../../src/domain/recall/line-terms.ts'
import { LineFilter } from '../../../src/domain/reply/line-filter.ts'
import { MarkFilter } from '../../../src/domain/reply/mark-filter.ts'
import { MARK } from '../../../src/domain/reply/marks.ts'
import { parseQuery } from '../../../src/domain/search/query.ts'
import { snippetOf } from '../../../src/domain/search/snippet.ts'
import { indexedText } from '../../../src/domain/search/words.ts'
import { fillPlaceholders, questionsIn } from '../../../src/domain/text/placeholder.ts'
import { formatLine } from '../../../src/domain/text/player-line.ts'
import { blocksOf, proseSoFar } from '../../../src/domain/text/prose-markup.ts'
import { typographic } from '../../../src/domain/text/typography.ts'
import { PathResolver } from '../../../src/domain/world/path-resolver.ts'
import { parseAnswer } from '../../../src/domain/world/recorder/answer.ts'
import { readRules } from '../../../src/domain/world/rules.ts'
import { schemaFromForm } from '../../../src/domain/world/schema-form.ts'
import { WHOLE_STORY } from '../../../src/formats/book/passages.ts'
import { parseFile } from '../../../src/formats/detect.ts'
import { fileName } from '../../../src/formats/file-name.ts'
import { cleanPicture } from '../../../src/formats/shared/cover.ts'
import { quote } from '../../../src/narrator/error-sentences.ts'
import { SseParser } from '../../../src/narrator/reply/sse-events.ts'
import { practiceReply } from '../../../src/practice/reply.ts'
import { diffWords } from '../../../src/views/ui/diff/word-diff.ts'
import { attacksOn, attackText, type PatternAttack } from '../../support/attacks/pattern-attacks.ts'
import { sampled } from '../../support/depth.ts'
import { makeHtml, makeMarkdown } from '../../support/files/make.ts'
import { lampStory } from '../../support/files/portable.ts'
import { LANTERN_ROCK } from '../../support/stories/worlds.ts'

const root = join(import.meta.dir, '../../..')

/** All literal patterns by file, and how many times one is constructed. */
const written = new Map<string, { patterns: RegExp[]; made: number }>()
for (const file of [...new Glob('{src,public}/**/*.{ts,tsx,js}').scanSync(root)].sort()) {
  const patterns: RegExp[] = []
  let made = 0
  let last: Token | undefined
  const loader = file.endsWith('x') ? 'tsx' : 'ts'
  const script = new Bun.Transpiler({ loader }).transformSync(readFileSync(join(root, file), 'utf8'))
  const onToken = (token: Token) => {
    const text = script.slice(token.start, token.end)
    const end = text.lastIndexOf('/')
    if (token.type === tokTypes.regexp) patterns.push(new RegExp(text.slice(1, end), text.slice(end + 1)))
    if (last?.type === tokTypes._new && text === 'RegExp') made++
    last = token
  }
  parse(script, { ecmaVersion: 'latest', sourceType: 'module', onToken })
  if (patterns.length + made > 0) written.set(file, { patterns, made })
}

/** Milliseconds below which the compiler and the collector of garbage hide how work grows. */
const FLOOR = 40
const LONGEST = 64_000

/**
 * Whether four times the text takes clearly more than four times the work. Quadratic work would take sixteen times. Only
 * CPU time of this process counts, and a slow run is repeated to rule out chance.
 */
function growsTooFast(work: (length: number) => number): boolean {
  const least = (length: number) => Math.min(...Array.from({ length: 3 }, () => work(length)))
  for (let length = LONGEST / 16; length <= LONGEST; length *= 4)
    if (work(length) > FLOOR) {
      const isFast = () => least(length) > 8 * least(length / 4)
      // Garbage collection counts as work, but hardly four times in a row.
      return Array.from({ length: 4 }).every(isFast)
    }
  return false
}

/** Milliseconds of work. */
function worked(operation: () => unknown): number {
  const before = process.cpuUsage()
  operation()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

function isCostly({ source, flags }: RegExp, attack: PatternAttack): boolean {
  return growsTooFast((length) => {
    const text = attackText(attack, length)
    // Recompiled, so that the engine has no cached state.
    const pattern = new RegExp(source, flags.includes('y') ? flags : `${flags.replace('g', '')}g`)
    return worked(() => (pattern.sticky ? pattern.exec(text) : text.replace(pattern, '')))
  })
}

/** The first attack that is not linear, with its pattern; null if there is none. */
function costly(pattern: RegExp): string | null {
  const found = attacksOn(pattern).find((attack) => isCostly(pattern, attack))
  return found === undefined ? null : `${pattern} ${JSON.stringify(found)}`
}

describe('71 twice the text takes twice the time for every pattern of', () => {
  for (const [file, { patterns }] of written)
    test(file, () => {
      expect(patterns.map(costly).filter((found) => found !== null)).toEqual([])
    })
})

describe('71 twice the text takes twice the time for constructed patterns', () => {
  /** The files that construct patterns, with examples. Names in them are our own. */
  const MADE: Record<string, RegExp[]> = {
    'src/formats/book/control-characters.ts': [],
    // Tokens of chat templates, joined by “or”.
    'src/domain/reply/marks.ts': [MARK],
    // The names of our notes.
    'src/domain/reply/note-openings.ts': [/^\[(?:[a-z']{1,12} ){0,4}(?:world state|end your reply)/],
    // The name of a character.
    'src/formats/shared/macros.ts': [/\{\{[^{}]*\}\}|(?<![\p{L}\p{N}_])Odo(?![\p{L}\p{N}_])/gu],
    'src/narrator/request/refusals.ts': [/(?<!\w)top_k(ing)?(?!\w)/],
    'src/views/import/routes.tsx': [/^scenario\.(\d{1,9})$/],
  }
  test('no other file constructs one', () => {
    const makers = [...written].filter(([, { made }]) => made > 0).map(([file]) => file)
    expect(makers.sort()).toEqual(Object.keys(MADE).sort())
  })
  for (const [file, patterns] of Object.entries(MADE))
    test(file, () => expect(patterns.map(costly).filter((found) => found !== null)).toEqual([]))
})

describe('71 twice the text takes twice the time for code that', () => {
  const paths = new PathResolver(readRules(LANTERN_ROCK))
  const storyWith = (text: string): PortableAdventure =>
    lampStory({
      actions: lampStory()
        .actions.slice(-1)
        .map((one) => ({ ...one, text, variants: [] })),
    })
  const READERS: [what: string, read: (text: string) => unknown][] = [
    [
      'takes blocks out of prose and reads them',
      (text) => {
        const lines = new LineFilter({ playerLines: ['> You open the door.'], paths })
        return lines.push(text) + lines.end()
      },
    ],
    ['reads changes that were asked for', (text) => parseAnswer(text, false, text, paths)],
    ['takes thoughts out of prose', (text) => [...new MarkFilter().push(text)]],
    ['gives prose its marks', (text) => typographic(text, 'en')],
    ['makes blocks of prose', (text) => blocksOf(text, 'en')],
    ['makes blocks of prose that streams', (text) => proseSoFar(text, 'en')],
    ['writes Markdown', (text) => makeMarkdown(storyWith(text), WHOLE_STORY)],
    ['writes a page', (text) => makeHtml(storyWith(text), WHOLE_STORY, '')],
    ['names a file', (text) => fileName(text, 'md')],
    ['asks what an author leaves open', (text) => questionsIn([text])],
    ['answers it', (text) => fillPlaceholders(text, { a: 'b' })],
    ['reads the keys of a card', (text) => parseKeys(text)],
    [
      'finds cards in a text',
      (text) => cardMatcher([{ keys: 'a, =aaa, *}, /(a+)+b/, /"*x/', entry: 'x' }]).match(text),
    ],
    ['indexes a text', (text) => indexedText([text])],
    ['shows what was found', (text) => snippetOf(['a title', text], parseQuery('"a a" e'))],
    ['finds words to recall by', (text) => lineTerms(text)],
    ['keeps a line of a player', (text) => [formatLine('do', text), formatLine('say', text)]],
    ['compares two texts', (text) => diffWords(text, `${text} more`)],
    ['reads bands of a form', (text) => schemaFromForm({ 'bands:player.oil': text }, LANTERN_ROCK)],
    [
      'reads what a file holds as JSON',
      (text) => importOf(JSON.stringify({ title: text, prompt: text, memory: text })),
    ],
    ['reads a chat', (text) => importOf(`${JSON.stringify({ name: text, mes: text })}\n`)],
    ['reads a save of Kobold Lite', (text) => importOf(JSON.stringify({ prompt: text, actions: [text] }))],
    ['reads cards', (text) => importOf(JSON.stringify([{ keys: text.slice(0, 900), value: text }]))],
    ['reads a picture', (text) => cleanPicture(`data:image/png;base64,${text}`)],
    ['reads a stored value', (text) => parseColumn(`{"a": NaN, "b": ${text}`)],
    ['practises', (text) => practiceReply([{ role: 'user', text }], 1)],
    ['reads events', (text) => text.split('\n').map((line) => new SseParser().push(line))],
    ['quotes a server', (text) => quote(`<html>${text}`, 300)],
  ]
  const AGAIN = [
    ...[
      '{',
      '}',
      '[',
      '(',
      '"',
      "'",
      '`',
      '~~~',
      '*',
      '**a',
      '_',
      '<',
      '>',
      '#',
      '|',
      '\\',
      '/',
      '/*',
      '//a',
    ],
    ...[' ', '\t', '\n', '\r', '\n\n', ' \n', 'a', 'a ', 'A', '0', '-', '- ', '.', '...', ',', ':', '=', '>'],
    ...[
      '```\n',
      '```json\n',
      '```state\n{',
      '{"a":',
      '{"player":',
      '{"player.warmth": 1,',
      '"player.warmth":',
    ],
    ...[
      '<state>',
      '</state>',
      '<think>',
      '</think>',
      '[state]',
      'state delta:\n',
      'player.warmth: 1\n',
      '${',
    ],
    ...[
      '${a',
      '{{char}}',
      '{{//',
      '> You say "',
      'data: ',
      'e\u0301',
      '\u0301',
      '名',
      '🏮',
      '\u0000',
      '\u2028',
    ],
    ...[
      '<script',
      '</',
      '<a ',
      '&',
      '1 to 2 ',
      '1 ',
      'You say "a" ',
      '{{[INPUT]}}',
      '(a',
      'path: a\n',
      '"path":',
    ],
  ]
  for (const [what, read] of READERS)
    test(what, () => {
      const costly = sampled(AGAIN).filter((again) =>
        growsTooFast((length) => {
          const text = `${again.repeat(Math.ceil(length / again.length))}\u0001 x`
          return worked(() => read(text))
        }),
      )
      expect(costly).toEqual([])
    })
})

function importOf(text: string): unknown {
  try {
    return parseFile(new TextEncoder().encode(text), 'x')
  } catch (error) {
    if (error instanceof StoryError) return error
    throw error
  }
}
