// Plays a story against a real model server and shows the server's own numbers. Run with `npm run real`.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CannotRun } from './cannot-run.ts'
import { checksOf } from './checks.ts'
import { runEngine } from './engine-run.ts'
import { prepareEnvironment } from './environment.ts'
import { type ModelServer, startLlamaCpp } from './model-server.ts'
import { startOllama } from './ollama.ts'
import { type Options, readOptions } from './options.ts'
import { printRecall } from './recall-run.ts'
import { repliesOf } from './replies.ts'
import { measuresOf, printChecks, printMeasures } from './report.ts'
import { REPLIES } from './score-ask.ts'
import { SCORE_WINDOW } from './score-record.ts'
import { runScore } from './score-run.ts'
import { playLongStory, playSession, SERVER_WINDOW, type Session } from './session.ts'

/** Returns the exit code: the short form is a check. */
async function run(options: Options, folder: string): Promise<number> {
  if (options.engine) return reportEngine(await runEngine(options.project, folder))
  await using model = await startModel(options, join(folder, 'model.log'))
  if (options.score) {
    const scored = await runScore(model, options, folder)
    if (options.json) writeJson(options.json, scored)
    return 0
  }
  if (options.recall) {
    const answers = await playLongStory(model, options, folder)
    if (options.json) writeJson(options.json, answers)
    const missed = printRecall(answers)
    return options.short && missed > 0 ? 1 : 0
  }
  const session = await playSession(model, options, folder)
  const failed = report(session, model.model, options)
  return options.short && failed > 0 ? 1 : 0
}

function reportEngine(failed: number): number {
  console.log(`${failed === 0 ? 1 : 0} passed, ${failed} failed`)
  return failed > 0 ? 1 : 0
}

async function startModel({ ollama, model, score }: Options, log: string): Promise<ModelServer> {
  const window = score ? SCORE_WINDOW : SERVER_WINDOW
  if (ollama) return startOllama(window, log)
  const python = prepareEnvironment(model)
  return startLlamaCpp({ python, model, window, slots: score ? REPLIES : 1 }, log)
}

/** Returns the number of failed checks. */
function report(session: Session, model: string, { json, replies }: Options): number {
  const { plays, exchanges, outcome } = session
  const measures = measuresOf(session)
  const checks = checksOf(session)
  if (json) writeJson(json, { model, measures, checks, outcome, plays, exchanges })
  if (replies) writeJson(replies, repliesOf(model, plays))
  printMeasures(measures)
  return printChecks(checks)
}

function writeJson(path: string, value: object): void {
  writeFileSync(path, `${JSON.stringify(value, null, 1)}\n`)
}

async function main(args: string[]): Promise<number> {
  const options = readOptions(args)
  const folder = mkdtempSync(join(tmpdir(), 'inglenook-real-'))
  try {
    return await run(options, folder)
  } finally {
    if (options.keep) console.log(`The library and the logs are in ${folder}`)
    else rmSync(folder, { recursive: true, force: true })
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130))
const args = process.argv.slice(2)
try {
  process.exitCode = await main(args)
} catch (error) {
  const isSkipped = error instanceof CannotRun && args.includes('--short')
  console.error(error instanceof CannotRun ? error.message : error)
  // The last line of the short form is added to those of the tests. Without a server there is nothing to check.
  if (isSkipped) console.log('Skipped: no real model server.')
  if (args.includes('--short')) console.log(`0 passed, ${isSkipped ? 0 : 1} failed`)
  process.exitCode = isSkipped ? 0 : 1
}
