/** The JSON objects of a stream of server-sent events, as they arrive. */
// biome-ignore lint/suspicious/noExplicitAny: what came over the wire
export async function* eventsOf(response: Response): AsyncGenerator<any> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('data: ')) yield JSON.parse(line.slice(6))
  }
}
