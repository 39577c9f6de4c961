import { mkdtempSync, readFileSync, rmdirSync } from 'node:fs'
import { isIP } from 'node:net'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { BASE_FOLDER, build } from './lib/project.ts'

/** Settings from the environment; the README lists them under "Variables". */
export interface Config {
  dbPath: string
  host: string
  /** 0 means any free port. */
  port: number
  /** Accepted host names besides loopback: `name` or `name:port`, in lower case. */
  allowedHosts: string[]
  corsOrigins: string[]
  /** Certificates of a private authority in PEM format, trusted in addition to the system's. */
  ca: string | null
}

/** An invalid variable, named in a one-sentence message; the service does not start. */
export class BadVariable extends Error {}

type Environment = Record<string, string | undefined>

/** Throws BadVariable. */
export function readConfig(env: Environment): Config {
  const allowedHosts = listOf(env.APP_ALLOWED_HOSTS).map(hostName)
  return {
    dbPath: env.APP_DB_PATH ? resolve(BASE_FOLDER, env.APP_DB_PATH) : join(dataFolder(), 'inglenook.db'),
    host: boundHost(env.APP_HOST || '127.0.0.1', allowedHosts),
    port: portNumber(env.APP_PORT || '4747'),
    allowedHosts,
    corsOrigins: listOf(env.APP_CORS_ORIGINS).map(exactOrigin),
    ca: env.APP_CA_FILE ? certificates(env.APP_CA_FILE) : null,
  }
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

function boundHost(host: string, allowedHosts: string[]): string {
  if (host !== 'localhost' && isIP(host) === 0)
    throw new BadVariable(
      `APP_HOST is "${host}", which is not an IP address. Use 127.0.0.1 or another IP address of this machine.`,
    )
  if (!isLoopback(host) && allowedHosts.length === 0)
    throw new BadVariable(
      `APP_HOST is ${host}, which other machines can reach. List the host names they will use in APP_ALLOWED_HOSTS, or unset APP_HOST.`,
    )
  return host
}

function portNumber(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new BadVariable(`APP_PORT is "${text}". It must be a number from 0 to 65535.`)
  return port
}

function hostName(item: string): string {
  const name = item.toLowerCase()
  if (/^(\[[0-9a-f:.]+\]|[a-z0-9]([a-z0-9.-]*[a-z0-9])?)(:\d{1,5})?$/.test(name)) return name
  throw new BadVariable(
    `APP_ALLOWED_HOSTS has "${item}", which is not a host name. Write names like "stories.lan" or "stories.lan:8080".`,
  )
}

// A wildcard would let any page on the web change stories: the API has no password.
function exactOrigin(item: string): string {
  const url = URL.canParse(item) ? new URL(item) : null
  const isExact = url !== null && /^https?:$/.test(url.protocol) && url.origin === item && !item.includes('*')
  if (isExact) return item
  throw new BadVariable(
    `APP_CORS_ORIGINS has "${item}". List exact origins such as http://localhost:5173, without wildcards or paths.`,
  )
}

function certificates(file: string): string {
  const path = resolve(BASE_FOLDER, file)
  try {
    const pem = readFileSync(path, 'utf8')
    if (pem.includes('-----BEGIN CERTIFICATE-----')) return pem
  } catch {}
  throw new BadVariable(
    `APP_CA_FILE is "${file}", which is not a readable file of certificates in PEM format.`,
  )
}

// An empty item is a typo that may hide another one, so it stays in the list and fails its check.
function listOf(text: string | undefined): string[] {
  return text?.trim() ? text.split(',').map((item) => item.trim()) : []
}

/**
 * Default library folder: `data` in a checkout, `inglenook-data` next to the executable, or the system's data folder.
 */
function dataFolder(): string {
  if (build === 'sources' || build === 'bundle') return join(BASE_FOLDER, 'data')
  const system = systemDataFolder(process.platform, process.env, homedir())
  return build === 'package' ? system : folderNextToProgram(dirname(process.execPath), system)
}

/** `inglenook-data` next to the program if it is writable, else the other folder. */
export function folderNextToProgram(folder: string, other: string): string {
  const dataFolder = join(folder, 'inglenook-data')
  return canCreateIn(dataFolder) || canCreateIn(folder) ? dataFolder : other
}

export function systemDataFolder(
  platform: NodeJS.Platform,
  env: Record<string, string | undefined>,
  home: string,
): string {
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'Inglenook')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Inglenook')
  return join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'inglenook')
}

// Tried out, because Windows reports other permissions than it applies.
function canCreateIn(folder: string): boolean {
  try {
    rmdirSync(mkdtempSync(join(folder, '.inglenook-')))
    return true
  } catch {
    return false
  }
}
