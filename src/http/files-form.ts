import { StoryError } from '../domain/errors.ts'
import { MAX_IMPORT_BYTES, MAX_IMPORT_FILES } from '../domain/limits.ts'
import { parseFormData } from './form.ts'

/** A file of a form that is held in memory. */
interface FileInMemory {
  name: string
  bytes: Uint8Array
}

/** The texts of a form by their names, and its files in order. Fields without a file are left out. */
export interface FilesForm<Stored> {
  fields: Record<string, string>
  files: (FileInMemory | Stored)[]
}

/** Where the files of a form go that is too large for memory. */
interface FileStore<Stored> {
  /** Reads a file to its end. */
  store: (name: string, file: AsyncIterable<Uint8Array>) => Promise<Stored>
  discard: (stored: Stored) => Promise<void>
}

/** Files, fields beside them, and bytes of each of these. */
const LIMITS = { files: MAX_IMPORT_FILES, fields: 10, parts: MAX_IMPORT_FILES + 10, fieldSize: 1024 * 1024 }

/** Whether the body of an import is too large for memory. */
export function isLargeImport(request: Request): boolean {
  return Number(request.headers.get('content-length') ?? 0) > MAX_IMPORT_BYTES
}

/**
 * Parses a form with files, in memory or, where it is too large for that, piece by piece. Throws malformed_body, too_large for
 * a text and for too many files, and what `store` throws; what was stored is discarded then.
 */
export async function parseFilesForm<Stored>(
  request: Request,
  files: FileStore<Stored>,
): Promise<FilesForm<Stored>> {
  return isLargeImport(request) ? parseLarge(request, files) : parseInMemory(request)
}

async function parseInMemory(request: Request): Promise<FilesForm<never>> {
  const form: FilesForm<never> = { fields: {}, files: [] }
  for (const [name, value] of await parseFormData(request)) {
    if (typeof value === 'string') form.fields[name] = value
    // A field without a file is sent as one that is empty.
    else if (value.size > 0)
      form.files.push({ name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) })
  }
  if (form.files.length > MAX_IMPORT_FILES) throw tooManyFiles()
  return form
}

// The first error ends the form. Streams are destroyed without one, which nobody may be listening for yet.
async function parseLarge<Stored>(
  request: Request,
  { store, discard }: FileStore<Stored>,
): Promise<FilesForm<Stored>> {
  const [{ Busboy }, { Readable, promises }] = await Promise.all([
    import('@fastify/busboy'),
    import('node:stream'),
  ])
  const fields: Record<string, string> = {}
  const storing: Promise<Stored>[] = []
  const end = new AbortController()
  const { signal } = end
  const endWith = (error: unknown) => end.abort(error)
  try {
    const parser = new Busboy({
      headers: { 'content-type': request.headers.get('content-type') ?? '' },
      limits: LIMITS,
    })
    parser.on('field', (name, text, _, isTruncated) => {
      if (isTruncated) endWith(new StoryError('too_large', `The text in “${name}” is too long.`))
      fields[name] = text
    })
    parser.on('filesLimit', () => endWith(tooManyFiles()))
    parser.on('file', (_, file, fileName) => {
      // Also an error of the parser.
      file.on('error', () => {})
      if (!fileName || signal.aborted) {
        file.resume()
        return
      }
      signal.addEventListener('abort', () => file.destroy())
      const stored = store(fileName, file)
      stored.catch(endWith)
      storing.push(stored)
    })
    await promises.pipeline(Readable.fromWeb(request.body as never), parser, { signal })
    return { fields, files: await Promise.all(storing) }
  } catch (error) {
    endWith(error)
    for (const stored of await Promise.allSettled(storing))
      if (stored.status === 'fulfilled') await discard(stored.value)
    if (signal.reason instanceof StoryError) throw signal.reason
    throw new StoryError('malformed_body', 'The form could not be read.')
  }
}

function tooManyFiles(): StoryError {
  return new StoryError('too_large', `These are more than ${MAX_IMPORT_FILES} files. Import them in parts.`)
}
