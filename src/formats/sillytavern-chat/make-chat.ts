import { isPlayerLine } from '../../domain/action.ts'
import type { PortableAction, PortableActions, PortableAdventure } from '../../domain/portable/portable.ts'
import { READER_QUESTION } from '../../domain/text/placeholder.ts'
import { ownValue } from '../../lib/objects.ts'
import { isBlank } from '../../lib/text.ts'
import { type BookOptions, chosenActions, shownText, titleOf } from '../book/passages.ts'

/** The key for the type of a player's line without its mark, so that it comes back with it. */
export const LINE_TYPE = 'inglenook_line'

/** A story as a chat of SillyTavern: one object a line, with all variants as swipes. */
export function* makeChat(
  adventure: PortableAdventure<PortableActions>,
  options: Pick<BookOptions, 'player_lines' | 'from' | 'to'>,
): Generator<string> {
  const names = { player: playerOf(adventure), narrator: titleOf(adventure.scenario ?? adventure) }
  const [first] = adventure.actions
  const head = {
    user_name: names.player,
    character_name: names.narrator,
    create_date: first?.created_at ?? '',
    chat_metadata: { title: adventure.title, ...authorsNote(adventure) },
  }
  yield JSON.stringify(head)
  for (const { action } of chosenActions(adventure, options))
    yield `\n${JSON.stringify(message(action, names))}`
}

/** The names that a chat gives to the two sides of a story. */
interface ChatNames {
  player: string
  narrator: string
}

function playerOf({ placeholders }: Pick<PortableAdventure, 'placeholders'>): string {
  const name = ownValue(placeholders, READER_QUESTION)
  return typeof name === 'string' && !isBlank(name) ? name.trim() : 'You'
}

/** In the chat, four messages before its end, each time: where SillyTavern has its own. */
function authorsNote({ authors_note }: Pick<PortableAdventure, 'authors_note'>) {
  if (isBlank(authors_note)) return {}
  return { note_prompt: authors_note, note_interval: 1, note_position: 1, note_depth: 4, note_role: 0 }
}

function message(
  { type, text, reasoning, variants, variant_index, hidden = false, created_at }: PortableAction,
  { player, narrator }: ChatNames,
) {
  const isPlayers = isPlayerLine(type)
  const mes = shownText(type, text)
  return {
    name: isPlayers ? player : narrator,
    is_user: isPlayers,
    is_system: hidden,
    send_date: created_at ?? '',
    mes,
    extra: { ...thought(reasoning), ...(mes === text ? {} : { [LINE_TYPE]: type }) },
    ...(variants.length === 0
      ? {}
      : {
          swipe_id: variant_index,
          swipes: variants.map((variant) => variant.text),
          swipe_info: variants.map((variant) => ({
            send_date: variant.created_at ?? '',
            extra: thought(variant.reasoning),
          })),
        }),
  }
}

function thought(reasoning: string | null): { reasoning?: string } {
  return reasoning === null ? {} : { reasoning }
}
