import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { JOBS } from '../src/app/worker/jobs.ts'
import { openLibrary } from '../src/db/library/open.ts'
import type { Library } from '../src/db/library.ts'
import { searchStory } from '../src/db/search/recall-search.ts'
import { isQuestion, lineTerms } from '../src/domain/recall/line-terms.ts'
import { worthRecalling } from '../src/domain/recall/ranking.ts'
import type { VectorQuery } from '../src/domain/recall/vectors.ts'
import { EmbeddingServer } from './embedding-server.ts'

/** Conversations with questions, and the turns that answer each, by their ids: the form of LoCoMo. */
interface Questions {
  conversations: {
    turns: { id: string; speaker: string; text: string }[]
    questions: { question: string; evidence: string[]; category: string }[]
  }[]
}

/** Shares of the questions. */
interface Scores {
  questions: number
  'hit@1': number
  'hit@5': number
  'hit@10': number
  'recall@5': number
  /** Of what is good enough to be recalled. */
  'hit@5 recalled': number
}

/** Pieces that may be recalled for one line. */
const MOST = 5
const SIZES = [2_760, 10_000, 100_000]

/**
 * How well, and how fast, passages are found by the questions of a file, and how often where nothing was told: by words, or
 * also by what they mean to a model of a server of embeddings.
 */
export async function recallTable([file, url, model = 'multilingual-e5-small']: string[]): Promise<object> {
  if (file === undefined) throw new Error('Name a file of conversations with questions.')
  const { conversations }: Questions = await Bun.file(file).json()
  const stories = conversations.map(({ turns }) => turns.map(({ speaker, text }) => `${speaker}: ${text}`))
  const server = url === undefined ? null : new EmbeddingServer(url, model)
  const lines = conversations.flatMap(({ questions }) => questions).map(asked)
  const queries = (await server?.queriesFor([...lines, ...NOTHING])) ?? new Map<string, VectorQuery>()
  const meaning = { server, queries }
  console.table(await found(conversations, stories, meaning))
  return times(stories.flat(), lines, meaning)
}

/** How lines and passages are compared by what they mean. */
interface Meaning {
  /** Null without one. */
  server: EmbeddingServer | null
  /** By the lines. */
  queries: ReadonlyMap<string, VectorQuery>
}

async function found(conversations: Questions['conversations'], stories: string[][], meaning: Meaning) {
  const made = await libraryOf(stories, meaning)
  const search = searchWith(made.library, meaning)
  const rows = new Map<string, Scores>()
  for (const [i, { turns, questions }] of conversations.entries()) {
    const places = new Map(turns.map(({ id }, place) => [id, place]))
    for (const question of questions) {
      const evidence = question.evidence.flatMap((id) => places.get(id) ?? [])
      if (evidence.length === 0) continue
      const { all, recalled } = search(i + 1, asked(question))
      for (const name of [question.category, 'all']) {
        const row = rows.get(name) ?? { ...NONE }
        rows.set(name, row)
        const hit = (found: number[], most: number) =>
          +found.slice(0, most).some((at) => evidence.includes(at))
        row.questions++
        row['hit@1'] += hit(all, 1)
        row['hit@5'] += hit(all, 5)
        row['hit@10'] += hit(all, 10)
        row['recall@5'] += evidence.filter((at) => all.slice(0, 5).includes(at)).length / evidence.length
        row['hit@5 recalled'] += hit(recalled, 5)
      }
    }
  }
  const pieces = stories.flatMap((_, i) => NOTHING.map((line) => search(i + 1, line).recalled))
  made.remove()
  console.log(
    `Recalled for lines about nothing that was told: ${(pieces.flat().length / pieces.length).toFixed(3)} passages a line (0.2)`,
  )
  return Object.fromEntries(
    [...rows].map(([name, { questions, ...sums }]) => [
      name,
      {
        questions,
        ...Object.fromEntries(Object.entries(sums).map(([k, v]) => [k, (v / questions).toFixed(3)])),
      },
    ]),
  )
}

const NONE: Scores = { questions: 0, 'hit@1': 0, 'hit@5': 0, 'hit@10': 0, 'recall@5': 0, 'hit@5 recalled': 0 }

/** The times of a search in stories of different lengths, made of the same passages. */
async function times(passages: string[], lines: string[], meaning: Meaning) {
  const rows: Record<string, Record<string, string>> = {}
  for (const size of SIZES) {
    const story = Array.from({ length: size }, (_, i) => passages[i % passages.length] ?? '')
    const { library, bytes, remove } = await libraryOf([story], meaning)
    const search = searchWith(library, meaning)
    search(1, lines[0] ?? '')
    const taken = lines
      .map((line) => {
        const began = performance.now()
        search(1, line)
        return performance.now() - began
      })
      .sort((one, other) => one - other)
    const at = (share: number) => `${(taken[Math.floor(taken.length * share)] ?? 0).toFixed(1)} ms`
    remove()
    rows[`${size} passages`] = {
      p50: at(0.5),
      p95: at(0.95),
      'bytes of index a passage': (bytes / size).toFixed(0),
      'bytes of text a passage': (Buffer.byteLength(story.join('')) / size).toFixed(0),
    }
  }
  return rows
}

function asked({ question }: { question: string }): string {
  return `> You say "${question}"`
}

function searchWith({ reader }: Library, { queries }: Meaning) {
  return (adventureId: number, line: string) => {
    const query = queries.get(line) ?? null
    const hits = searchStory(reader, adventureId, {
      terms: lineTerms(line),
      endingBefore: Infinity,
      query,
    })
    const recalled = worthRecalling(hits, isQuestion(line)).slice(0, MOST)
    return { all: hits.map(({ place }) => place), recalled: recalled.map(({ place }) => place) }
  }
}

/** A library with stories, and the bytes of its index and its vectors. */
async function libraryOf(stories: string[][], { server }: Meaning) {
  const folder = mkdtempSync(join(tmpdir(), 'inglenook-recall-'))
  const path = join(folder, 'library.db')
  const filling = openLibrary(path)
  filling.write((tx) => {
    const time = '2026-01-01 00:00:00.000000'
    for (const [i, passages] of stories.entries()) {
      tx.insert('adventures', { title: `Story ${i + 1}`, created_at: time, updated_at: time })
      for (const [index, text] of passages.entries())
        tx.run(
          'INSERT INTO actions (adventure_id, "index", type, text, created_at) VALUES (?, ?, ?, ?, ?)',
          i + 1,
          index,
          index === 0 ? 'start' : 'ai',
          text,
          time,
        )
    }
  })
  filling.close()
  const before = statSync(path).size
  await JOBS.index({ path }, { mayWrite: async () => {}, report: () => {} })
  const library = openLibrary(path)
  for (const i of stories.keys()) await server?.embedPassages(library, i + 1)
  library.checkpoint()
  const remove = () => {
    library.close()
    rmSync(folder, { recursive: true })
  }
  return { library, bytes: statSync(path).size - before, remove }
}

const STARTS =
  'I walk on|I look around|I wait|I sit down|I nod|I go through the door|I turn left|I say nothing|I keep going|I climb the stairs|I open the door|I draw my sword|I listen|I rest for a while|I follow the path|I light a torch|I shrug and smile|I cross the room|I step back|I run'
const ENDS =
  '| again| slowly| without a word| and listen for a while| until it gets dark|, one hand on the wall|, as quietly as I can| and see what happens| with a sigh| towards the light| before anyone can answer|, then stop for a moment| and close my eyes| and try not to think about it'
/** 300 lines that ask for nothing. */
const NOTHING = STARTS.split('|').flatMap((start) => ENDS.split('|').map((end) => `> ${start}${end}.`))
