// Everything a player can do. Each use case takes the dependencies first; `createApp` binds them.

export {
  adventureView,
  createAdventure,
  removeAdventures,
  saveDraft,
  shelveAdventures,
  updateAdventureFields,
} from './adventure/adventures.ts'
export { addBookmark, removeBookmark } from './adventure/bookmarks.ts'
export { branchAdventure, changeBranch } from './adventure/branches.ts'
export { copyAdventure } from './adventure/copy-adventure.ts'
export { discardInterrupted, interruptedReply, keepInterrupted } from './adventure/interrupted-reply.ts'
export { changePlaceholders } from './adventure/placeholders.ts'
export { answerQuestions } from './adventure/questions.ts'
export { applyRefresh } from './adventure/refresh.ts'
export { changeWorldState } from './adventure/world-state.ts'
export {
  allowDevice,
  closeToDevices,
  devicesReport,
  openToDevices,
  revokeDevice,
} from './devices/use-devices.ts'
export { exportAdventure, exportCards, exportScenario } from './files/export.ts'
export { importFile, keepImport, previewImport, previewPlan, startImport } from './files/import.ts'
export { deleteUpload, storeUpload } from './files/stored-upload.ts'
export { acceptProposal, declineProposal } from './memory/card-proposals.ts'
export { changeMemory, createMemory, memoryBank, rememberNow, removeMemory } from './memory/memories.ts'
export { changeSettings } from './model/change-settings.ts'
export { chooseModelFile, engineReport, fetchEngineFor, findModels } from './model/engine.ts'
export { findServers, listModels, privacyReportOf, testEndpoint } from './model/settings.ts'
export { testEmbeddings } from './model/test-embeddings.ts'
export { nextPrompt, pastPrompt, prepareNextPrompt, tryRecall } from './prompt/prompt-view.ts'
export { changeReaderPreferences } from './reader-preferences.ts'
export { recordAgain } from './recording/record-passage.ts'
export { previewScenario } from './scenario/preview-scenario.ts'
export {
  changeCover,
  changeScenario,
  createScenario,
  duplicateScenario,
  removeScenario,
} from './scenario/scenarios.ts'
export { saveSchema } from './scenario/stat-schema.ts'
export { cardsOf, changeCard, createCard, moveCard, removeCard } from './scenario/story-cards.ts'
export { trialStart, tryCards } from './scenario/try-cards.ts'
export { backUp } from './storage/backup.ts'
export { libraryProblem, saveOpenLibrary } from './storage/problem.ts'
export { addBackup, deleteBackup, listBackups, previewBackup, restoreBackup } from './storage/restore.ts'
export {
  canQuit,
  canRestore,
  conversionReport,
  forgetPrompts,
  quitService,
  storageReport,
} from './storage/storage.ts'
export { suggest } from './suggestions/suggest.ts'
export { editAction, switchVariant } from './turn/edit-action.ts'
export { playTurn, rerollTurn, retryTurn, stopTurn } from './turn/play-turn.ts'
export { rewriteParts } from './turn/rewrite-parts.ts'
export { undoTurn } from './turn/undo-turn.ts'
