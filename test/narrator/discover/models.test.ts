import { describe, expect, test } from 'bun:test'
import type { ModelInfo } from '../../../src/domain/model/model-server.ts'
import { createNarrator } from '../../../src/narrator/client.ts'
import {
  json,
  loading,
  raw,
  redirect,
  silent,
  startEndpoint,
  status,
  webPage,
} from '../../support/endpoint/endpoint.ts'

const narrator = createNarrator({ resolve: () => Promise.reject(new Error('ENOTFOUND')) })

function models(url: string, signal?: AbortSignal): Promise<ModelInfo[] | Error> {
  return narrator.listModels({ url, read_timeout_seconds: 300 }, signal).catch((error: Error) => error)
}

describe('the models of an endpoint', () => {
  test.each<[string, unknown, ModelInfo[]]>([
    [
      'llama.cpp',
      { data: [{ id: 'a', meta: { n_ctx: 4096, n_ctx_train: 131072 } }] },
      [{ id: 'a', context_length: 4096 }],
    ],
    ['vLLM', { data: [{ id: 'a', max_model_len: 32768 }] }, [{ id: 'a', context_length: 32768 }]],
    [
      'LM Studio',
      { data: [{ id: 'a', max_context_length: 131072, loaded_context_length: 8192 }] },
      [{ id: 'a', context_length: 8192 }],
    ],
    [
      'others',
      { data: [{ id: 'a', context_length: 2048 }, { id: 'b' }] },
      [
        { id: 'a', context_length: 2048 },
        { id: 'b', context_length: null },
      ],
    ],
    [
      'TabbyAPI',
      { data: [{ id: 'a', parameters: { max_seq_len: 4096 } }] },
      [{ id: 'a', context_length: 4096 }],
    ],
    ['a list of models', { models: [{ name: 'a' }] }, [{ id: 'a', context_length: null }]],
    ['a bare list', [{ id: 'a' }, { id: 'a' }, 3, null, {}, { id: 7 }], [{ id: 'a', context_length: null }]],
    [
      'invalid lengths',
      { data: [{ id: 'a', context_length: '4096', n_ctx: -1, max_model_len: 1e300 }] },
      [{ id: 'a', context_length: null }],
    ],
    ['nothing loaded', { data: [] }, []],
    ['null', null, []],
    ['a text', 'hello', []],
    ['a number', 7, []],
    ['data of another kind', { data: { id: 'a' } }, []],
  ])('of %s', async (_name, body, found) => {
    await using endpoint = await startEndpoint()
    endpoint.listWith(json(200, body))
    expect(await models(endpoint.url)).toEqual(found)
    expect(endpoint.listRequests.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['GET', '/v1/models', null],
    ])
  })

  test('of a server without JSON are none', async () => {
    await using endpoint = await startEndpoint()
    endpoint.listWith(raw(200, 'OK'))
    expect(await models(endpoint.url)).toEqual([])
  })
})

describe('without a list', () => {
  test.each([
    ['a wrong path', status(404, 'File Not Found'), 'endpoint_unreachable', 'status 404'],
    ['a key', status(401, 'Invalid API Key'), 'endpoint_unreachable', 'does not store keys'],
    ['a redirect', redirect('http://127.0.0.1:1/v1/models'), 'endpoint_unreachable', 'not followed'],
    ['a web page', webPage(), 'endpoint_unreachable', 'sent a web page'],
    ['a server that is loading', loading()[0] ?? silent, 'endpoint_slow', 'loading'],
  ])('%s has a message', async (_name, step, code, message) => {
    await using endpoint = await startEndpoint()
    endpoint.listWith(step)
    const error = await models(endpoint.url)
    expect(error).toMatchObject({ code })
    expect(String(error)).toContain(message)
  })

  test('a silent server times out', async () => {
    await using endpoint = await startEndpoint()
    endpoint.listWith(silent)
    const impatient = createNarrator({ listTimeout: 0.03 }).listModels({
      url: endpoint.url,
      read_timeout_seconds: 300,
    })
    const error = await impatient.catch((error: unknown) => error)
    expect(error).toMatchObject({ code: 'endpoint_slow' })
    expect(String(error)).toContain('did not list its models within 0.03 seconds')
    await endpoint.hungUp()
  })

  test('a closed port', async () => {
    const endpoint = await startEndpoint()
    await endpoint.close()
    expect(await models(endpoint.url)).toMatchObject({ code: 'endpoint_unreachable' })
  })

  test('a refused address stays refused, and gets no request', async () => {
    expect(await models('http://8.8.8.8/v1')).toMatchObject({ code: 'endpoint_refused' })
    expect(await models('http://attic.lan/v1')).toMatchObject({ code: 'endpoint_refused' })
  })

  test('an aborted call throws the reason of the signal', async () => {
    const reason = new Error('the player has left')
    expect(await models('http://127.0.0.1:1/v1', AbortSignal.abort(reason))).toBe(reason)
  })
})

test('an address is checked before it is saved', async () => {
  const checking = createNarrator({ resolve: async () => ['192.168.1.20'] })
  expect(await checking.check('http://model.lan:8080/v1')).toBeUndefined()
  await expect(checking.check('http://[2001:db8::1]/v1')).rejects.toMatchObject({ code: 'endpoint_refused' })
})
