import { Elysia } from 'elysia'
import { parseForm } from '../http/form.ts'
import { fieldsOf, idFrom } from './respond.tsx'

/**
 * A group of pages and forms, with `id` from the path and `fields` from the form that was sent. The guard has already checked
 * the origin and the length of the body.
 */
export const formRoutes = <Prefix extends string>(
  prefix: Prefix,
  parse: (request: Request) => Promise<object> = parseForm,
) =>
  // Elysia's own parser converts texts and names that look like JSON or lists.
  new Elysia({ prefix, detail: { hide: true } })
    .onParse(({ request }) => parse(request))
    .derive(({ params, body }) => ({
      id: idFrom((params as { id?: string } | undefined)?.id),
      fields: fieldsOf(body),
    }))
