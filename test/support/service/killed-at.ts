// Preloaded into a program under test: kills it right before its n-th change to a file or folder, as a power cut would.
// `KILLED_AT` is n. A program that survives prints how many changes it made.
const fs = require('node:fs') as Record<string, (...args: unknown[]) => unknown>

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
  const original = fs[name]
  if (!original) throw new Error(`node:fs has no ${name}`)
  fs[name] = (...args) => {
    if (++changes === Number(process.env.KILLED_AT)) process.kill(process.pid, 'SIGKILL')
    return original(...args)
  }
}
process.on('exit', () => console.log(`changes: ${changes}`))
