import type { Reader } from '../../db/database.ts'
import { getSavedSettings } from '../../db/tables/settings.ts'
import type { EngineModel, EngineState, ModelFileFacts } from '../../engine/engine.ts'
import type { EngineOffer } from '../../engine/fetch-engine.ts'
import { findModelFiles, usualFolders } from '../../engine/model-file.ts'
import type { Deps } from '../deps.ts'
import { changeSettings } from './change-settings.ts'

/** The chosen model file and the context that the settings ask for; null where no file is chosen. */
export function engineModel(reader: Reader): EngineModel | null {
  const { model_file: path, context_token_budget: window } = getSavedSettings(reader)
  return path === '' ? null : { path, window }
}

export interface EngineReport {
  state: EngineState
  offer: EngineOffer | null
  /** Null where no file is chosen. */
  model: ModelFileFacts | null
}

export async function engineReport({ engine, library: { reader } }: Deps): Promise<EngineReport> {
  const chosen = engineModel(reader)
  const model = chosen && (await engine.facts(chosen))
  return { state: engine.current(), offer: engine.offer(), model }
}

/** The model files in the usual folders of this machine, each with whether it fits. */
export async function findModels({ engine, library: { reader } }: Deps): Promise<ModelFileFacts[]> {
  const { context_token_budget: window } = getSavedSettings(reader)
  const found: ModelFileFacts[] = []
  for (const path of await findModelFiles(usualFolders())) {
    const facts = await engine.facts({ path, window })
    if ('file' in facts) found.push(facts)
  }
  return found
}

/** Makes a file the narrator's model, or '' none, and begins to load it. Throws invalid with the reason. */
export async function chooseModelFile(deps: Deps, path: string): Promise<void> {
  // Pasted paths come in the quotation marks of the system's file manager.
  const model_file = path.trim().replace(/^"(.*)"$/, '$1')
  deps.engine.forgetFailure()
  await changeSettings(deps, { model_file })
  if (model_file === '') await deps.engine.unload()
  else loadModel(deps)
}

function loadModel({ engine, library: { reader } }: Deps): void {
  const model = engineModel(reader)
  if (model) engine.load(model)
}

/** Downloads the engine, then loads the chosen model. */
export function fetchEngineFor(deps: Deps, graphics: boolean): void {
  deps.engine.download(graphics)
  void deps.engine.fetched().then(() => loadModel(deps))
}
