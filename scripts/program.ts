// What a build consists of: the program with its threads, the pages' script, and all files that it reads.
import { cpSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildClientScript, CLIENT_SCRIPT } from '../src/http/client-script.ts'
import { allFonts, FONT_SHEETS } from '../src/http/fonts.ts'
import { ENGINE_CHILD, PROGRAM_FOLDER, PROGRAMS, packageFile } from '../src/lib/project.ts'

/** Settings of Bun's bundler in which the builds differ. `define` tells `src/lib/project.ts` what it is. */
export type ProgramOptions = Pick<Bun.BuildConfig, 'define' | 'format' | 'bytecode'>

/** Makes it in a folder that does not exist yet. */
export async function makeProgram(folder: string, options: ProgramOptions): Promise<void> {
  await Bun.build({
    entrypoints: ['index', ...PROGRAMS].map((name) => join(PROGRAM_FOLDER, 'src', `${name}.ts`)),
    naming: '[name].[ext]',
    outdir: folder,
    target: 'bun',
    minify: { whitespace: true, syntax: true },
    ...options,
  })
  await makeEngineProgram(join(folder, 'engine'))
  await Bun.write(join(folder, 'public', CLIENT_SCRIPT), await buildClientScript())
  for (const file of [...staticFiles(), ...filesOf('migrations')])
    cpSync(join(PROGRAM_FOLDER, file), join(folder, file))
  for (const name of await filesOfPackages()) {
    const copy = join(folder, 'packages', name)
    mkdirSync(dirname(copy), { recursive: true })
    cpSync(packageFile(name), copy)
  }
}

// A file of its own in every build: a process without the rest of the program runs it.
async function makeEngineProgram(outdir: string): Promise<void> {
  await Bun.build({ entrypoints: [join(PROGRAM_FOLDER, ENGINE_CHILD)], outdir, target: 'bun', minify: true })
}

// Without the scripts, which are one in a build.
function staticFiles(): string[] {
  return filesOf('public').filter((name) => !name.endsWith('.js'))
}

function filesOf(folder: string): string[] {
  return readdirSync(join(PROGRAM_FOLDER, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => join(folder, name))
}

/** The typefaces: their style sheets, and the files that those name. */
async function filesOfPackages(): Promise<string[]> {
  const { paths } = await allFonts()
  const sheets = new Map(FONT_SHEETS.map((name) => [dirname(packageFile(name)), dirname(name)]))
  const files = [...paths.values()].map((path) => {
    const folder = dirname(dirname(path))
    return `${sheets.get(folder)}/files/${path.slice(folder.length + '/files/'.length)}`
  })
  return [...FONT_SHEETS, ...files]
}
