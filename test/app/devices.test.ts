import { describe, expect, test } from 'bun:test'
import { Devices, MAX_WAITING } from '../../src/app/devices/devices.ts'

const MINUTE = 60_000

function devicesAt(time = 0, code?: () => string) {
  const clock = { time }
  return { clock, devices: new Devices(() => new Date(clock.time), code) }
}

describe('a device that waits', () => {
  test('keeps its code while it asks, and has four characters that are not taken for others', () => {
    const { clock, devices } = devicesAt()
    const code = devices.wait('10.0.0.2')
    expect(code).toMatch(/^[A-HJ-NP-Z2-9]{4}$/)
    for (const _ of Array(5)) {
      clock.time += MINUTE
      expect(devices.wait('10.0.0.2')).toBe(code)
    }
    expect(devices.waiting()).toEqual([{ address: '10.0.0.2', code: code as string }])
  })

  test('is forgotten when it no longer asks, and its code with it', () => {
    const { clock, devices } = devicesAt()
    const code = devices.wait('10.0.0.2') as string
    clock.time += MINUTE + 1
    expect(devices.waiting()).toEqual([])
    expect(devices.allow('10.0.0.2', code, null)).toBe(false)
  })

  test('88 never has the code of another', () => {
    const codes = ['AAAA', 'AAAA', 'AAAA', 'BBBB']
    const { devices } = devicesAt(0, () => codes.shift() ?? '')
    expect([devices.wait('10.0.0.2'), devices.wait('10.0.0.3')]).toEqual(['AAAA', 'BBBB'])
  })

  test('87 is one of so many that a person can read them; the others get their turn', () => {
    const { clock, devices } = devicesAt()
    for (let i = 0; i < 1_000; i++) devices.wait(`10.0.${i >> 8}.${i & 255}`)
    expect(devices.waiting()).toHaveLength(MAX_WAITING)
    expect(devices.wait('10.9.9.9')).toBeNull()
    expect(devices.wait('10.0.0.0')).not.toBeNull()
    clock.time += MINUTE + 1
    expect(devices.wait('10.9.9.9')).not.toBeNull()
  })
})

describe('a device that is allowed', () => {
  test('88 only with its own code', () => {
    const { devices } = devicesAt()
    const [one, other] = [devices.wait('10.0.0.2') as string, devices.wait('10.0.0.3') as string]
    expect(devices.allow('10.0.0.2', other, null)).toBe(false)
    expect(devices.allowance('10.0.0.2')).toBeNull()
    expect(devices.allow('10.0.0.2', one, null)).toBe(true)
    expect(devices.allowance('10.0.0.2')?.aborted).toBe(false)
    expect([devices.waiting().length, devices.allowance('10.0.0.3')]).toEqual([1, null])
    expect(devices.allow('10.0.0.2', one, null)).toBe(false)
  })

  test('until its time has come', () => {
    const { clock, devices } = devicesAt()
    devices.allow('10.0.0.2', devices.wait('10.0.0.2') as string, new Date(5 * MINUTE))
    clock.time = 5 * MINUTE - 1
    const allowance = devices.allowance('10.0.0.2')
    expect(allowance?.aborted).toBe(false)
    clock.time = 5 * MINUTE
    expect([devices.allowance('10.0.0.2'), devices.allowed(), allowance?.aborted]).toEqual([null, [], true])
  })

  test('until its access is revoked, and after that it has another code', () => {
    const { devices } = devicesAt()
    const code = devices.wait('10.0.0.2') as string
    devices.allow('10.0.0.2', code, null)
    const allowance = devices.allowance('10.0.0.2')
    devices.revoke('10.0.0.2')
    expect([allowance?.aborted, devices.allowance('10.0.0.2')]).toEqual([true, null])
    expect(devices.wait('10.0.0.2')).not.toBe(code)
  })

  test('until everything is switched off', () => {
    const { devices } = devicesAt()
    devices.allow('10.0.0.2', devices.wait('10.0.0.2') as string, null)
    devices.wait('10.0.0.3')
    const allowance = devices.allowance('10.0.0.2')
    devices.clear()
    expect([allowance?.aborted, devices.allowed(), devices.waiting()]).toEqual([true, [], []])
  })
})
