import { become, prepare } from './bun.mjs'
import { serviceProgram } from './bundle.mjs'

const bun = prepare({ development: false })
process.exitCode = await become(bun, [serviceProgram(bun), ...process.argv.slice(2)])
