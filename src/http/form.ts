import { StoryError } from '../domain/errors.ts'
import { MAX_BODY_VALUES, MAX_IMPORT_BYTES, MAX_IMPORT_FILES } from '../domain/limits.ts'
import { textFrom } from './body.ts'

/** Fields of a form, not parsed further. The last value of a repeated name wins. */
type MultipartFields = Record<string, string | File>

export function isMultipart(request: Request): boolean {
  return MULTIPART.test(contentTypeOf(request))
}

export function isForm(request: Request): boolean {
  return isMultipart(request) || URL_ENCODED.test(contentTypeOf(request))
}

/** Parses a form; an empty body has no fields. Throws malformed_body for other types and invalid UTF-8. */
export async function parseForm(request: Request): Promise<MultipartFields> {
  return Object.fromEntries(await parseFormData(request))
}

async function parseFormData(request: Request): Promise<FormData> {
  const bytes = Buffer.from(await request.arrayBuffer())
  if (bytes.length === 0) return new FormData()
  if (!isForm(request)) throw new StoryError('malformed_body', 'Send this request as a form.')
  const type = contentTypeOf(request)
  if (countFields(bytes, type) > MAX_BODY_VALUES)
    throw new StoryError('too_large', `A form may have at most ${MAX_BODY_VALUES} fields.`)
  const form = await parsed(bytes, type)
  if (textsIn(form).some((text) => text.includes(REPLACEMENT_CHARACTER))) await expectUtf8(bytes, type)
  return form
}

const MULTIPART = /^multipart\/form-data\b/i
const URL_ENCODED = /^application\/x-www-form-urlencoded\b/i

function countFields(bytes: Buffer, type: string): number {
  const separator = MULTIPART.test(type) ? '\r\n--' : '&'
  let count = 1
  for (let at = bytes.indexOf(separator); at >= 0; at = bytes.indexOf(separator, at + separator.length))
    count++
  return count
}

/** Replacement character of the decoder, which a player may also have typed. */
const REPLACEMENT_CHARACTER = '\ufffd'

async function expectUtf8(bytes: Buffer, type: string): Promise<void> {
  if (MULTIPART.test(type)) {
    // Latin-1 maps each byte to one character, so the original bytes can be recovered.
    const asLatin1 = await parsed(bytes.toString('latin1'), type)
    for (const text of textsIn(asLatin1)) textFrom(Buffer.from(text, 'latin1'))
    return
  }
  for (const [escapes] of textFrom(bytes).matchAll(/(?:%[0-9a-f]{2})+/gi))
    textFrom(Buffer.from(escapes.replaceAll('%', ''), 'hex'))
}

async function parsed(body: BodyInit, type: string): Promise<FormData> {
  try {
    return await new Response(body, { headers: { 'Content-Type': type } }).formData()
  } catch {
    throw new StoryError('malformed_body', 'The form could not be read.')
  }
}

function textsIn(form: FormData): string[] {
  return [...form].flatMap(([name, value]) => (typeof value === 'string' ? [name, value] : [name]))
}

function contentTypeOf(request: Request): string {
  return request.headers.get('content-type') ?? ''
}

export interface FilesForm<Stored> {
  fields: Record<string, string>
  files: ({ name: string; bytes: Uint8Array } | Stored)[]
}

interface FileStore<Stored> {
  store: (name: string, file: AsyncIterable<Uint8Array>) => Promise<Stored>
  discard: (stored: Stored) => Promise<void>
}

const LIMITS = { files: MAX_IMPORT_FILES, fields: 10, parts: MAX_IMPORT_FILES + 10, fieldSize: 1024 * 1024 }

export function isLargeImport(request: Request): boolean {
  return Number(request.headers.get('content-length') ?? 0) > MAX_IMPORT_BYTES
}

/**
 * Parses a form with files, streaming large ones to `store`. Throws malformed_body, too_large, and errors of `store`,
 * after discarding stored files.
 */
export async function parseFilesForm<Stored>(
  request: Request,
  files: FileStore<Stored>,
): Promise<FilesForm<Stored>> {
  return isLargeImport(request) ? streamForm(request, files) : parseInMemory(request)
}

async function parseInMemory(request: Request): Promise<FilesForm<never>> {
  const form: FilesForm<never> = { fields: {}, files: [] }
  for (const [name, value] of await parseFormData(request)) {
    if (typeof value === 'string') form.fields[name] = value
    // A file field in which nothing is chosen is sent as an empty file without a name.
    else if (value.size > 0 || value.name)
      form.files.push({ name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) })
  }
  if (form.files.length > MAX_IMPORT_FILES) throw tooManyFiles()
  return form
}

// The first error ends the form. Streams are destroyed without an error, which might have no listener yet.
async function streamForm<Stored>(
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
  const fail = (error: unknown) => end.abort(error)
  try {
    const parser = new Busboy({
      headers: { 'content-type': request.headers.get('content-type') ?? '' },
      limits: LIMITS,
    })
    parser.on('field', (name, text, _, isTruncated) => {
      if (isTruncated) fail(new StoryError('too_large', `The text in “${name}” is too long.`))
      fields[name] = text
    })
    parser.on('filesLimit', () => fail(tooManyFiles()))
    parser.on('file', (_, file, fileName) => {
      // An error of the parser arrives here too.
      file.on('error', () => {})
      if (!fileName || signal.aborted) return void file.resume()
      signal.addEventListener('abort', () => file.destroy())
      const stored = store(fileName, file)
      stored.catch(fail)
      storing.push(stored)
    })
    await promises.pipeline(Readable.fromWeb(request.body as never), parser, { signal })
    return { fields, files: await Promise.all(storing) }
  } catch (error) {
    fail(error)
    await discardStored(storing, discard)
    if (signal.reason instanceof StoryError) throw signal.reason
    throw new StoryError('malformed_body', 'The form could not be read.')
  }
}

async function discardStored<Stored>(
  storing: readonly Promise<Stored>[],
  discard: FileStore<Stored>['discard'],
): Promise<void> {
  for (const stored of await Promise.allSettled(storing))
    if (stored.status === 'fulfilled') await discard(stored.value)
}

function tooManyFiles(): StoryError {
  return new StoryError('too_large', `These are more than ${MAX_IMPORT_FILES} files. Import them in parts.`)
}
