import { Elysia } from 'elysia'
import { StoryError } from '../domain/errors.ts'
import { textFrom } from './body.ts'

/** What a form sends by its names: texts and files, none of them taken for anything else. The last of a name counts. */
export type FormFields = Record<string, string | File>

/** The routes of the forms of one noun. The guard has seen to who asks and to the length of a body; it is read here. */
export const formRoutes = <Prefix extends string>(prefix: Prefix) =>
  // The framework's own reader would make lists and objects of texts and names that look like them.
  new Elysia({ prefix, detail: { hide: true } }).onParse(({ request }) => formFields(request))

/** Whether a body calls itself a form. */
export function isForm(request: Request): boolean {
  return MULTIPART.test(typeOf(request)) || URL_ENCODED.test(typeOf(request))
}

/** The fields that a body has, none without a body. Throws malformed_body for what is no form or no text. */
export async function formFields(request: Request): Promise<FormFields> {
  const bytes = Buffer.from(await request.arrayBuffer())
  if (bytes.length === 0) return {}
  if (!isForm(request)) throw new StoryError('malformed_body', 'A page takes what its own forms send.')
  const type = typeOf(request)
  const form = await parsed(bytes, type)
  if (textsIn(form).some((text) => text.includes(REPLACED))) await expectText(bytes, type)
  return Object.fromEntries(form)
}

const MULTIPART = /^multipart\/form-data\b/i
const URL_ENCODED = /^application\/x-www-form-urlencoded\b/i

/** What a decoder puts in the place of bytes that are no text. A player may type it too. */
const REPLACED = '\ufffd'

async function expectText(bytes: Buffer, type: string): Promise<void> {
  if (MULTIPART.test(type)) {
    // With a letter for each byte, the form gives the bytes of its texts as they came.
    const asLetters = await parsed(bytes.toString('latin1'), type)
    for (const letters of textsIn(asLetters)) textFrom(Buffer.from(letters, 'latin1'))
    return
  }
  for (const [run] of textFrom(bytes).matchAll(/(?:%[0-9a-f]{2})+/gi))
    textFrom(Buffer.from(run.replaceAll('%', ''), 'hex'))
}

async function parsed(body: BodyInit, type: string): Promise<FormData> {
  try {
    return await new Response(body, { headers: { 'Content-Type': type } }).formData()
  } catch {
    throw new StoryError('malformed_body', 'The form cannot be read.')
  }
}

function textsIn(form: FormData): string[] {
  return [...form].flatMap(([name, value]) => (typeof value === 'string' ? [name, value] : [name]))
}

function typeOf(request: Request): string {
  return request.headers.get('content-type') ?? ''
}
