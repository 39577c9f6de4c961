import { serveLimited } from './serve-limited.ts'
import { tryLibrary } from './trial-copy.ts'

serveLimited(tryLibrary)
