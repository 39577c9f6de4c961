import { Elysia } from 'elysia'
import { parseForm } from '../http/form.ts'
import { type FormFields, fieldsOf, idFrom } from './respond.tsx'

/**
 * A group of pages and forms, with `id` from the path and `fields` from the form that was sent. The guard has already checked
 * the origin and the length of the body.
 */
export const formRoutes = <Prefix extends string>(
  prefix: Prefix,
  parse: (request: Request) => Promise<object> = parseForm,
) =>
  new Elysia({ prefix, detail: { hide: true } })
    .decorate('fields', {} as FormFields)
    // Elysia's own parser converts texts and names that look like JSON or lists.
    .onParse(async (context) => {
      const form = await parse(context.request)
      // Not derived from the body: Elysia would then parse the body of every other route too.
      context.fields = fieldsOf(form)
      return form
    })
    .derive(({ params }) => ({ id: idFrom((params as { id?: string } | undefined)?.id) }))
