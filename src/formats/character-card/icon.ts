import { isObject } from '../../lib/objects.ts'
import type { Fields } from '../shared/fields.ts'

export const UNFIT_PICTURE = 'The picture is too large, animated or broken'

/** Notes what becomes of the picture of a file; null for one that cannot be stored as it is. */
export function notePicture(file: Fields, key: string, picture: string | null): void {
  if (picture === null) file.left(UNFIT_PICTURE, key)
  else file.came('Picture', key)
}

/** The one of a card's assets that is its picture: an icon called main, or the first. */
export function mainIcon<Asset>(
  assets: readonly Asset[],
  sourceOf: (asset: Asset) => unknown,
): Asset | undefined {
  const icons = assets.filter((asset) => fieldsOf(sourceOf(asset)).type === 'icon')
  return icons.find((asset) => fieldsOf(sourceOf(asset)).name === 'main') ?? icons[0]
}

function fieldsOf(asset: unknown): Record<string, unknown> {
  return isObject(asset) ? asset : {}
}

/** The name of a file that an asset has in the archive of its card; null for one that is elsewhere. */
export function archivedName(uri: unknown): string | null {
  if (typeof uri !== 'string') return null
  const scheme = ['embeded://', 'embedded://', '__asset:'].find((one) => uri.startsWith(one))
  return scheme === undefined ? null : uri.slice(scheme.length)
}
