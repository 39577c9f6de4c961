import { version } from '../../package.json'
import { ownValue } from '../lib/objects.ts'
import { printLine, printProblem } from '../lib/print.ts'

/** A command, whose module is loaded only when it is called: the service starts faster. */
interface Command {
  /** Usage line of `--help`, with all options; hidden without one. */
  usage?: string
  description?: string
  maxArguments?: number
  run(args: readonly string[]): Promise<unknown>
}

const HELP = ['--help', '-h']
const HINT = '--help lists what there is.'

const COMMANDS: Record<string, Command> = {
  start: {
    usage: '[start] [--no-open]',
    description: 'start the service, print its address and, when installed, open it',
    run: async (args) => (await import('./serve.ts')).serve(args),
  },
  play: {
    usage: 'play MODEL.gguf [--get-engine] [--no-open]',
    description: 'start the service with a model file, without a model server',
    maxArguments: 1,
    run: async (args) => (await import('./play.ts')).play(args),
  },
  backup: {
    usage: 'backup [FILE]',
    description: 'copy the library, also while the service runs',
    maxArguments: 1,
    run: async (args) => (await import('./backup.ts')).backup(args),
  },
  restore: {
    usage: 'restore FILE',
    description: 'put a backup in the place of the library, which is kept',
    maxArguments: 1,
    run: async (args) => (await import('./backup.ts')).restore(args),
  },
  doctor: {
    usage: 'doctor [--json]',
    description: 'check the library, its backups and every number of every story',
    run: async (args) => (await import('./doctor.ts')).doctor(args),
  },
  import: {
    usage: 'import [--duplicates] FILES',
    description: 'import files and folders while the service is stopped',
    maxArguments: Number.POSITIVE_INFINITY,
    run: async (args) => (await import('./import.ts')).importFiles(args),
  },
}

/** Runs a command and returns its exit code: 1 after an error, of which only the message is printed. */
export async function runProgram([first = '', ...rest]: readonly string[]): Promise<number> {
  // New files are readable by their owner alone.
  process.umask(0o077)
  try {
    if (first === '--version') return printLines([version])
    const isOption = first === '' || first.startsWith('-')
    const args = isOption && first !== '' ? [first, ...rest] : rest
    if (args.some((one) => HELP.includes(one))) return printLines(helpLines())
    const command = isOption ? COMMANDS.start : ownValue(COMMANDS, first)
    if (!command) throw new Error(`There is no command "${first}". ${HINT}`)
    checkArguments(command, args)
    const code = await command.run(args)
    return typeof code === 'number' ? code : 0
  } catch (error) {
    printProblem(error instanceof Error ? error.message : String(error))
    return 1
  }
}

function checkArguments({ usage = '', maxArguments = 0 }: Command, args: readonly string[]): void {
  const options: string[] = usage.match(/--[a-z-]+/g) ?? []
  const unknown = args.find((one) => one.startsWith('-') && !options.includes(one))
  if (unknown !== undefined) throw new Error(`There is no option "${unknown}". ${HINT}`)
  const surplus = args.filter((one) => !one.startsWith('-'))[maxArguments]
  if (surplus !== undefined) throw new Error(`There is no use for "${surplus}" here. ${HINT}`)
}

function printLines(lines: readonly string[]): number {
  for (const line of lines) printLine(line)
  return 0
}

function helpLines(): string[] {
  const rows = [
    ...Object.values(COMMANDS).map(({ usage = '', description = '' }) => [usage, description] as const),
    ['--version', 'print the version'] as const,
  ].filter(([usage]) => usage !== '')
  const width = Math.max(...rows.map(([usage]) => usage.length))
  return [
    `Inglenook ${version}: interactive stories, told by your own machine`,
    '',
    ...rows.map(([usage, description]) => `  ${usage.padEnd(width)}  ${description}`),
  ]
}
