import type { Deps } from '../../app/deps.ts'
import type { HeldFile } from '../../app/held-files.ts'
import { applyImport, planImport } from '../../app/import.ts'
import { listScenarios } from '../../db/tables/scenarios.ts'
import { StoryError } from '../../domain/errors.ts'
import { type FormFields, formRoutes } from '../../http/form.ts'
import { type Fields, fieldsOf, formAnswer, idFrom, pageAnswer, seeOther } from '../respond.tsx'
import { LibraryPage } from '../library/library.tsx'
import { libraryProps, scenarioProps } from '../library/library-props.ts'
import { ScenarioPage } from '../scenario/scenario.tsx'
import { BroughtPage, type BroughtProps } from '../import/import.tsx'

/** The forms that bring a file: first its receipt, then the file itself. */
export const bringForms = (deps: Deps) => {
  const look = async (held: string): Promise<Omit<BroughtProps, 'owner'>> => {
    const file = deps.held.find(held)
    if (file === null)
      throw new StoryError('import_refused', 'The file is not held any more. Choose it once again.')
    const plan = await planImport(file.bytes, file.name)
    return { plan, held, name: file.name, scenarios: listScenarios(deps.library.reader) }
  }
  /** The page that the file was brought to. */
  const back = (owner: number, pasted?: string) => (notice: string) =>
    owner === 0 ? (
      <LibraryPage {...libraryProps(deps)} notice={notice} pasted={pasted} />
    ) : (
      <ScenarioPage {...scenarioProps(deps, owner)} notice={notice} pasted={pasted} />
    )
  return formRoutes('/import')
    .post('', ({ body, request }) => {
      const { owner: of, text } = fieldsOf(body)
      const owner = idFrom(of)
      return formAnswer(
        request,
        async () => {
          const held = deps.held.hold(await fileIn(body as FormFields))
          return pageAnswer(<BroughtPage {...(await look(held))} owner={owner} />)
        },
        back(owner, text),
      )
    })
    .post('/apply', ({ body, request }) => {
      const fields = fieldsOf(body)
      const { held = '' } = fields
      const owner = idFrom(fields.owner)
      return formAnswer(
        request,
        async () => {
          const { plan } = await look(held)
          const { adventure_ids, scenario_ids } = applyImport(deps, plan, {
            scenarios: chosenIn(fields, 'scenarios'),
            adventures: chosenIn(fields, 'adventures'),
            ...(owner === 0 ? {} : { owner: { scenario_id: owner } }),
          })
          deps.held.letGo(held)
          const [story] = adventure_ids
          if (story !== undefined) return seeOther(request, `/adventures/${story}#tools`, 'brought')
          const [scenario] = scenario_ids
          const to = scenario === undefined ? `${owner}?open=cards#part-cards` : String(scenario)
          return seeOther(request, `/scenarios/${to}`, 'brought')
        },
        back(owner),
      )
    })
}

// A file that was chosen goes before a text that was pasted.
async function fileIn({ file, text }: FormFields): Promise<HeldFile> {
  if (file instanceof File && file.size > 0)
    return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }
  if (typeof text === 'string' && text.trim() !== '')
    return { name: '', bytes: new TextEncoder().encode(text) }
  throw new StoryError('import_refused', 'Choose a file first, or paste its text.')
}

function chosenIn(fields: Fields, name: string): number[] {
  return Object.keys(fields)
    .map((field) => new RegExp(`^${name}\\.(\\d{1,9})$`).exec(field)?.[1])
    .filter((place) => place !== undefined)
    .map(Number)
}
