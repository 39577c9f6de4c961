import { runDoctor } from '../app/files/doctor.ts'
import { serveLimited } from '../db/library/trial/serve-limited.ts'

serveLimited(({ path, version }: { path: string; version: string }) => runDoctor(path, { version }))
