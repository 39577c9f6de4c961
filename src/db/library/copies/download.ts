import { join } from 'node:path'
import { deleteFile } from './copy.ts'
import { copiesFolder, libraryName } from './names.ts'

export function downloadPath(path: string): string {
  return join(copiesFolder(path), `${libraryName(path)}.sending-${crypto.randomUUID()}.db`)
}

export function streamAndDelete(copy: string): ReadableStream<Uint8Array> {
  const reader = Bun.file(copy).stream().getReader()
  return new ReadableStream(
    {
      async pull(controller) {
        // Gives other requests a turn between two chunks.
        await new Promise((resolve) => setImmediate(resolve))
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        await deleteFile(copy)
        controller.close()
      },
      async cancel() {
        await reader.cancel()
        await deleteFile(copy)
      },
    },
    { highWaterMark: 0 },
  )
}
