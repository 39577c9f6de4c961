import { dirname, join } from 'node:path'
import { chooseModelFile, fetchEngineFor } from '../app/model/engine.ts'
import { readConfig } from '../config.ts'
import { Engine } from '../engine/engine.ts'
import { engineCommandLine } from '../engine/engine-process.ts'
import type { EngineOffer } from '../engine/fetch-engine.ts'
import { readModelFile } from '../engine/model-file.ts'
import { printLine } from '../lib/print.ts'
import { callerPath, commandLine } from '../lib/project.ts'
import { serveAt } from './serve.ts'

const ENGINE_PAGE = 'settings/engine'

export async function play(args: readonly string[]): Promise<void> {
  const file = args.find((one) => !one.startsWith('--'))
  if (file === undefined) throw new Error(`Name one model file: ${commandLine('play model.gguf')}`)
  const path = callerPath(file)
  await readModelFile(path)
  const config = readConfig(process.env)
  const engine = new Engine({ folder: join(dirname(config.dbPath), 'engine'), command: engineCommandLine })
  const isAbsent = engine.current().kind === 'absent'
  const fetches = isAbsent && confirmDownload(engine.offer(), args.includes('--get-engine'))
  await serveAt(config, {
    opens: !args.includes('--no-open'),
    page: isAbsent ? ENGINE_PAGE : '',
    beforeOpen: async (deps) => {
      await chooseModelFile(deps, path)
      if (fetches) fetchEngineFor(deps, false)
    },
  })
}

function confirmDownload(offer: EngineOffer | null, isAsked: boolean): boolean {
  if (offer === null) return false
  printLine(
    `To load a model file, Inglenook needs an engine: node-llama-cpp ${offer.version} (${offer.license} license), ${offer.megabytes} MB from ${offer.registry}.`,
  )
  if (isAsked) return true
  if (process.stdin.isTTY) return confirm('Get it?')
  printLine('It was not downloaded. Press “Get the engine” on the page, or start again with --get-engine.')
  return false
}
