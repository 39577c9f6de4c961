// Preloaded into a program that a test starts: kills it right before its n-th change of a file or folder, as a power cut
// would. `KILLED_AT` is n; the program prints how many changes it made when it came to its end.
const fs = require('node:fs') as Record<string, (...given: unknown[]) => unknown>

const CHANGES = [
  'copyFileSync',
  'fsyncSync',
  'linkSync',
  'mkdirSync',
  'mkdtempSync',
  'openSync',
  'renameSync',
  'rmSync',
  'unlinkSync',
  'utimesSync',
  'writeFileSync',
]

let changes = 0
for (const name of CHANGES) {
  const real = fs[name]
  if (!real) throw new Error(`node:fs has no ${name}`)
  fs[name] = (...given) => {
    if (++changes === Number(process.env.KILLED_AT)) process.kill(process.pid, 'SIGKILL')
    return real(...given)
  }
}
process.on('exit', () => console.log(`changes: ${changes}`))
