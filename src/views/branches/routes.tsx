import { branchesOf } from '../../app/adventure/branches.ts'
import { compareBranches } from '../../app/adventure/compare-branches.ts'
import type { App } from '../../app/app.ts'
import { listBookmarkPositions } from '../../db/tables/bookmarks.ts'
import { branchFields } from '../../domain/family/branch.ts'
import { validated } from '../../domain/validation.ts'
import { flashFrom } from '../flash.tsx'
import { formRoutes } from '../form-routes.ts'
import { storyLanguage } from '../play/play-props.ts'
import { formResponse, idFrom, pageOrNotFound, seeOther } from '../respond.tsx'
import { branchesUrl, storyEndUrl } from '../urls.ts'
import { BranchesPage, type BranchesProps } from './branches.tsx'

type Query = Record<string, string | undefined>

export const branchRoutes = (app: App) =>
  formRoutes('/adventures/:id/branches')
    .get('', ({ id, query }) => pageOrNotFound(() => <BranchesPage {...branchesProps(app, id, query)} />))
    .post('', ({ id, fields, request }) => {
      const { action, variant, name, color, main } = fields
      return formResponse(
        request,
        async () => {
          if (action === undefined) {
            const fields = {
              ...(name === undefined ? {} : { branch_name: name.trim() }),
              ...(color === undefined ? {} : { branch_color: Number(color) }),
              ...(main && { main_branch: true }),
            }
            app.changeBranch(id, validated(branchFields(), fields))
            return seeOther(request, branchesUrl(id), main ? 'main' : 'saved')
          }
          const chosen = variant === undefined ? {} : { variant_index: idFrom(variant) }
          const branch = await app.branchAdventure(id, { action_id: idFrom(action), ...chosen })
          return seeOther(request, storyEndUrl(branch), 'branched')
        },
        (notice) => <BranchesPage {...branchesProps(app, id, {})} notice={notice} />,
      )
    })

function branchesProps(app: App, id: number, query: Query): BranchesProps {
  const { reader } = app
  const branches = branchesOf(reader, id)
  const [first] = branches
  const current = branches.find((branch) => branch.id === id) ?? first
  if (!current) throw new Error('A story is one of its branches.')
  const ids = branches.map((branch) => branch.id)
  return {
    current,
    branches,
    bookmarks: listBookmarkPositions(reader, ids).map(({ adventure_id, ...rest }) => ({
      branch: adventure_id,
      ...rest,
    })),
    isZoomed: query.zoom !== undefined,
    compared: query.with === undefined ? null : compareBranches(reader, id, idFrom(query.with)),
    language: storyLanguage(app, id),
    now: app.now(),
    did: flashFrom(query),
  }
}
