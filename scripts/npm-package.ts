// The npm package: one bundle and the files that it reads. Its only dependencies are Bun's own packages, of which npm
// installs the one for the platform.
import { chmodSync, cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../package.json'
import { PROGRAM_FOLDER } from '../src/lib/project.ts'
import { version as bunVersion, packages } from './bun-packages.json'
import { makeProgram } from './program.ts'

/**
 * Runs under Node and under Bun: finds the Bun that came with the package, and becomes it. Bun reads settings of its current
 * folder, so that is the package's.
 */
const LAUNCHER = `#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)
const names = ${JSON.stringify([...new Set(Object.values(packages).map(({ name }) => name))])}
const places = names.flatMap((name) => [\`\${name}/bin/bun\`, \`\${name}/bin/bun.exe\`])
const found = process.versions.bun ? process.execPath : places.map(resolve).find((path) => path !== undefined)
if (found === undefined) {
  console.error('Bun was not installed with this package. Install it again without --omit=optional, or see https://bun.sh.')
  process.exit(1)
}
const cwd = fileURLToPath(new URL('.', import.meta.url))
const env = { ...process.env, INIT_CWD: process.cwd() }
const child = spawn(found, ['index.js', ...process.argv.slice(2)], { cwd, env, stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))

function resolve(name) {
  try {
    return require.resolve(name)
  } catch {
    return undefined
  }
}
`

/** Makes the package in a folder, as `inglenook-<version>.tgz`. */
export async function makeNpmPackage(dist: string): Promise<void> {
  const folder = join(dist, 'npm')
  rmSync(folder, { recursive: true, force: true })
  await makeProgram(folder, { define: { BUILD: '"package"' }, format: 'esm' })
  for (const file of ['LICENSE', 'README.md']) cpSync(join(PROGRAM_FOLDER, file), join(folder, file))
  writeFileSync(join(folder, 'inglenook.mjs'), LAUNCHER)
  chmodSync(join(folder, 'inglenook.mjs'), 0o755)
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest(), null, 2))
  // Otherwise Bun would look for one in the folders above.
  writeFileSync(join(folder, 'tsconfig.json'), '{}')
  const packed = Bun.spawnSync(['npm', 'pack', '--pack-destination', dist, '--loglevel', 'error'], {
    cwd: folder,
  })
  if (!packed.success) throw new Error(`npm pack failed: ${packed.stderr.toString()}`)
  console.log(packed.stdout.toString().trim())
}

function manifest(): Record<string, unknown> {
  const { name, version, description, license } = packageJson
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    bin: { inglenook: 'inglenook.mjs' },
    engines: { node: '>=20' },
    optionalDependencies: Object.fromEntries(Object.values(packages).map((one) => [one.name, bunVersion])),
  }
}
