// Makes the bundle for `bundle.mjs`: the service and the programs that it starts, with their bytecode, and the pages' script.
import { join } from 'node:path'
import { buildClientScript, CLIENT_SCRIPT } from '../src/http/client-script.ts'
import { PROGRAMS, PROJECT_FOLDER } from '../src/lib/project.ts'

const [, , outdir, folder] = process.argv
if (!outdir || !folder) throw new Error('Give a folder to write to, and the folder where the bundle will be.')
await Bun.build({
  entrypoints: ['index', ...PROGRAMS].map((name) => join(PROJECT_FOLDER, 'src', `${name}.ts`)),
  root: join(PROJECT_FOLDER, 'src'),
  outdir,
  define: { BUNDLE_FOLDER: JSON.stringify(folder) },
  target: 'bun',
  // Bytecode outside an executable is only made for CommonJS.
  format: 'cjs',
  bytecode: true,
  minify: { whitespace: true, syntax: true },
})
await Bun.write(join(outdir, CLIENT_SCRIPT), await buildClientScript())
