import { mkdtempSync, rmdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { BASE_FOLDER, build } from './lib/project.ts'

/**
 * The folder of the library where APP_DB_PATH names none: `data` in a checkout, `inglenook-data` beside the executable, and the
 * system's data folder where that is not possible.
 */
export function dataFolder(): string {
  if (build === 'sources' || build === 'bundle') return join(BASE_FOLDER, 'data')
  const system = systemDataFolder(process.platform, process.env, homedir())
  return build === 'package' ? system : besideOr(dirname(process.execPath), system)
}

/** `inglenook-data` in a folder that can be written to, else the other folder. */
export function besideOr(folder: string, other: string): string {
  const beside = join(folder, 'inglenook-data')
  return canCreateIn(beside) || canCreateIn(folder) ? beside : other
}

/** Where programs of a system keep data of a user. `env` is the process's environment. */
export function systemDataFolder(
  platform: NodeJS.Platform,
  env: Record<string, string | undefined>,
  home: string,
): string {
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'Inglenook')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Inglenook')
  return join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'inglenook')
}

// Tried, because the permissions that Windows reports are not those that it applies.
function canCreateIn(folder: string): boolean {
  try {
    rmdirSync(mkdtempSync(join(folder, '.inglenook-')))
    return true
  } catch {
    return false
  }
}
