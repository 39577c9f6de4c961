import { describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { folderNextToProgram, systemDataFolder } from '../src/config.ts'
import { temporaryFolder } from './support/temporary.ts'

describe('the data folder of each system', () => {
  test.each([
    ['linux', {}, '/home/ada/.local/share/inglenook'],
    ['linux', { XDG_DATA_HOME: '/home/ada/data' }, '/home/ada/data/inglenook'],
    ['freebsd', {}, '/home/ada/.local/share/inglenook'],
    ['darwin', { XDG_DATA_HOME: '/home/ada/data' }, '/home/ada/Library/Application Support/Inglenook'],
    ['win32', { LOCALAPPDATA: '/appdata' }, '/appdata/Inglenook'],
    ['win32', {}, '/home/ada/AppData/Local/Inglenook'],
  ] as const)('%s with %j', (platform, env, folder) => {
    expect(systemDataFolder(platform, env, '/home/ada')).toBe(folder)
  })
})

// The superuser may write everywhere.
const canForbid = process.getuid?.() !== 0

describe('beside the executable', () => {
  test('where the folder can be written to, and nothing is left there', () => {
    const folder = temporaryFolder()
    expect(folderNextToProgram(folder, '/other')).toBe(join(folder, 'inglenook-data'))
    expect(readdirSync(folder)).toEqual([])
  })

  test('in a folder that does not exist, the other', () => {
    expect(folderNextToProgram(join(temporaryFolder(), 'none'), '/other')).toBe('/other')
  })

  test.if(canForbid)('a folder that may not be written to, only if the data is there already', () => {
    const folder = temporaryFolder()
    chmodSync(folder, 0o500)
    expect(folderNextToProgram(folder, '/other')).toBe('/other')
    chmodSync(folder, 0o700)
    mkdirSync(join(folder, 'inglenook-data'))
    chmodSync(folder, 0o500)
    expect(folderNextToProgram(folder, '/other')).toBe(join(folder, 'inglenook-data'))
  })
})
