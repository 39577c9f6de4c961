import { Elysia } from 'elysia'
import type { Deps } from '../app/deps.ts'
import { bringForms } from './files/bring-forms.tsx'
import { memoryForms } from './panels/memory-routes.tsx'
import { worldForms } from './panels/world-forms.tsx'
import { storyForms } from './play/story-forms.tsx'
import { turnForms } from './play/turn-forms.tsx'
import { readingForms } from './reading/routes.tsx'
import { answerForms, refreshForms } from './refresh/refresh-forms.tsx'
import { scenarioForms } from './scenario/scenario-forms.tsx'
import { schemaForms } from './scenario/schema-forms.tsx'
import { settingsForms } from './settings/settings-forms.tsx'

/** Everything that a page can send. `api` answers a request to the JSON face. */
export const forms = (deps: Deps, api: (request: Request) => Promise<Response>) =>
  new Elysia({ name: 'forms' })
    .use(turnForms(deps))
    .use(worldForms(deps))
    .use(bringForms(deps))
    .use(memoryForms(deps))
    .use(storyForms(deps))
    .use(refreshForms(deps, api))
    .use(answerForms(deps))
    .use(scenarioForms(deps))
    .use(schemaForms(deps))
    .use(settingsForms(deps))
    .use(readingForms(deps))
