import type { Reader } from '../db/database.ts'
import {
  adventureView,
  createAdventure,
  removeAdventures,
  saveDraft,
  saveSteering,
  shelveAdventures,
  updateAdventureFields,
} from './adventure/adventures.ts'
import { addBookmark, removeBookmark } from './adventure/bookmarks.ts'
import { branchAdventure, changeBranch } from './adventure/branches.ts'
import { copyAdventure } from './adventure/copy-adventure.ts'
import { discardInterrupted, interruptedReply, keepInterrupted } from './adventure/interrupted-reply.ts'
import { changePlaceholders } from './adventure/placeholders.ts'
import { answerQuestions } from './adventure/questions.ts'
import { applyRefresh } from './adventure/refresh.ts'
import { changeWorldState } from './adventure/world-state.ts'
import type { Deps } from './deps.ts'
import {
  allowDevice,
  closeToDevices,
  devicesReport,
  openToDevices,
  revokeDevice,
} from './devices/use-devices.ts'
import { exportAdventure, exportCards, exportScenario } from './files/export.ts'
import { importFile, previewImport, startImport } from './files/import.ts'
import { deleteUpload, storeUpload } from './files/stored-upload.ts'
import { acceptProposal, declineProposal } from './memory/card-proposals.ts'
import { changeMemory, createMemory, memoryBank, rememberNow, removeMemory } from './memory/memories.ts'
import { changeSettings } from './model/change-settings.ts'
import { chooseModelFile, engineReport, fetchEngineFor, findModels } from './model/engine.ts'
import { privacyReportOf } from './model/privacy-report.ts'
import { findServers, listModels, testEndpoint } from './model/settings.ts'
import { testEmbeddings } from './model/test-embeddings.ts'
import { nextPrompt, pastPrompt, prepareNextPrompt } from './prompt/prompt-view.ts'
import { tryRecall } from './prompt/try-recall.ts'
import { changeReaderPreferences } from './reader-preferences.ts'
import { duplicateScenario } from './scenario/duplicate-scenario.ts'
import { previewScenario } from './scenario/preview-scenario.ts'
import { changeCover, changeScenario, createScenario, removeScenario } from './scenario/scenarios.ts'
import { saveSchema } from './scenario/stat-schema.ts'
import { cardsOf, changeCard, createCard, moveCard, removeCard } from './scenario/story-cards.ts'
import { trialStart, tryCards } from './scenario/try-cards.ts'
import { backUp } from './storage/backup.ts'
import { addBackup, deleteBackup, listBackups, previewBackup, restoreBackup } from './storage/restore.ts'
import {
  canQuit,
  canRestore,
  conversionReport,
  forgetPrompts,
  quitService,
  storageReport,
} from './storage/storage.ts'
import { suggest } from './suggestions/suggest.ts'
import { editAction, switchVariant } from './turn/edit-action.ts'
import { playTurn, rerollTurn, retryTurn, stopTurn } from './turn/play-turn.ts'
import { rewriteParts } from './turn/rewrite-parts.ts'
import { undoTurn } from './turn/undo-turn.ts'

/** Everything a player can do. Each use case takes {@link Deps} first; the API and the pages get it bound. */
const USE_CASES = {
  adventureView,
  createAdventure,
  removeAdventures,
  saveDraft,
  saveSteering,
  shelveAdventures,
  updateAdventureFields,
  addBookmark,
  removeBookmark,
  branchAdventure,
  changeBranch,
  copyAdventure,
  discardInterrupted,
  interruptedReply,
  keepInterrupted,
  changePlaceholders,
  answerQuestions,
  applyRefresh,
  changeWorldState,
  backUp,
  listBackups,
  addBackup,
  previewBackup,
  restoreBackup,
  deleteBackup,
  storageReport,
  conversionReport,
  forgetPrompts,
  canRestore,
  canQuit,
  quitService,
  allowDevice,
  closeToDevices,
  devicesReport,
  openToDevices,
  revokeDevice,
  exportAdventure,
  exportCards,
  exportScenario,
  importFile,
  previewImport,
  startImport,
  storeUpload,
  deleteUpload,
  acceptProposal,
  declineProposal,
  changeMemory,
  createMemory,
  memoryBank,
  rememberNow,
  removeMemory,
  privacyReportOf,
  changeSettings,
  engineReport,
  findModels,
  chooseModelFile,
  fetchEngineFor,
  findServers,
  listModels,
  testEndpoint,
  testEmbeddings,
  nextPrompt,
  prepareNextPrompt,
  pastPrompt,
  tryRecall,
  changeReaderPreferences,
  duplicateScenario,
  previewScenario,
  changeCover,
  changeScenario,
  createScenario,
  removeScenario,
  saveSchema,
  cardsOf,
  changeCard,
  createCard,
  moveCard,
  removeCard,
  trialStart,
  tryCards,
  editAction,
  switchVariant,
  playTurn,
  retryTurn,
  suggest,
  rerollTurn,
  rewriteParts,
  stopTurn,
  undoTurn,
}

type UseCase = (deps: Deps, ...rest: never[]) => unknown

type Bound<F> = F extends (deps: Deps, ...rest: infer Rest) => infer Result
  ? (...rest: Rest) => Result
  : never

type BoundUseCases = { [Name in keyof typeof USE_CASES]: Bound<(typeof USE_CASES)[Name]> }

/** What the API and the pages are given as it is. */
const SHARED = [
  'check',
  'now',
  'locks',
  'recordings',
  'idle',
  'turnCounts',
  'uploads',
  'imports',
  'indexing',
  'practicePace',
  'engine',
] as const satisfies readonly (keyof Deps)[]

/**
 * The application as the API and the pages see it: `reader` to read, use cases to change things. The library and its
 * `write` stay inside.
 */
export interface App extends BoundUseCases, Pick<Deps, (typeof SHARED)[number]> {
  reader: Reader
}

/** Binds every use case to the dependencies. */
export function createApp(deps: Deps): App {
  const bound = Object.entries<UseCase>(USE_CASES).map(([name, run]) => [
    name,
    (...rest: never[]) => run(deps, ...rest),
  ])
  const shared = SHARED.map((name) => [name, deps[name]])
  const members: Omit<App, 'reader'> = Object.fromEntries([...bound, ...shared])
  return { ...members, reader: deps.library.reader }
}
