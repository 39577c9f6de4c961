type Value = string | number | readonly string[] | readonly number[]

/** A small model file, with nothing in it that a model could be made of. */
export const SMALL_MODEL: Record<string, Value> = {
  'general.architecture': 'llama',
  'general.name': 'Lamp 1B',
  'general.license': 'apache-2.0',
  'llama.context_length': 8_192,
  'llama.block_count': 2,
  'llama.embedding_length': 64,
  'llama.attention.head_count': 4,
  'llama.attention.head_count_kv': 2,
  'tokenizer.ggml.tokens': ['<s>', 'a', 'b'],
}

/** A GGUF file of version 3 with one tensor. `tensorAt` is where the file says that its data is. */
export function ggufFile(values: Record<string, Value> = SMALL_MODEL, tensorAt = 0): Buffer {
  const entries = Object.entries(values).map(([key, value]) => Buffer.concat([text(key), typed(value)]))
  const tensor = [text('token_embd.weight'), u32(1), u64(4), u32(0), u64(tensorAt)]
  return Buffer.concat([
    Buffer.from('GGUF'),
    u32(3),
    u64(1),
    u64(entries.length),
    ...entries,
    ...tensor,
    Buffer.alloc(64),
  ])
}

function typed(value: Value): Buffer {
  if (typeof value === 'string') return Buffer.concat([u32(8), text(value)])
  if (typeof value === 'number') return Buffer.concat([u32(typeOf(value)), numeric(value)])
  const [first = 0] = value
  const type = typeof first === 'string' ? 8 : typeOf(first)
  const items = value.map((one) => (typeof one === 'string' ? text(one) : numeric(one)))
  return Buffer.concat([u32(9), u32(type), u64(value.length), ...items])
}

/** An unsigned whole number of four bytes, or any other number of eight. */
function typeOf(value: number): number {
  return Number.isInteger(value) && value >= 0 ? 4 : 12
}

function numeric(value: number): Buffer {
  if (typeOf(value) === 4) return u32(value)
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return bytes
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([u64(bytes.length), bytes])
}

export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

export function u64(value: number | bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}
