import { StoryError } from '../domain/errors.ts'
import { MAX_IMPORT_BYTES } from '../domain/limits.ts'

/** A form with a file that is too large for memory, by the names of its fields. The file is what `store` made of it. */
export type LargeForm<Stored> = Record<string, string | Stored>

/** Fields beside the file, and bytes of each. */
const LIMITS = { files: 1, fields: 10, parts: 20, fieldSize: 1024 * 1024 }

/** Whether the body of an import is too large for memory. */
export function isLargeImport(request: Request): boolean {
  return Number(request.headers.get('content-length') ?? 0) > MAX_IMPORT_BYTES
}

/**
 * Reads a form of the type multipart/form-data piece by piece, and gives its first file to `store`, which reads it to its end.
 * Throws malformed_body, too_large for a text, and what `store` throws.
 */
export async function parseLargeForm<Stored>(
  request: Request,
  store: (name: string, file: AsyncIterable<Uint8Array>) => Promise<Stored>,
): Promise<LargeForm<Stored>> {
  const [{ Busboy }, { Readable, promises }] = await Promise.all([
    import('@fastify/busboy'),
    import('node:stream'),
  ])
  const form: LargeForm<Stored> = {}
  const isOver = new AbortController()
  let storing: Promise<unknown> = Promise.resolve()
  try {
    const parser = new Busboy({
      headers: { 'content-type': request.headers.get('content-type') ?? '' },
      limits: LIMITS,
    })
    parser.on('field', (name, text, _, isTruncated) => {
      if (isTruncated) parser.destroy(new StoryError('too_large', `The text in “${name}” is too long.`))
      form[name] = text
    })
    parser.on('file', (name, file, fileName) => {
      isOver.signal.addEventListener('abort', () => file.destroy(new Error('the form ended early')))
      storing = store(fileName, file).then((stored) => {
        form[name] = stored
      })
      storing.catch((error) => parser.destroy(error))
    })
    await promises.pipeline(Readable.fromWeb(request.body as never), parser)
    await storing
    return form
  } catch (error) {
    isOver.abort()
    await storing.catch(() => {})
    if (error instanceof StoryError) throw error
    throw new StoryError('malformed_body', 'The form could not be read.')
  }
}
