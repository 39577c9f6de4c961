import type { ImportPlan, PortableAction, PortableActions } from '../../domain/portable/portable.ts'
import { isObject } from '../../lib/objects.ts'
import { type FileFields, planOf, rootFields } from '../format.ts'
import { MAX_ACTIONS } from '../import-limits.ts'
import { agreeing, reconciliation } from '../reconcile-import.ts'
import { Fields } from '../shared/fields.ts'
import { importRefused } from '../shared/import-refused.ts'
import { parseJsonFile } from '../shared/json-file.ts'
import { ReceiptBuilder } from '../shared/receipt.ts'
import { parseAction, parseAdventure } from './parse-adventure.ts'
import { checkHeader } from './parse-scenario.ts'

/** The lines of a file, read again for each loop. */
type Lines = () => Iterable<string>

/** The end of the first line of an adventure file, and its last line. */
const [OPENING, END] = ['"actions":[', ']}']

/**
 * Reads an adventure file that we wrote, of any size: each action stands on a line of its own, after everything else
 * (make-adventure.ts). One action is held at a time. The actions of the plan are read from the lines again. Throws
 * import_refused.
 */
export function parseBundle(lines: Lines): ImportPlan<PortableActions> {
  const [head = ''] = lines()
  const source = head.endsWith(OPENING) ? parseJsonFile(head + END) : undefined
  if (!isObject(source) || source.format !== 'inglenook-adventure') throw notOurs()
  const file = rootFields(source)
  checkHeader(file, 'inglenook-adventure')
  file.list(['actions'], 'Passages', MAX_ACTIONS)
  const inFile = new BundledActions(lines, countActions(lines), agreeing)
  const adventure = parseAdventure(file, inFile)
  const { fields, reconcile } = reconciliation({ ...adventure, actions: inFile.reportedIn(file) })
  const actions = new BundledActions(lines, inFile.length, (action, position) =>
    reconcile(agreeing(action), position),
  )
  return planOf('inglenook-adventure', file, { adventures: [{ ...adventure, ...fields, actions }] })
}

/** The actions of a file, one line each. */
class BundledActions implements PortableActions {
  constructor(
    private readonly lines: Lines,
    readonly length: number,
    private readonly reconcile: (action: PortableAction, position: number) => PortableAction,
    private readonly file: FileFields | null = null,
  ) {}

  /** The same, which also notes in the receipt of the file what becomes of each key. */
  reportedIn(file: FileFields): BundledActions {
    return new BundledActions(this.lines, this.length, this.reconcile, file)
  }

  *entries(): Generator<[number, PortableAction]> {
    let position = 0
    for (const line of actionLines(this.lines)) {
      const item = parseJsonFile(line)
      if (!isObject(item)) throw notOurs()
      const receipt = this.file?.receipt ?? new ReceiptBuilder()
      const action = parseAction(new Fields(receipt, item))
      this.file?.receipt.addItem('actions', 'Passages', item)
      yield [position, this.reconcile(action, position)]
      position++
    }
  }

  *[Symbol.iterator](): Generator<PortableAction> {
    for (const [, action] of this.entries()) yield action
  }
}

function countActions(lines: Lines): number {
  let count = 0
  for (const _ of actionLines(lines))
    if (++count > MAX_ACTIONS)
      throw importRefused(`This file cannot be read: it has a list of more than ${MAX_ACTIONS} items.`)
  return count
}

/** The lines between the first and the last one, without their commas. Throws import_refused where the end is missing. */
function* actionLines(lines: Lines): Generator<string> {
  let isFirst = true
  for (const line of lines()) {
    if (line === END) return
    if (!isFirst) yield line.endsWith(',') ? line.slice(0, -1) : line
    isFirst = false
  }
  throw importRefused('This file is cut off: its end is missing.')
}

function notOurs(): Error {
  return importRefused(
    'This file is too large to be read as a whole, and it is not written as Inglenook writes adventures.',
  )
}
