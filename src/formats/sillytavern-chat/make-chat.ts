import { isPlayerLine } from '../../domain/action.ts'
import type { PortableAction, PortableActions, PortableAdventure } from '../../domain/portable/portable.ts'
import { type BookOptions, chosenActions, titleOf } from '../book/passages.ts'

/** A story as a chat of SillyTavern: one object a line, with all attempts as swipes. */
export function* makeChat(
  adventure: PortableAdventure<PortableActions>,
  options: Pick<BookOptions, 'player_lines' | 'from' | 'to'>,
): Generator<string> {
  const narrator = titleOf(adventure)
  const [first] = adventure.actions
  const head = {
    user_name: PLAYER,
    character_name: narrator,
    create_date: first?.created_at ?? '',
    chat_metadata: {},
  }
  yield JSON.stringify(head)
  for (const { action } of chosenActions(adventure, options))
    yield `\n${JSON.stringify(message(action, narrator))}`
}

const PLAYER = 'You'

function message(
  { type, text, reasoning, variants, variant_index, created_at }: PortableAction,
  narrator: string,
) {
  const isPlayers = isPlayerLine(type)
  return {
    name: isPlayers ? PLAYER : narrator,
    is_user: isPlayers,
    is_system: false,
    send_date: created_at ?? '',
    mes: text,
    extra: thought(reasoning),
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
