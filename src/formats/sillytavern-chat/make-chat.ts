import { isPlayerLine } from '../../domain/action.ts'
import type { PortableAction, PortableAdventure } from '../../domain/portable/portable.ts'
import { type BookOptions, chosenActions, titleOf } from '../book/passages.ts'

/** A story as a chat of SillyTavern: one object a line, with all attempts as swipes. */
export function makeChat(
  adventure: PortableAdventure,
  options: Pick<BookOptions, 'player_lines' | 'from' | 'to'>,
): string {
  const narrator = titleOf(adventure)
  const head = {
    user_name: PLAYER,
    character_name: narrator,
    create_date: adventure.actions[0]?.created_at ?? '',
    chat_metadata: {},
  }
  const messages = chosenActions(adventure, options).map(({ action }) => message(action, narrator))
  return [head, ...messages].map((line) => JSON.stringify(line)).join('\n')
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
