import { BASE, type Check, rowCheck } from './check.ts'

const STORY = '0002-story.sql'
const MEMORY = '0005-memory.sql'

const NEWEST = (table: string) =>
  `coalesce((SELECT max("index") FROM actions WHERE adventure_id = ${table}.adventure_id), -1)`

/** What one query sees of rows that are wrong. */
export const ROW_CHECKS: readonly Check[] = [
  rowCheck(
    'owner',
    BASE,
    'users',
    'are owners beside the first one',
    'Nothing is lost: every story is yours, whoever is named as its owner.',
    `SELECT id FROM users WHERE email IS NULL AND is_guest = 0
        AND id > (SELECT min(id) FROM users WHERE email IS NULL AND is_guest = 0)`,
  ),
  rowCheck(
    'one row of settings',
    BASE,
    'settings',
    'are never read, because the first row counts',
    'See whether the settings are as you want them, and save them once more.',
    'SELECT id FROM settings WHERE id > (SELECT min(id) FROM settings)',
  ),
  rowCheck(
    'picture',
    BASE,
    'scenarios',
    'have a picture that is none',
    'Choose the picture again on the page of the scenario.',
    "SELECT id FROM scenarios WHERE image <> '' AND image NOT GLOB 'data:image/*;base64,*'",
  ),
  rowCheck(
    'card owner',
    BASE,
    'story_cards',
    'belong to nothing, or to a scenario and a story at once',
    'The search finds them: copy what you miss into a new card.',
    'SELECT id FROM story_cards WHERE (scenario_id IS NULL) = (adventure_id IS NULL)',
  ),
  rowCheck(
    'card reference',
    BASE,
    'story_cards',
    'do not say from what they were made',
    'An update of the story leaves them as they are; look whether you have one twice.',
    `SELECT id FROM story_cards WHERE source_ref IS NOT NULL
        AND NOT (substr(source_ref, 1, 5) = 'card:' AND substr(source_ref, 6) GLOB '[0-9]*' AND substr(source_ref, 6) NOT GLOB '*[^0-9]*')
        AND NOT source_ref GLOB 'npc:?*'`,
  ),
  rowCheck(
    'card reference twice',
    BASE,
    'story_cards',
    'were made from what another card of their story was made from',
    'Delete the one that you do not want.',
    `SELECT max(id) AS id FROM story_cards WHERE source_ref IS NOT NULL AND adventure_id IS NOT NULL
      GROUP BY adventure_id, source_ref HAVING count(*) > 1`,
  ),
  rowCheck(
    'count of passages',
    STORY,
    'adventures',
    'count their passages wrongly',
    'Start Inglenook: it counts again when it opens the library.',
    'SELECT id FROM adventures WHERE action_count <> (SELECT count(*) FROM actions WHERE adventure_id = adventures.id)',
  ),
  rowCheck(
    'index',
    BASE,
    'actions',
    'have an index that is no count',
    'Take the story away as a whole copy and bring that back: its passages are counted anew.',
    `SELECT id FROM actions WHERE typeof("index") <> 'integer' OR "index" < 0`,
  ),
  rowCheck(
    'index twice',
    BASE,
    'actions',
    'have the index of another passage',
    'Both are told, in the order of their ids. Take the story away as a whole copy and bring that back: its passages are counted anew.',
    'SELECT max(id) AS id FROM actions GROUP BY adventure_id, "index" HAVING count(*) > 1',
  ),
  rowCheck(
    'cursor',
    BASE,
    'adventures',
    'have remembered more passages than they have',
    'Undo a turn: the positions are set back to the end of the story.',
    `SELECT id FROM adventures
      WHERE min(memory_cursor, summary_cursor) < 0
         OR max(memory_cursor, summary_cursor) > (SELECT count(*) FROM actions WHERE adventure_id = adventures.id)`,
  ),
  rowCheck(
    'range of a memory',
    BASE,
    'memories',
    'do not say of which passages they tell',
    'Delete them under Memory on the page of the story, or write them anew.',
    'SELECT id FROM memories WHERE (source_start IS NULL) <> (source_end IS NULL) OR source_start > source_end',
  ),
  rowCheck(
    'memory of what is gone',
    BASE,
    'memories',
    'tell of passages that are gone',
    'Delete them under Memory on the page of the story.',
    `SELECT id FROM memories WHERE source_end > ${NEWEST('memories')}`,
  ),
  rowCheck(
    'vector flag',
    BASE,
    'memories',
    'say wrongly whether they have a vector',
    'Change a word of each under Memory: its vector is made anew.',
    'SELECT id FROM memories WHERE embedded <> (embedding_blob IS NOT NULL)',
  ),
  rowCheck(
    'vector',
    BASE,
    'memories',
    'have a vector that cannot be read',
    'Change a word of each under Memory: its vector is made anew.',
    'SELECT id FROM memories WHERE length(embedding_blob) % 4 <> 0 OR length(embedding_blob) = 0',
  ),
  rowCheck(
    'vectors of one model',
    MEMORY,
    'memories',
    'have a vector of another length than others of its model',
    'Change a word of each under Memory: its vector is made anew.',
    `SELECT id FROM memories m WHERE embedding_model IS NOT NULL AND length(embedding_blob) % 4 = 0
        AND length(embedding_blob) <> (SELECT length(embedding_blob) FROM memories
          WHERE embedding_model = m.embedding_model AND length(embedding_blob) % 4 = 0
          GROUP BY length(embedding_blob) ORDER BY count(*) DESC, 1 LIMIT 1)`,
  ),
  rowCheck(
    'summary of what is gone',
    MEMORY,
    'summaries',
    'tell of passages that are gone',
    'Write the summary anew on the page of the story.',
    `SELECT id FROM summaries WHERE made_by = 'model' AND covers > ${NEWEST('summaries')}`,
  ),
  rowCheck(
    'writer of a summary',
    MEMORY,
    'summaries',
    'do not say who wrote them',
    'Save the summary once more on the page of the story.',
    "SELECT id FROM summaries WHERE made_by NOT IN ('model', 'player')",
  ),
  rowCheck(
    'texts of undone prompts',
    STORY,
    'prompts of adventures',
    'keep texts of turns that are gone',
    'They only take room. A whole copy that is taken away and brought back is without them.',
    `SELECT DISTINCT adventure_id AS id FROM prompt_parts WHERE since > ${NEWEST('prompt_parts')}`,
  ),
  rowCheck(
    'break behind the end',
    '0009-refresh.sql',
    'adventures',
    'note a change of what is counted behind their end',
    'The audit may miss why numbers begin anew there. Nothing else depends on it.',
    `SELECT DISTINCT adventure_id AS id FROM world_breaks WHERE since > ${NEWEST('world_breaks')}`,
  ),
  rowCheck(
    'draft',
    STORY,
    'drafts of adventures',
    'are of no kind that can be sent',
    'Send or delete what stands in the field of the story.',
    "SELECT adventure_id AS id FROM drafts WHERE type NOT IN ('do', 'say', 'story', 'continue')",
  ),
]
