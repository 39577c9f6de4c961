import { runDoctor } from '../app/files/doctor.ts'
import { serveLimited } from '../db/library/trial/serve-limited.ts'

serveLimited(({ path, version, health }: { path: string; version: string; health: string }) =>
  runDoctor(path, { version, health }),
)
