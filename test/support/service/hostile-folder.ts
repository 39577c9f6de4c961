import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The prefix of the files that code of such a folder leaves. */
const MARK = 'ran-'

/** Packages that a program may look for: ours, those that it is made of, and names like those of Bun and Node. */
const PACKAGES = ['bun', 'bun:sqlite', 'elysia', 'file-type', 'fs', 'inglenook', 'node:os', 'os', 'stream']

/** The variables that its `.env` files set. */
export const HOSTILE_VARIABLES = {
  APP_HOST: '0.0.0.0',
  APP_ALLOWED_HOSTS: 'hostile.lan',
  APP_PORT: '4749',
  APP_DB_PATH: 'hostile.db',
  XDG_DATA_HOME: 'hostile',
  NODE_TLS_REJECT_UNAUTHORIZED: '0',
}

/** Fills a folder with all settings from which Bun, Node and npm can take code, and with code that leaves a file there. */
export function makeHostile(folder: string, manifest: object = {}): void {
  const mark = (name: string) =>
    `require('node:fs').writeFileSync(${JSON.stringify(join(folder, `${MARK}${name}`))}, '')`
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  write('code.cjs', mark('code'))
  write('bunfig.toml', 'preload = ["./code.cjs"]\n[install]\nregistry = "http://127.0.0.1:1/"\n')
  write('.npmrc', 'registry=http://127.0.0.1:1/\n')
  write('tsconfig.json', '{"compilerOptions":{"baseUrl":".","paths":{"*":["./code.cjs"]}}}')
  const scripts = Object.fromEntries(
    ['start', 'preinstall', 'postinstall', 'prepare'].map((name) => [name, 'node code.cjs']),
  )
  write('package.json', JSON.stringify({ name: 'inglenook', main: 'code.cjs', scripts, ...manifest }))
  const variables = Object.entries(HOSTILE_VARIABLES).map(([name, value]) => `${name}=${value}\n`)
  for (const name of ['.env', '.env.local', '.env.development', '.env.production', '.env.test'])
    write(name, variables.join(''))
  for (const name of PACKAGES) {
    mkdirSync(join(folder, 'node_modules', name), { recursive: true })
    write(join('node_modules', name, 'index.js'), mark(name.replace(':', '-')))
  }
}

/** What has run of its code, and what else is new in it. */
export function hostileMarks(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.startsWith(MARK) || name.startsWith('hostile'))
}
