// The work of `build.mjs`.
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import packageJson from '../package.json'
import { makeZip } from '../src/formats/zip/make-zip.ts'
import { PROGRAM_FOLDER } from '../src/lib/project.ts'
import { fetchRuntime, pinned, platformName, runtimeOf } from './bun.mjs'
import { makeNpmPackage } from './npm-package.ts'
import { makeProgram } from './program.ts'

/** Where executables run, in the words of `bun-packages.json`, and how each is packed. */
const PLATFORMS: Record<string, 'tar.gz' | 'zip'> = {
  'linux-x64': 'tar.gz',
  'linux-arm64': 'tar.gz',
  'darwin-arm64': 'tar.gz',
  'darwin-x64': 'tar.gz',
  'win32-x64': 'zip',
}
const RUNTIMES = '.runtime/targets'
const DIST = join(PROGRAM_FOLDER, 'dist')
/** The program as it is in every executable; deleted at the end. */
const PROGRAM = join(DIST, 'program')

const asked = process.argv.slice(2)
const wanted = asked.length > 0 ? asked : [...Object.keys(PLATFORMS), 'npm']
const unknown = wanted.find((name) => !(name in PLATFORMS) && name !== 'npm')
if (unknown !== undefined) throw new Error(`There is nothing to build for "${unknown}".`)

mkdirSync(DIST, { recursive: true })
await makeEmbedded()
for (const platform of wanted) await (platform === 'npm' ? makeNpmPackage(DIST) : buildFor(platform))
rmSync(PROGRAM, { recursive: true })

/** The program with a module that imports every file, which is how they get into an executable. */
async function makeEmbedded(): Promise<void> {
  rmSync(PROGRAM, { recursive: true, force: true })
  await makeProgram(PROGRAM, { define: { BUILD: '"executable"' }, format: 'esm' })
  const files = ['public', 'migrations', 'packages'].flatMap((folder) =>
    readdirSync(join(PROGRAM, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(PROGRAM, join(parentPath, name)).replaceAll('\\', '/')),
  )
  const imports = files.map((file) => `import ${JSON.stringify(`./${file}`)} with { type: 'file' }\n`)
  writeFileSync(join(PROGRAM, 'inglenook.js'), `${imports.join('')}import './index.js'\n`)
}

async function buildFor(platform: string): Promise<void> {
  const folder = join(DIST, platform)
  rmSync(folder, { recursive: true, force: true })
  const outfile = join(folder, platform.startsWith('win32') ? 'inglenook.exe' : 'inglenook')
  const threads = readdirSync(PROGRAM).filter((name) => name.endsWith('worker.js'))
  await Bun.build({
    entrypoints: [join(PROGRAM, 'inglenook.js'), ...threads.map((name) => join(PROGRAM, name))],
    root: PROGRAM,
    naming: { asset: '[dir]/[name].[ext]' },
    target: 'bun',
    format: 'esm',
    bytecode: true,
    compile: { outfile, executablePath: runtime(platform) },
  })
  cpSync(join(PROGRAM_FOLDER, 'LICENSE'), join(folder, 'LICENSE'))
  await pack(platform, folder)
}

function runtime(platform: string): string {
  if (platform === platformName() && Bun.version === pinned) return process.execPath
  if (runtimeOf(platform, RUNTIMES) === undefined) fetchRuntime(platform, RUNTIMES)
  const path = runtimeOf(platform, RUNTIMES)
  if (path === undefined) throw new Error(`There is no Bun for ${platform}.`)
  return path
}

async function pack(platform: string, folder: string): Promise<void> {
  const archive = join(DIST, `inglenook-${packageJson.version}-${platform}.${PLATFORMS[platform]}`)
  const files = readdirSync(folder).map((name) => ({ name, path: join(folder, name) }))
  if (PLATFORMS[platform] === 'zip') {
    const entries = await Promise.all(
      files.map(async ({ name, path }) => ({ name, bytes: await Bun.file(path).bytes() })),
    )
    await Bun.write(archive, new Blob([...makeZip(entries)] as BlobPart[]))
  } else Bun.spawnSync(['tar', '-czf', archive, '-C', folder, ...files.map(({ name }) => name)])
  if (!existsSync(archive)) throw new Error(`${archive} was not made. Is tar there?`)
  console.log(`${(Bun.file(archive).size / 1e6).toFixed(1)} MB ${relative(PROGRAM_FOLDER, archive)}`)
}
