import { expect, test } from 'bun:test'
import { modelTitle } from '../../../src/domain/model/model-server.ts'

test('a model has a title for people', () => {
  const titles: [id: string, title: string][] = [
    ['Qwen3-4B-Instruct-Q4_K_M.gguf', 'Qwen3 4B Instruct'],
    ['/models/gemma_3_12b.iq3_xs.gguf', 'gemma 3 12b'],
    ['mistralai/Mistral-Nemo-bf16', 'Mistral Nemo'],
    ['llama3.2:latest', 'llama3.2'],
    ['qwen3:4b', 'qwen3:4b'],
    ['Q4_0.gguf', 'Q4 0'],
    ['---', '---'],
  ]
  expect(titles.map(([id]) => modelTitle(id))).toEqual(titles.map(([, title]) => title))
})
