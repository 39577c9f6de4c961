// Makes the bundle for `bundle.mjs`: CommonJS, because outside an executable Bun makes bytecode for nothing else.
import { PROGRAM_FOLDER } from '../src/lib/project.ts'
import { makeProgram } from './program.ts'

const [, , outdir, folder] = process.argv
if (!outdir || !folder) throw new Error('Give a folder to write to, and the folder where the bundle will be.')
await makeProgram(outdir, {
  define: { BUILD: '"bundle"', BUNDLE: JSON.stringify({ folder, checkout: PROGRAM_FOLDER }) },
  format: 'cjs',
  bytecode: true,
})
