import { getSavedSettings, updateSettings } from '../../db/tables/settings.ts'
import { StoryError } from '../../domain/errors.ts'
import { checkRoom } from '../../domain/prompt/budget.ts'
import { ADDRESSES, type Settings, type SettingsView, settingsView } from '../../domain/settings.ts'
import type { Deps } from '../deps.ts'
import { probeModel } from './learn-model.ts'
import { repairedAddress } from './settings.ts'

/** Milliseconds that a save spends on contacting servers. What it does not learn in that time is learned later. */
const LOOK_TIMEOUT = 2_000

/** The settings as they were saved, and what the player should know about the servers, in sentences. */
interface SavedSettings {
  settings: SettingsView
  advice: string[]
}

/**
 * Changes the given settings, all or none. Every address is checked against the policy and corrected, and the model server
 * is looked at; one that cannot be reached is saved as it was given. Throws endpoint_refused, and invalid where no room
 * would be left for a story.
 */
export async function changeSettings(deps: Deps, given: Partial<Settings>): Promise<SavedSettings> {
  const { reader } = deps.library
  checkRoom({ ...getSavedSettings(reader), ...given }, given)
  if (given.model_file) await checkModelFile(deps, given.model_file)
  const limited = AbortSignal.any([deps.closing, AbortSignal.timeout(LOOK_TIMEOUT)])
  const { addresses, advice } = await repairedAddresses(deps, given)
  deps.library.write((tx) => updateSettings(tx, { ...given, ...addresses }))
  deps.idle.learnAgain()
  if (PROBED.some((name) => given[name] !== undefined)) await probeModel(deps, limited)
  return { settings: settingsView(getSavedSettings(reader)), advice }
}

/** The settings that identify a model. */
const PROBED = ['endpoint_url', 'model', 'model_file'] as const

/** The given addresses, corrected, and what was changed or still has to be done. */
async function repairedAddresses(
  deps: Deps,
  given: Partial<Settings>,
): Promise<{ addresses: Partial<Settings>; advice: string[] }> {
  const named = ADDRESSES.filter((name) => given[name] !== undefined)
  // All addresses are checked before any server is contacted.
  for (const name of named) if (given[name]?.trim()) await deps.narrator.check(given[name])
  const repaired = await Promise.all(
    named.map((name) => repairedAddress(deps, given[name] ?? '', deps.closing)),
  )
  return {
    addresses: Object.fromEntries(named.map((name, i) => [name, repaired[i]?.url])),
    // Both may be at one server.
    advice: [...new Set(repaired.flatMap(({ changed, advice }) => [changed, advice]))].filter(
      (note) => note !== null,
    ),
  }
}

/** Throws invalid where a file cannot be a narrator on this machine. */
async function checkModelFile({ engine, library: { reader } }: Deps, path: string): Promise<void> {
  const { context_token_budget: window } = getSavedSettings(reader)
  const facts = await engine.facts({ path, window })
  if (!('refused' in facts)) return
  const { refused: message } = facts
  throw new StoryError('invalid', message, { errors: [{ path: '/model_file', message }] })
}
