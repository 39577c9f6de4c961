import { describe, expect, test } from 'bun:test'
import type { Writer } from '../../../src/db/database.ts'
import { upsertPromptPart } from '../../../src/db/tables/prompt-parts.ts'
import { breakOff, sayAndRecord } from '../../support/endpoint/endpoint.ts'
import { playTurn, retryTurn } from '../../support/service/events.ts'
import { startWithModel } from '../../support/service/with-model.ts'
import { LANTERN_ROCK } from '../../support/stories/worlds.ts'

const { endpoint, server } = await startWithModel()
const { body: scenario } = await server.post('/api/scenarios', { title: 'Rock', stat_schema: LANTERN_ROCK })

const REMINDER = '[Tell what happens after this, in prose. Then end your reply with the state_delta block.]'
const REFUSALS = '[Not accepted from your last block. flags.fog: there is no such flag.]'
const BLOCK = '```state_delta\n{"player.warmth": -1}\n```'

/** A story as an older version left it: with state blocks in the replies, and notes about them in the prompts. */
async function begin(): Promise<number> {
  const { id } = (await server.post('/api/adventures', { scenario_id: scenario.id })).body
  for (const turn of [0, 1, 2]) {
    endpoint.next(sayAndRecord(`The wave breaks, ${turn}.`, { 'player.warmth': -1 }))
    await playTurn(server, id, { type: 'do', text: `wait ${turn}` })
  }
  server.deps.library.write((tx) => makeOlder(tx, id))
  return id
}

function makeOlder(tx: Writer, adventure_id: number): void {
  const notes = [
    ['refusals', upsertPromptPart(tx, { adventure_id, index: 1 }, REFUSALS)],
    ['world_state_reminder', upsertPromptPart(tx, { adventure_id, index: 1 }, REMINDER)],
  ]
  tx.run(
    `UPDATE actions SET prompt_notes = json_set(prompt_notes, '$.after', json(?)), state_block = ?, replays_raw = 1,
       raw_output = text || char(10, 10) || ?, world_delta = json_set(json_remove(world_delta, '$.second_call'), '$.recorded', 'whole'),
       variants = json_set(variants, '$[0].raw_output', text || char(10, 10) || ?, '$[0].cleaned', json('true'))
      WHERE adventure_id = ? AND type = 'ai'`,
    JSON.stringify(notes),
    BLOCK,
    BLOCK,
    BLOCK,
    adventure_id,
  )
  // Of the earlier release: no block, no verdicts.
  tx.run(
    `UPDATE actions SET state_block = NULL, raw_output = NULL, prompt_notes = NULL, world_delta = json_remove(world_delta, '$.verdicts')
      WHERE adventure_id = ? AND "index" = 2`,
    adventure_id,
  )
}

const prompt = () => endpoint.requests.at(-1)?.body?.messages ?? []
function expectNoProtocol(): void {
  const text = prompt()
    .map(({ content }) => content)
    .join('\n')
  for (const gone of ['end your reply', 'Not accepted', 'state_delta'])
    expect([gone, text.includes(gone)]).toEqual([gone, false])
}

describe('a story of an older version, with state blocks in every stored form', () => {
  test('plays on: its passages are sent as prose, its notes without reminders and refusals', async () => {
    const id = await begin()
    await playTurn(server, id, { type: 'do', text: 'go on' })
    const replies = prompt().filter(({ role }) => role === 'assistant')
    expect(replies.map(({ content }) => content)).toEqual(
      [0, 1, 2].map((turn) => `The wave breaks, ${turn}.`),
    )
    expect(JSON.stringify(prompt())).toContain('warmth 29/40')
    expectNoProtocol()
  })

  test('gets other notes for a retry of what was told with a reminder', async () => {
    const id = await begin()
    await retryTurn(server, id)
    expectNoProtocol()
  })

  test('shows what was recorded, and passes the audit', async () => {
    const id = await begin()
    const { turns } = (await server.get(`/api/adventures/${id}/insights`)).body
    expect(turns.map(({ recorded }: { recorded: string }) => recorded)).toEqual(['whole', 'whole', 'whole'])
    const { actions } = (await server.get(`/api/adventures/${id}`)).body
    expect(actions.at(-1).world_changes).toMatchObject([{ path: 'player.warmth', delta: -1 }])
    expect(actions.at(-1)).not.toHaveProperty('not_recorded')
    expect((await server.get(`/api/adventures/${id}/audit`)).body).toMatchObject({ ok: true, findings: [] })
  })

  test('keeps an interrupted reply that has blocks', async () => {
    const id = await begin()
    endpoint.next(breakOff('Half a wave'))
    await playTurn(server, id, { type: 'do', text: 'go on' })
    const blocks = JSON.stringify([{ text: '{"player.warmth": -5}', cut: false, tooLong: false }])
    server.deps.library.write((tx) =>
      tx.run(
        "UPDATE waiting_lines SET reply = json_set(reply, '$.blocks', json(?), '$.second', json('null'), '$.cleaned', json('false')) WHERE id = ?",
        blocks,
        id,
      ),
    )
    const { status, body } = await server.post(`/api/adventures/${id}/interrupted/keep`)
    expect([status, body.text]).toEqual([200, 'Half a wave'])
    await server.deps.recordings.ended(id)
    expect((await server.get(`/api/adventures/${id}/world-state`)).body.state.player.warmth).toBe(29)
    expect((await server.get(`/api/adventures/${id}/audit`)).body).toMatchObject({ ok: true, findings: [] })
  })
})
