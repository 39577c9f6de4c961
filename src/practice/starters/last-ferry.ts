import type { StarterScenario } from '../../domain/scenario.ts'

/** A small schema, two numbers, a counter and a flag, and two checks that dice decide. */
export const LAST_FERRY: StarterScenario = {
  title: 'The Last Ferry to Saltmere',
  description:
    'You run the night ferry across a haunted bay. Six crossings until dawn, a lamp that eats oil, and passengers who are not all quite alive. A small set of stats keeps count of the lamp, your nerve and the crossings, and dice decide whether you hold the course.',
  icon: '⛴️',
  tags: 'sea, ghosts, gentle eerie, small stats',
  prompt: `Fog comes up Saltmere Bay the way it always does on the last night of October: slowly, and from the wrong side.

You coil the bow rope, check the lamp, and check it again. The ferry is called the Patient Margaret. She is flat and slow and older than you are, and for tonight she is all yours, because Captain Brode has a cough, and because, as he put it, the passengers tonight want someone with a fresh face.

The rules are chalked inside the wheelhouse door. Keep the lamp lit. Take no coin before the crossing. Ask nobody how they came to be here.

On the landing stage three people are waiting. The first is a boy with a birdcage. The second is a woman in a ball gown, wet to the knees. The third stands well back from the light and has not moved since you arrived.

"Is this the boat for the other side?" asks the boy.`,
  greetings: [],
  memory: `You are the ferryman of the Patient Margaret for one night, the last of October, on Saltmere Bay. There are six crossings to make before dawn, back and forth between the Landing and the Far Stair.
Some passengers are living and some are not. The dead want to go home and need one thing settled first: a message, an apology, a song. Whoever is settled steps off smiling at the Far Stair.
The lamp keeps the fog away. When it fails, the fog shows people what they are most afraid of losing. It cannot hurt them, but a frightened ferryman may lose the way.`,
  authors_note:
    'Eerie but gentle, like a story told beside a stove. Sadness is allowed, cruelty is not. Let the sea be heard.',
  ai_instructions: `Tell the story in the second person and the present tense. Write in clear, quiet prose with dry humour.
Each crossing brings one or two passengers with a small want and a secret that careful talk will bring out. End each passage where the player has something to do or to answer.
Oil goes down by two or three in an ordinary passage under way and faster in thick fog. Nerve falls with frights and rises with kindness, tea and songs. Count a crossing only when the ferry has touched the other shore.
No gore and no jump scares. Do not speak, act or decide for the player.`,
  example_dialogue: '',
  stat_schema: {
    world: {
      crossings: {
        type: 'counter',
        initial: 0,
        min: 0,
        max: 6,
        max_delta_per_turn: 1,
        desc: 'Crossings completed tonight. Add 1 only when the ferry has touched the other shore.',
      },
    },
    player: {
      lamp_oil: {
        initial: 30,
        min: 0,
        max: 30,
        max_delta_per_turn: 6,
        desc: 'Oil left in the lamp. Negative while it burns, positive when it is filled from a can.',
        bands: [
          [0, 1, 'dark'],
          [1, 10, 'guttering'],
          [10, 20, 'steady'],
          [20, 30, 'bright'],
        ],
      },
      nerve: {
        initial: 7,
        min: 0,
        max: 10,
        max_delta_per_turn: 2,
        desc: 'How calm the ferryman is. Negative after a fright, positive after kindness or rest.',
        bands: [
          [0, 3, 'shaken'],
          [3, 6, 'uneasy'],
          [6, 9, 'calm'],
          [9, 10, 'unshakeable'],
        ],
      },
    },
    flags: {
      lamp_lit: { initial: true, desc: 'The bow lamp of the ferry is burning.' },
    },
    checks: {
      'Hold the course': {
        dice: '2d6',
        stat: 'player.nerve',
        difficulties: [
          { name: 'in thin fog', number: 12 },
          { name: 'in thick fog', number: 15 },
        ],
        player_picks_difficulty: true,
        outcomes: [
          { name: 'the ferry drifts', effects: { 'player.lamp_oil': -4, 'player.nerve': -1 } },
          { name: 'held, at a price', from: -2, effects: { 'player.lamp_oil': -3 } },
          { name: 'held', from: 0, effects: { 'player.lamp_oil': -1 } },
          { name: 'held as if by daylight', from: 4, effects: { 'player.nerve': 1 } },
        ],
        reroll: { 'player.lamp_oil': -2 },
      },
      'Calm a passenger': {
        dice: '2d6',
        stat: 'player.nerve',
        difficulties: [{ name: 'a frightened one', number: 13 }],
        outcomes: [
          { name: 'the fear spreads', effects: { 'player.nerve': -2 } },
          { name: 'they are quiet', from: 0 },
          { name: 'they begin to talk', from: 3, effects: { 'player.nerve': 1 } },
        ],
      },
    },
  },
  story_cards: [
    {
      type: 'thing',
      name: 'The Patient Margaret',
      keys: 'ferry, Margaret, wheelhouse, deck',
      entry:
        'The Patient Margaret is a flat-bottomed chain ferry, forty feet long, with a wheelhouse like a garden shed and a bell that rings by itself when somebody aboard tells a lie. There are two spare cans of oil under the bench, and one of them is heavier than it should be.',
      notes: "The heavy can holds Captain Brode's savings, meant for the passenger in the ball gown.",
    },
    {
      type: 'character',
      name: 'The boy with the birdcage',
      keys: 'boy, birdcage, cage, Wilf',
      entry:
        "Wilf is nine and very much alive, and he ought to be in bed. The cage is empty. His grandmother's canary flew off into the fog on the night when she fell into a sleep that will not end, and he is sure that whoever brings back the one will wake the other.",
      notes: '',
    },
    {
      type: 'character',
      name: 'The woman in the ball gown',
      keys: 'woman, gown, ball, Isaura',
      entry:
        'Isaura Vell set out for a midwinter ball in 1911 and has been on her way ever since. She is witty, proud and tired of waiting. She will not step ashore until she has had the last dance that she promised to a young ferryman named Brode.',
      notes: '',
    },
    {
      type: 'character',
      name: 'The third passenger',
      keys: 'third passenger, figure, stranger, stands well back',
      entry:
        'The third passenger wears a long oilskin and stays out of the light. It says little, always pays exactly, and has crossed on this night every year without once getting off. It is not a ghost: it is the fog, which would like to see the other side and is too shy to ask.',
      notes: 'Reveal this late, and only to patience or kindness.',
    },
    {
      type: 'place',
      name: 'The Far Stair',
      keys: 'Far Stair, other side, far shore, steps',
      entry:
        'The Far Stair rises out of the water on the other side of the bay, green with weed below and dry and warm above. By day there is nothing there but rock. Lights move at the top of it, and sometimes there is music, and nobody who has settled their business looks back.',
      notes: '',
    },
    {
      type: 'lore',
      name: 'The fog of Saltmere',
      keys: 'fog, mist, haze',
      entry:
        'The fog of Saltmere comes against the wind and is warm to the hand. It keeps away from lamplight and from singing. In its thickest parts people hear the voice that they miss most, asking them to come a little closer.',
      notes: '',
    },
  ],
}
