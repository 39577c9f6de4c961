import type { AnyElysia } from 'elysia'
import { Problem } from '../http/problem.ts'
import { isObject } from '../lib/objects.ts'

interface Schema {
  anyOf?: Schema[]
  type?: string
  required?: string[]
  description?: string
}

interface Operation {
  parameters?: { in: string; schema: Schema }[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> }
}

const ABOUT = {
  title: 'Inglenook',
  version: '1',
  description: 'Interactive fiction on your own machine.',
}

export async function openApiDocument(server: AnyElysia) {
  // Loaded when it is needed: few clients ask for the document, and a static import would slow down every start.
  const { toOpenAPISchema } = await import('@elysiajs/openapi/openapi')
  const { paths, components } = toOpenAPISchema(server, { paths: [/^\/(?!api\/)/] })
  for (const methods of Object.values(paths))
    for (const operation of Object.values(methods as Record<string, Operation>)) correct(operation)
  return {
    openapi: '3.1.2',
    info: ABOUT,
    paths: corrected(paths) as typeof paths,
    components: { schemas: corrected({ ...components.schemas, Problem }) },
  }
}

/** The schemas with two corrections: `documented` shapes without their `allOf`, and null in every nullable `enum`. */
function corrected(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(corrected)
  if (!isObject(part)) return part
  const { allOf, ...rest } = part
  const entries = Object.entries(rest).map(([key, value]) => [key, corrected(value)])
  const schema = { ...Object.fromEntries(entries), ...(Array.isArray(allOf) && Object(corrected(allOf[0]))) }
  const { type, enum: values } = schema
  const lacksNull =
    Array.isArray(values) && Array.isArray(type) && type.includes('null') && !values.includes(null)
  return lacksNull ? { ...schema, enum: [...values, null] } : schema
}

/**
 * Corrects request descriptions: typed query parameters, and bodies that are optional if nothing in them is required.
 */
function correct({ parameters = [], requestBody }: Operation): void {
  for (const parameter of parameters) parameter.schema = plainType(parameter.schema)
  const schema = requestBody?.content['application/json']?.schema
  if (requestBody && schema?.type === 'object') requestBody.required = (schema.required ?? []).length > 0
}

function plainType(schema: Schema): Schema {
  const plain = schema.anyOf?.find(({ type }) => type !== 'string')
  if (!plain) return schema
  return { ...(schema.description ? { description: schema.description } : {}), ...plain }
}
