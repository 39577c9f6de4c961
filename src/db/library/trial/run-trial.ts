import { statSync } from 'node:fs'
import { programUrl } from '../../../lib/project.ts'
import { type Limits, limitsFor, runLimited } from './limited.ts'
import type { Trial, TrialResult } from './trial-copy.ts'

/** Tries a file in a process with limits on time and memory (see `tryLibrary`). Throws LibraryRefused. */
export function runTrial(trial: Trial, limits: Limits = limitsFor(statSync(trial.file).size)): TrialResult {
  return runLimited(programUrl('db/library/trial/trial-worker'), trial, limits)
}
