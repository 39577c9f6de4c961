import type { ActionView } from '../domain/action.ts'
import type { StoryCard } from '../domain/story-card.ts'

/** Panels that open beside a story, one at a time. */
export const PANELS = [
  'plot',
  'memory',
  'contents',
  'history',
  'reading',
  'insights',
  'search',
  'export',
  'attempts',
] as const
export type PanelName = (typeof PANELS)[number]

/** Forms send to paths below it. */
export function storyUrl(adventureId: number, query: Record<string, string | number> = {}): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${value}`)
  return `/adventures/${adventureId}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`
}

/** A story that is only its opening has no such anchor, so it opens at its top. */
export function storyEndUrl(adventureId: number): string {
  return `${storyUrl(adventureId)}#end`
}

export function passageUrl({ id, adventure_id }: Pick<ActionView, 'id' | 'adventure_id'>): string {
  return `${storyUrl(adventure_id, { at: id })}#action-${id}`
}

export function panelUrl(adventureId: number, panel: PanelName): string {
  return `${storyUrl(adventureId, { panel })}#panel`
}

export function insightsUrl(adventureId: number, actionId?: number): string {
  const page = `${storyUrl(adventureId)}/insights`
  return actionId === undefined ? page : `${page}?turn=${actionId}#turn-${actionId}`
}

export function storageUrl(backup?: string): string {
  return backup === undefined ? '/storage' : `/storage/${encodeURIComponent(backup)}`
}

/** `storyId` is the story to continue with; '' for none. */
export function engineUrl(storyId: string, form = ''): string {
  const page = form === '' ? '/settings/engine' : `/settings/engine/${form}`
  return storyId === '' ? page : `${page}?story=${storyId}`
}

export function branchesUrl(adventureId: number, other?: number): string {
  const page = `${storyUrl(adventureId)}/branches`
  return other === undefined ? page : `${page}?with=${other}#compared`
}

export function refreshUrl(adventureId: number): string {
  return `${storyUrl(adventureId)}/refresh`
}

export const EDITOR_TABS = ['story', 'cards', 'stats', 'questions', 'cover'] as const
export type EditorTab = (typeof EDITOR_TABS)[number]

export function scenarioUrl(scenarioId: number): string {
  return `/scenarios/${scenarioId}`
}

export function editorUrl(scenarioId: number, tab: EditorTab): string {
  return `${scenarioUrl(scenarioId)}/edit?tab=${tab}`
}

/** Without an id, the list of cards. */
export function cardUrl({
  id,
  scenario_id,
  adventure_id,
}: Pick<StoryCard, 'id' | 'scenario_id' | 'adventure_id'>): string {
  const page =
    scenario_id === null ? storyUrl(adventure_id ?? 0, { panel: 'plot' }) : editorUrl(scenario_id, 'cards')
  return `${page}#${id === 0 ? 'card-list' : `card-${id}`}`
}
