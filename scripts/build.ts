// Makes what people install, in `dist`: an executable for each platform, packed, and the npm package.
//   npm run build                      all of it
//   npm run build -- linux-x64 npm     these alone
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import packageJson from '../package.json'
import { makeZip } from '../src/formats/zip/make-zip.ts'
import { PROGRAM_FOLDER } from '../src/lib/project.ts'
import { fetchRuntime, pinned, platformName, runtimeOf } from './bun.mjs'
import { makeNpmPackage } from './npm-package.ts'
import { makeProgram } from './program.ts'

/** Where executables run, in the words of `bun-packages.json`. Bytecode makes them start faster, and 5 MB larger. */
const PLATFORMS: Record<string, { archive: 'tar.gz' | 'zip'; bytecode: boolean }> = {
  'linux-x64': { archive: 'tar.gz', bytecode: true },
  'linux-arm64': { archive: 'tar.gz', bytecode: true },
  'darwin-arm64': { archive: 'tar.gz', bytecode: true },
  'darwin-x64': { archive: 'tar.gz', bytecode: true },
  // Its Bun is the largest, and a release is at most 60 MB.
  'win32-x64': { archive: 'zip', bytecode: false },
}
/** An executable reads no settings of the folder that it is started in. */
const NO_SETTINGS = {
  autoloadDotenv: false,
  autoloadBunfig: false,
  autoloadTsconfig: false,
  autoloadPackageJson: false,
}
/** Megabytes of a release at most. */
const MAX_PACKED = 60
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
  const files = ['public', 'migrations', 'packages', 'engine'].flatMap((folder) =>
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
    bytecode: PLATFORMS[platform]?.bytecode ?? false,
    compile: {
      outfile,
      target: compileTarget(platform),
      executablePath: runtime(platform),
      ...NO_SETTINGS,
    },
  })
  cpSync(join(PROGRAM_FOLDER, 'LICENSE'), join(folder, 'LICENSE'))
  await pack(platform, folder)
}

// Tells the format of the file; the runtime itself is ours.
function compileTarget(platform: string): Bun.Build.CompileTarget {
  return `bun-${platform.replace('win32', 'windows')}` as Bun.Build.CompileTarget
}

function runtime(platform: string): string {
  if (platform === platformName() && Bun.version === pinned) return process.execPath
  if (runtimeOf(platform, RUNTIMES) === undefined) fetchRuntime(platform, RUNTIMES)
  const path = runtimeOf(platform, RUNTIMES)
  if (path === undefined) throw new Error(`There is no Bun for ${platform}.`)
  return path
}

async function pack(platform: string, folder: string): Promise<void> {
  const kind = PLATFORMS[platform]?.archive
  const archive = join(DIST, `inglenook-${packageJson.version}-${platform}.${kind}`)
  const files = readdirSync(folder).map((name) => ({ name, path: join(folder, name) }))
  if (kind === 'zip') {
    const entries = await Promise.all(
      files.map(async ({ name, path }) => ({ name, bytes: await Bun.file(path).bytes() })),
    )
    await Bun.write(archive, new Blob([...makeZip(entries)] as BlobPart[]))
  } else Bun.spawnSync(['tar', '-czf', archive, '-C', folder, ...files.map(({ name }) => name)])
  if (!existsSync(archive)) throw new Error(`${archive} was not made. Is tar there?`)
  const size = Bun.file(archive).size / 1e6
  console.log(`${size.toFixed(1)} MB ${relative(PROGRAM_FOLDER, archive)}`)
  if (size > MAX_PACKED) throw new Error(`${archive} has more than ${MAX_PACKED} MB.`)
}
