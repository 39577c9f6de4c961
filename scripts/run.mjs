// Runs a TypeScript program of the project with its Bun: the first argument names it, the others are passed on.
import { become, prepare } from './bun.mjs'

process.exitCode = await become(prepare({ development: true }), process.argv.slice(2))
