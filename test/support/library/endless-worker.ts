import { Database } from 'bun:sqlite'
import { serveLimited } from '../../../src/db/library/trial/serve-limited.ts'

// A statement that never ends, as one in a hostile file.
serveLimited((sql: string) => new Database(':memory:').query(sql).get())
