import type { Reader } from '../database.ts'
import { cellFinding, columnNames, jsonColumns } from './columns.ts'

/** Cells left by the earlier release that we accept but strict readers do not. They are not errors. */
export function nonStrictCells(reader: Reader): string[] {
  return [...nonStrictJson(reader), ...unusedVectors(reader)]
}

function nonStrictJson(reader: Reader): string[] {
  return jsonColumns(reader).flatMap((cells) =>
    cellFinding(
      reader,
      cells,
      `typeof(${cells.column}) = 'text' AND NOT json_valid(${cells.column})`,
      'is not strict JSON, but Inglenook can read it',
    ),
  )
}

function unusedVectors(reader: Reader): string[] {
  if (!columnNames(reader, 'memories').has('embedding')) return []
  return cellFinding(
    reader,
    { table: 'memories', key: 'id', column: '"embedding"' },
    'embedding IS NOT NULL',
    'is a vector of the earlier release that is not a list of numbers; it is not used',
  )
}
