import { BASE, type DoctorCheck, rowFinding } from './check.ts'

/**
 * A check by one query, `select`, that returns the wrong rows by `id`; one that compares them with the passages of their story
 * returns that as `story`.
 */
interface RowCheck extends Omit<DoctorCheck, 'find'> {
  table: string
  what: string
  select: string
}

const STORY = '0002-story.sql'
const MEMORY = '0005-memory.sql'
const WORLD_BREAKS = '0009-refresh.sql'

const lastIndex = (table: string) =>
  `coalesce((SELECT max("index") FROM actions WHERE adventure_id = ${table}.adventure_id), -1)`

const RENUMBER = 'Export the story as JSON and import the file: this renumbers its passages.'
const RECREATE_VECTOR = 'Edit each of them under Memory: this recreates its vector.'

const CHECKS: readonly RowCheck[] = [
  {
    name: 'single owner',
    since: BASE,
    table: 'users',
    what: 'not used, because only the first owner counts',
    advice: 'Nothing is lost: every story is yours, whichever owner it names.',
    select: `SELECT id FROM users WHERE email IS NULL AND is_guest = 0
        AND id > (SELECT min(id) FROM users WHERE email IS NULL AND is_guest = 0)`,
  },
  {
    name: 'single row of settings',
    since: BASE,
    table: 'settings',
    what: 'not used, because only the first row counts',
    advice: 'Check your settings and save them again.',
    select: 'SELECT id FROM settings WHERE id > (SELECT min(id) FROM settings)',
  },
  {
    name: 'cover picture',
    since: BASE,
    table: 'scenarios',
    what: 'the cover is not a picture',
    advice: 'Choose the cover again on the page of the scenario.',
    select: "SELECT id FROM scenarios WHERE image <> '' AND image NOT GLOB 'data:image/*;base64,*'",
  },
  {
    name: 'card owner',
    since: BASE,
    table: 'story_cards',
    what: 'belong to neither a story nor a scenario, or to both',
    advice: 'Search still finds them: copy what you need into a new card.',
    select: 'SELECT id FROM story_cards WHERE (scenario_id IS NULL) = (adventure_id IS NULL)',
  },
  {
    name: 'card source',
    since: BASE,
    table: 'story_cards',
    what: 'the source that the card was made from is not valid',
    advice:
      'Updating the story from its scenario leaves them unchanged. Check whether you have any card twice.',
    select: `SELECT id FROM story_cards WHERE source_ref IS NOT NULL
        AND NOT (substr(source_ref, 1, 5) = 'card:' AND substr(source_ref, 6) GLOB '[0-9]*' AND substr(source_ref, 6) NOT GLOB '*[^0-9]*')
        AND NOT source_ref GLOB 'npc:?*'`,
  },
  {
    name: 'duplicate card source',
    since: BASE,
    table: 'story_cards',
    what: 'made from the same source as another card of the story',
    advice: 'Delete the one that you do not want.',
    select: `SELECT max(id) AS id FROM story_cards WHERE source_ref IS NOT NULL AND adventure_id IS NOT NULL
      GROUP BY adventure_id, source_ref HAVING count(*) > 1`,
  },
  {
    name: 'passage count',
    since: STORY,
    table: 'adventures',
    what: 'the number of passages is wrong',
    advice: 'Start Inglenook: it recounts them when it opens the library.',
    select:
      'SELECT id, id AS story FROM adventures WHERE action_count <> (SELECT count(*) FROM actions WHERE adventure_id = adventures.id)',
  },
  {
    name: 'action index',
    since: BASE,
    table: 'actions',
    what: 'the index is not a valid number',
    advice: RENUMBER,
    select: `SELECT id FROM actions WHERE typeof("index") <> 'integer' OR "index" < 0`,
  },
  {
    name: 'duplicate action index',
    since: BASE,
    table: 'actions',
    what: 'the index is the same as that of another passage',
    advice: `Both are shown, in the order of their ids. ${RENUMBER}`,
    select: 'SELECT max(id) AS id FROM actions GROUP BY adventure_id, "index" HAVING count(*) > 1',
  },
  {
    name: 'memory and summary cursors',
    since: BASE,
    table: 'adventures',
    what: 'the position of the memory or the summary is outside the story',
    advice: 'Undo a turn: this sets the positions back to the end of the story.',
    select: `SELECT id, id AS story FROM adventures
      WHERE min(memory_cursor, summary_cursor) < 0
         OR max(memory_cursor, summary_cursor) > (SELECT count(*) FROM actions WHERE adventure_id = adventures.id)`,
  },
  {
    name: 'memory range',
    since: BASE,
    table: 'memories',
    what: 'the range of passages is not valid',
    advice: 'Delete or rewrite them under Memory on the page of the story.',
    select:
      'SELECT id FROM memories WHERE (source_start IS NULL) <> (source_end IS NULL) OR source_start > source_end',
  },
  {
    name: 'memory of missing passages',
    since: BASE,
    table: 'memories',
    what: 'refer to passages that no longer exist',
    advice: 'Delete them under Memory on the page of the story.',
    select: `SELECT id, adventure_id AS story FROM memories WHERE source_end > ${lastIndex('memories')}`,
  },
  {
    name: 'vector flag',
    since: BASE,
    table: 'memories',
    what: 'wrongly marked as having, or not having, a vector',
    advice: RECREATE_VECTOR,
    select: 'SELECT id FROM memories WHERE embedded <> (embedding_blob IS NOT NULL)',
  },
  {
    name: 'vector data',
    since: BASE,
    table: 'memories',
    what: 'the vector cannot be read',
    advice: RECREATE_VECTOR,
    select: 'SELECT id FROM memories WHERE length(embedding_blob) % 4 <> 0 OR length(embedding_blob) = 0',
  },
  {
    name: 'vector length',
    since: MEMORY,
    table: 'memories',
    what: 'the length of the vector differs from others of the same model',
    advice: RECREATE_VECTOR,
    select: `SELECT id FROM memories m WHERE embedding_model IS NOT NULL AND length(embedding_blob) % 4 = 0
        AND length(embedding_blob) <> (SELECT length(embedding_blob) FROM memories
          WHERE embedding_model = m.embedding_model AND length(embedding_blob) % 4 = 0
          GROUP BY length(embedding_blob) ORDER BY count(*) DESC, 1 LIMIT 1)`,
  },
  {
    name: 'summary of missing passages',
    since: MEMORY,
    table: 'summaries',
    what: 'cover passages that no longer exist',
    advice: 'Rewrite the summary on the page of the story.',
    select: `SELECT id, adventure_id AS story FROM summaries WHERE made_by = 'model' AND covers > ${lastIndex('summaries')}`,
  },
  {
    name: 'summary author',
    since: MEMORY,
    table: 'summaries',
    what: 'written by neither the model nor the player',
    advice: 'Save the summary again on the page of the story.',
    select: "SELECT id FROM summaries WHERE made_by NOT IN ('model', 'player')",
  },
  {
    name: 'texts of undone prompts',
    since: STORY,
    table: 'prompts of adventures',
    what: 'contain texts of undone turns',
    advice: 'They only take up space. Exporting the story as JSON and importing the file removes them.',
    select: `SELECT DISTINCT adventure_id AS id, adventure_id AS story FROM prompt_parts WHERE since > ${lastIndex('prompt_parts')}`,
  },
  {
    name: 'position of world breaks',
    since: WORLD_BREAKS,
    table: 'adventures',
    what: 'a change of the world state is recorded after the end of the story',
    advice: 'The audit may not be able to explain a change of numbers. Nothing else is affected.',
    select: `SELECT DISTINCT adventure_id AS id, adventure_id AS story FROM world_breaks WHERE since > ${lastIndex('world_breaks')}`,
  },
  {
    name: 'draft type',
    since: STORY,
    table: 'drafts of adventures',
    what: 'the type is not valid',
    advice: 'Send or delete the draft on the page of the story.',
    select:
      "SELECT adventure_id AS id FROM drafts WHERE type NOT IN ('do', 'say', 'story', 'try', 'continue')",
  },
]

/** Checks of rows by a single query each. */
export const ROW_CHECKS: readonly DoctorCheck[] = CHECKS.map(({ table, what, select, ...check }) => ({
  ...check,
  find: (reader, unfinished) => {
    const rows = reader.all<{ id: number; story?: number }>(select)
    return rowFinding(
      table,
      rows.filter(({ story }) => !unfinished.has(story)),
      what,
    )
  },
}))
