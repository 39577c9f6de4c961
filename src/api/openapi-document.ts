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

/**
 * Corrects what the framework says of requests in the OpenAPI document: a number or a switch in a query is no free text, and
 * a body in which nothing is required may be missing.
 */
export function correctDocument(document: unknown): void {
  if (!isObject(document) || !isObject(document.paths)) return
  for (const methods of Object.values(document.paths))
    for (const operation of Object.values(methods as Record<string, Operation>)) {
      for (const parameter of operation.parameters ?? []) parameter.schema = plainType(parameter.schema)
      const { requestBody } = operation
      const schema = requestBody?.content['application/json']?.schema
      if (requestBody && schema?.type === 'object') requestBody.required = (schema.required ?? []).length > 0
    }
}

/** The framework describes a number as a number or a text that it would read as one. */
function plainType(schema: Schema): Schema {
  const plain = schema.anyOf?.find(({ type }) => type !== 'string')
  if (!plain) return schema
  return { ...(schema.description ? { description: schema.description } : {}), ...plain }
}
