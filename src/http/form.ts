import { StoryError } from '../domain/errors.ts'
import { MAX_BODY_VALUES } from '../domain/limits.ts'
import { textFrom } from './body.ts'

/** The fields of a form: texts and files, never parsed further. The last value of a repeated name wins. */
type MultipartFields = Record<string, string | File>

/** Whether the content type is that of a form with files. */
export function isMultipart(request: Request): boolean {
  return MULTIPART.test(contentTypeOf(request))
}

export function isForm(request: Request): boolean {
  return isMultipart(request) || URL_ENCODED.test(contentTypeOf(request))
}

/** Parses the body; an empty one has no fields. Throws malformed_body for anything but a form, and for invalid UTF-8. */
export async function parseForm(request: Request): Promise<MultipartFields> {
  return Object.fromEntries(await parseFormData(request))
}

/** The same with all values of a repeated name. */
export async function parseFormData(request: Request): Promise<FormData> {
  const bytes = Buffer.from(await request.arrayBuffer())
  if (bytes.length === 0) return new FormData()
  if (!isForm(request)) throw new StoryError('malformed_body', 'Send this request as a form.')
  const type = contentTypeOf(request)
  if (countFields(bytes, type) > MAX_BODY_VALUES)
    throw new StoryError('too_large', `A form may have at most ${MAX_BODY_VALUES} fields.`)
  const form = await parsed(bytes, type)
  if (textsIn(form).some((text) => text.includes(REPLACEMENT))) await expectUtf8(bytes, type)
  return form
}

const MULTIPART = /^multipart\/form-data\b/i
const URL_ENCODED = /^application\/x-www-form-urlencoded\b/i

/** An upper bound, counted before any field is parsed. */
function countFields(bytes: Buffer, type: string): number {
  const separator = MULTIPART.test(type) ? '\r\n--' : '&'
  let count = 1
  for (let at = bytes.indexOf(separator); at >= 0; at = bytes.indexOf(separator, at + separator.length))
    count++
  return count
}

/** The decoder's replacement for invalid bytes. A player may also have typed it. */
const REPLACEMENT = '\ufffd'

async function expectUtf8(bytes: Buffer, type: string): Promise<void> {
  if (MULTIPART.test(type)) {
    // Latin-1 maps each byte to one character, so the original bytes of the texts can be recovered.
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
