import { describe, expect, test } from 'bun:test'
import { readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { copyLibrary } from '../src/db/library/copies/copy.ts'
import { copiesFolder } from '../src/db/library/copies/names.ts'
import { type Service, startService } from '../src/service.ts'
import { allowTarget } from './support/endpoint/allowed-targets.ts'
import { openLibrary } from './support/library/open.ts'
import { loopback } from './support/service/loopback.ts'
import { temporaryFolder } from './support/temporary.ts'

const BACKUP = 'library.copy-20260301T100000.db'

/** A service with a backup of a library with the story "Before"; the library has "After" too. */
async function serviceWithBackup(): Promise<{ service: Service; path: string; address: string }> {
  const path = join(temporaryFolder(), 'library.db')
  const service = await startService(loopback(path), { idleDelay: 1_000_000 }, false)
  const { address } = service.current()
  allowTarget(address)
  await begin(address, 'Before')
  copyLibrary(path, join(copiesFolder(path), BACKUP))
  await begin(address, 'After')
  return { service, path, address }
}

const begin = (address: string, title: string) =>
  fetch(`${address}api/adventures`, {
    method: 'POST',
    body: JSON.stringify({ title }),
    headers: { 'Content-Type': 'application/json' },
  })

const post = (address: string, headers: Record<string, string> = {}) =>
  fetch(address, { method: 'POST', headers, redirect: 'manual' })

const textOf = async (address: string) => (await fetch(address)).text()

/** Asks as the page of a restore does, until the service itself answers. */
async function restoredPage(address: string): Promise<string> {
  for (;;) {
    const text = await fetch(`${address}storage`).then(
      (response) => (response.ok ? response.text() : ''),
      () => '',
    )
    if (text.includes('The backup is restored.')) return text
    await Bun.sleep(5)
  }
}

describe('a backup is restored from its page', () => {
  test('which says what it holds; the library before is kept, and the address stays', async () => {
    const { service, path, address } = await serviceWithBackup()
    expect(await textOf(`${address}storage`)).toContain(`href="/storage/${BACKUP}"`)
    const page = await textOf(`${address}storage/${BACKUP}`)
    expect(page).toContain('It contains 1 story and 3 scenarios. Your library has 2 stories now.')
    expect(page).toContain('Before')
    expect(page).not.toContain('After')
    const restoring = await post(`${address}storage/${BACKUP}/restore`)
    expect([restoring.status, restoring.headers.get('Refresh')]).toEqual([200, '2; url=/storage'])
    expect(await restoring.text()).toContain('Restoring your library')
    expect(await restoredPage(address)).toContain('Your library as it was is kept among the backups.')
    expect(service.current().address).toBe(address)
    expect(await titles(address)).toEqual(['Before'])
    await service.stop()
    const kept = readdirSync(dirname(path)).filter((name) => name.includes('.before-restore-'))
    using old = openLibrary(join(dirname(path), kept[0] ?? ''))
    expect(old.reader.all('SELECT title FROM adventures ORDER BY id')).toEqual([
      { title: 'Before' },
      { title: 'After' },
    ])
    expect(readdirSync(dirname(path)).filter((name) => /previews|restoring/.test(name))).toEqual([])
  })

  test('not when it is damaged, unknown, or asked for by another page: the service keeps running', async () => {
    const { service, path, address } = await serviceWithBackup()
    const damaged = 'library.copy-damaged.db'
    writeFileSync(join(copiesFolder(path), damaged), 'no database '.repeat(100))
    expect(await textOf(`${address}storage/${damaged}`)).toContain(
      'This backup cannot be restored. It is not a database.',
    )
    const refused = await post(`${address}storage/${damaged}/restore`)
    expect(refused.status).toBe(422)
    expect(await refused.text()).toContain('This backup cannot be restored. It is not a database.')
    for (const name of ['none.db', '..%2Flibrary.db', 'library.db'])
      expect(await (await post(`${address}storage/${name}/restore`)).text()).toContain('no such backup')
    const foreign = await post(`${address}storage/${BACKUP}/restore`, { Origin: 'https://evil.example' })
    expect(foreign.status).toBe(403)
    expect(await titles(address)).toEqual(['After', 'Before'])
    await service.stop()
  })

  test('and deleted there', async () => {
    const { service, path, address } = await serviceWithBackup()
    expect((await post(`${address}storage/${BACKUP}/delete`)).headers.get('Location')).toBe(
      '/storage?did=deleted',
    )
    expect(readdirSync(copiesFolder(path))).toEqual([])
    await service.stop()
  })
})

const titles = async (address: string) =>
  (await (await fetch(`${address}api/adventures`)).json()).map(({ title }: { title: string }) => title)

describe('Quit', () => {
  test('ends the service, and says what to do next', async () => {
    const { service, address } = await serviceWithBackup()
    expect(await textOf(`${address}settings`)).toContain('Quit Inglenook')
    expect((await post(`${address}quit`, { Origin: 'https://evil.example' })).status).toBe(403)
    expect(await (await post(`${address}quit`)).text()).toContain('Inglenook has quit')
    await service.ended
    await expect(fetch(address)).rejects.toThrow()
  })

  test('is not offered, and does nothing, where others use the service, and in a container', async () => {
    for (const [allowedHosts, isContained] of [
      [['stories.lan'], false],
      [[], true],
    ] as const) {
      const config = { ...loopback(join(temporaryFolder(), 'library.db')), allowedHosts: [...allowedHosts] }
      const service = await startService(config, {}, isContained)
      const { address } = service.current()
      allowTarget(address)
      expect(await textOf(`${address}settings`)).not.toContain('Quit Inglenook')
      expect(await (await post(`${address}quit`)).text()).toContain('Stop it where it was started.')
      expect((await fetch(address)).status).toBe(200)
      await service.stop()
    }
  })
})
