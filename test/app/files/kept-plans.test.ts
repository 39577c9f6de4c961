import { afterEach, expect, jest, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { deletePlan, KeptPlans } from '../../../src/app/files/kept-plans.ts'
import { planUpload } from '../../../src/app/files/plan-upload.ts'
import { openLibrary } from '../../../src/db/library/open.ts'
import { sample } from '../../formats/samples.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const path = `${temporaryFolder()}/library.db`
const card = { name: 'odo.json', bytes: Buffer.from(JSON.stringify(sample('card-v2.json'))) }

const library = openLibrary(path)
const kept = () => planUpload(library, card)

/** Plans, and the end of the first deletion of one of them. */
function watchedPlans() {
  const deleted = Promise.withResolvers<void>()
  return {
    plans: new KeptPlans((plan) => deletePlan(plan).finally(deleted.resolve)),
    deleted: deleted.promise,
  }
}

afterEach(() => jest.useRealTimers())

test('a plan is kept until it is taken, or an hour old', async () => {
  const { plans, deleted } = watchedPlans()
  const plan = await kept()
  jest.useFakeTimers()
  const key = plans.add(plan)
  jest.advanceTimersByTime(3_599_000)
  expect(plans.find(key)).toBe(plan)
  expect(plans.take(key)).toBe(plan)
  expect([plans.find(key), plans.take(key), existsSync(plan.plans.path)]).toEqual([null, null, true])
  plans.put(key, plan)
  jest.advanceTimersByTime(3_600_001)
  expect(plans.find(key)).toBeNull()
  jest.useRealTimers()
  await deleted
  expect(existsSync(plan.plans.path)).toBe(false)
})

test('the oldest of nine plans is replaced', async () => {
  const { plans, deleted } = watchedPlans()
  const first = await kept()
  const keys = [plans.add(first)]
  for (let i = 0; i < 8; i++) keys.push(plans.add(await kept()))
  expect(keys.map((key) => plans.find(key) !== null)).toEqual([false, ...Array(8).fill(true)])
  await deleted
  expect(existsSync(first.plans.path)).toBe(false)
  for (const key of keys) plans.take(key)
})

test('what a killed service has kept is deleted by the next start', async () => {
  const { plans } = await kept()
  library.close()
  expect(existsSync(plans.path)).toBe(true)
  openLibrary(path).close()
  expect(existsSync(plans.path)).toBe(false)
})
