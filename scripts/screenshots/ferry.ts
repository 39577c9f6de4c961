/** A turn of the story in the pictures: what the player does, and what each variant of the reply says and proposes. */
export interface ShownTurn {
  type: 'do' | 'say' | 'story'
  text: string
  variants: { text: string; changes: Record<string, number | boolean> }[]
}

/** "The Last Ferry to Saltmere", played for an evening. */
export const FERRY: ShownTurn[] = [
  {
    type: 'say',
    text: 'It is. Watch the gap, and mind the cage.',
    variants: [
      {
        text: `"I always mind the cage," says the boy, and steps across the gap as though it were a crack in a pavement. "Only there's nobody in it, tonight."

The woman in the ball gown gives you her hand. It is cold, and it weighs nothing at all. The third passenger is aboard before you have thought to ask. You did not see it move.

The chain comes up dripping. *Clank*, says the Patient Margaret, and *clank*, and the Landing goes soft at its edges and is gone. The lamp pushes the fog back exactly as far as it must.

"Ferryman," says the woman, "do you dance?"`,
        changes: { 'player.lamp_oil': -3 },
      },
    ],
  },
  {
    type: 'say',
    text: 'Badly, and never on deck. Who was it that you promised?',
    variants: [
      {
        text: `For a while there is only the chain. Then she laughs, and above the wheelhouse the bell gives one small, approving stroke.

"A boy with rope burns on his hands. He said that he would be along as soon as he had tied her up. I have been *early* ever since." She looks at the water, and her voice is very light. "He will be quite old by now, I suppose. Does he still cough?"

She knows about the Captain. You find that you are gripping the rail, and that the rail is the only warm thing on the boat.`,
        changes: { 'player.lamp_oil': -2, 'player.nerve': -1 },
      },
    ],
  },
  {
    type: 'do',
    text: 'fill the lamp from the lighter can, and hum what the band would have played',
    variants: [
      {
        text: `The oil goes in with a sound like a cat drinking. You hum. It is not a good waltz, but it is in three, and the flame stands up straight to listen.

The fog does a curious thing: it draws back. Not far, only by a yard or so, as people do to make room on a floor.

"That is the one," says the woman, quite quietly, and the boy begins to beat time upon the cage.`,
        changes: { 'player.lamp_oil': 9, 'player.nerve': 1 },
      },
      {
        text: `The oil goes in with a sound like a cat drinking. You hum, and because nobody laughs you go on humming: it is not a good waltz, but it is in three, and the flame stands up straight to listen.

The fog does a curious thing. It draws back, a yard, then another, as people do to make room on a floor; and in the room that it has made stands the third passenger, with its long sleeves a little lifted, as if it had once seen this done.

"Well," says the woman in the ball gown, and wipes her eyes with the back of a glove. "Somebody has to ask it. I am spoken for."

Ahead of you, green and dripping, the Far Stair comes out of the dark. The hull touches stone.`,
        changes: { 'player.lamp_oil': 9, 'player.nerve': 2, 'world.crossings': 1, 'player.courage': 1 },
      },
    ],
  },
]

/** What the player has typed when the picture is taken. */
export const DRAFT = 'hold out a hand to the third passenger'
