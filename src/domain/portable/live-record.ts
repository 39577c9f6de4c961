import { isObject } from '../../lib/objects.ts'
import type { PortableAction } from './portable.ts'

export function recordOf({
  variants,
  variant_index,
  world_delta,
}: PortableAction): Record<string, unknown> | null {
  const world = variants[variant_index]?.world_state
  if (world_delta !== null || !world) return world_delta
  const { block: _, clean: __, ...report } = isObject(world.report) ? world.report : {}
  return { delta: world.delta, ...report }
}
