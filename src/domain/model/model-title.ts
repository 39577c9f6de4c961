/** A readable name of a model: "Qwen3 4B Instruct" for the file or path `Qwen3-4B-Instruct-Q4_K_M.gguf`. */
export function modelTitle(id: string): string {
  const file = id.split(/[/\\]/).at(-1) ?? id
  const title = file
    .replace(/\.gguf$/i, '')
    .replace(/[-._](?:i?q\d\w{0,12}|bf16|f(?:p)?(?:16|32))$/i, '')
    .replace(/[-_]+/g, ' ')
    .replace(/:latest$/, '')
    .trim()
  return title === '' ? id : title
}
