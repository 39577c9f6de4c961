import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { CannotRun } from './cannot-run.ts'
import { MODELS } from './environment.ts'

/** What the command line asks for. */
export interface Options {
  short: boolean
  /** Plays a story of many turns that asks late for what was told early, instead of the course. */
  recall: boolean
  turns: number
  /** Scores replies and found changes over a story that is the same in every version, instead of the course. */
  score: boolean
  /** One of the models that are downloaded, or the path of a GGUF file. */
  model: string
  ollama: boolean
  /** Plays with a model file and the engine that players fetch. */
  engine: boolean
  /** Milliseconds from the end of a reply to the next step. */
  pause: number
  secondCall: 'on' | 'never'
  /** The folder of the version to measure. */
  project: string
  keep: boolean
  json: string | null
  replies: string | null
}

const OPTIONS = {
  short: { type: 'boolean', default: false },
  recall: { type: 'boolean', default: false },
  turns: { type: 'string' },
  ollama: { type: 'boolean', default: false },
  engine: { type: 'boolean', default: false },
  score: { type: 'boolean', default: false },
  keep: { type: 'boolean', default: false },
  model: { type: 'string', default: 'smollm2' },
  pace: { type: 'string' },
  'second-call': { type: 'string', default: 'on' },
  project: { type: 'string', default: resolve(import.meta.dir, '../..') },
  json: { type: 'string' },
  replies: { type: 'string' },
} as const

/** Throws CannotRun. */
export function readOptions(args: string[]): Options {
  const values = parsed(args)
  const { short, recall, ollama, engine, score, keep } = values
  return {
    short,
    recall,
    turns: number('--turns', values.turns ?? (short ? '60' : '300')),
    ollama,
    engine,
    keep,
    score,
    model: values.model.endsWith('.gguf') ? pathOf(values.model) : oneOf('--model', values.model, MODELS),
    pause: number('--pace', values.pace ?? (short ? '3' : '20')) * 1_000,
    secondCall: oneOf('--second-call', values['second-call'], ['on', 'never']),
    project: pathOf(values.project),
    json: values.json === undefined ? null : pathOf(values.json),
    replies: values.replies === undefined ? null : pathOf(values.replies),
  }
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS }).values
  } catch (error) {
    throw new CannotRun(error instanceof Error ? error.message : String(error))
  }
}

function oneOf<T extends string>(name: string, value: string, known: readonly T[]): T {
  const found = known.find((one) => one === value)
  if (found === undefined)
    throw new CannotRun(`${name} is "${value}". It must be one of: ${known.join(', ')}.`)
  return found
}

function number(name: string, text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new CannotRun(`${name} is "${text}". It must be a number.`)
  return Number(text)
}

// npm changes to the project's folder, but paths are relative to where the command was run.
function pathOf(path: string): string {
  return resolve(process.env.INIT_CWD ?? '.', path)
}
