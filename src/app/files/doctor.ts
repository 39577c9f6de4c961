import { checkSurroundings, type Surroundings } from '../../db/checks/copies-and-disk.ts'
import type { Reader } from '../../db/database.ts'
import { type DoctorFinding, type Inspected, inspectLibrary } from '../../db/library/inspect.ts'
import type { FreeSpace } from '../../db/storage-errors.ts'
import type { Audit } from '../../domain/world/audit/audit.ts'
import { commandLine } from '../../lib/project.ts'
import { counted } from '../../lib/text.ts'
import { auditAdventure } from '../adventure/audit.ts'

export interface DoctorReport {
  facts: string[]
  findings: DoctorFinding[]
}

interface DoctorOptions {
  version: string
  /** Free bytes in a folder; by default as the system reports them. */
  free?: FreeSpace
}

/**
 * Checks a library and its copies. Changes nothing. The report has ids, sizes
 * and numbers but no story text. Throws LibraryRefused.
 */
export async function runDoctor(path: string, { version, free }: DoctorOptions): Promise<DoctorReport> {
  using library = inspectLibrary(path)
  const { reader, file, missing, findings, nonStrict } = library
  const around = checkSurroundings(path, file.size, free)
  const stories = await Promise.all(library.stories.map(async (id) => auditReport(reader, id, missing)))
  library.assertUnchanged()
  return {
    facts: [
      `Library: ${path}`,
      `Inglenook ${version}, SQLite ${file.sqlite}, schema ${file.version}, journal ${file.journal}.`,
      ...fileLines(library),
      copyLine(around),
      ...stories.flatMap(({ facts }) => facts),
      ...nonStrict,
    ],
    findings: [...around.findings, ...findings, ...stories.flatMap((story) => story.findings)],
  }
}

function fileLines({ file, isRunning, missing }: Inspected): string[] {
  return [
    isRunning
      ? 'Inglenook is running on it; /api/health at its address shows how turns have ended since it started.'
      : 'Inglenook is not running on it, so there are no counts of turns.',
    `Size ${megabytes(file.size)}, journal ${megabytes(file.walSize)}, free inside ${megabytes(file.freeSize)}.`,
    ...(missing.length > 0
      ? [
          `Inglenook takes these steps when it opens the file next, after a copy: ${missing.join(', ')}. What they add was not checked.`,
        ]
      : []),
    ...(file.journal === 'wal'
      ? []
      : [
          isRunning
            ? 'The file does not keep a write-ahead journal: turns are stored more slowly.'
            : 'The next start gives the file a write-ahead journal.',
        ]),
  ]
}

function copyLine({ copies }: Surroundings): string {
  const [newest] = copies
  if (!newest) return `There is no copy yet: ${commandLine('backup')} makes one.`
  return `Copies: ${copies.length}. The newest is ${newest.file}, with the content of ${newest.at.toISOString()}.`
}

/** The step with which a story can be audited. */
const AUDITED = '0009-refresh.sql'

async function auditReport(reader: Reader, id: number, missing: readonly string[]): Promise<DoctorReport> {
  if (missing.some((name) => name <= AUDITED)) return { facts: [], findings: [] }
  try {
    const audit = await auditAdventure(reader, id)
    if (audit === null) return { facts: [`Adventure ${id}: no stats.`], findings: [] }
    const { turns, judged_again, breaks } = audit
    const audited = `${counted(turns, 'turn')} audited, ${counted(judged_again, 'version')} judged again, ${counted(breaks.length, 'break')}`
    return {
      facts: [`Adventure ${id}: ${audited}.`],
      findings: audit.findings.map((found) => auditFinding(id, found)),
    }
  } catch {
    const what = `adventure ${id}: its numbers could not be audited`
    return {
      facts: [],
      findings: [{ check: 'audit', what, advice: 'See the other lines with "!" first.' }],
    }
  }
}

// A path is made of an author's words: only the part of the world that it begins with is ours.
function auditFinding(id: number, { action_id, path, what }: Audit['findings'][number]): DoctorFinding {
  const [, part] = /^(world|player|npc|flags|milestones)\./.exec(path) ?? []
  const value = path === '' ? '' : part ? `, a value under ${part}` : ', a value'
  return {
    check: 'audit',
    what: `adventure ${id}, action ${action_id}${value}: ${what}`,
    advice: `/api/adventures/${id}/audit names it. Under World state you can set it by hand.`,
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
