import type { StarterScenario } from '../../domain/scenario.ts'

/** Every kind of stat: numbers with bands, caps and cooldowns, counters, texts, characters, flags and milestones. */
export const NINE_BELLS: StarterScenario = {
  title: 'The City of Nine Bells',
  description:
    "A clockwork city is running down, and you are the apprentice who must wind it before the ninth bell. Explore, bargain, mend and decide whom to trust. Shows what stats can do: your own, the city's and those of the people around you, with goals to reach.",
  icon: '🔔',
  tags: 'fantasy, clockwork, city, full stats, characters',
  prompt: `The first bell of Carillon falls silent a little after breakfast.

You are on your knees under the Market Dial with a spanner in your teeth when it happens. For a moment nobody in the square understands what is missing. Then the fountains slow. The tramcars sigh to a halt. Ten thousand shutters, which ought to be folding themselves open, stay shut.

"\${Your name}!" Master Quillon comes down the ladder from the Dial faster than you have ever seen him move. The old clockmaker is holding \${A keepsake (such as a silver whistle)}, which you left on his bench, and he presses it into your hand like a tool. "Listen. There are nine bells, and each one winds the next. When the ninth goes quiet, Carillon stops for good. I am too old for the stairs. You are not."

Above the rooftops eight towers shine in the sun. In the shadow of the nearest one a girl in a grey courier's coat has stopped to watch you. She is smiling, and she is holding the key to the first tower.`,
  greetings: [],
  memory: `\${Your name} is apprentice to Master Quillon, clockmaker of Carillon, a city on a hill that is driven by one great clockwork. \${Your name} carries \${A keepsake (such as a silver whistle)} and always has.
Nine bell towers wind one another in a ring. Someone has stopped the first bell, and the others will follow one by one. To set a tower going again takes three things: its key, a part that is missing from it, and somebody to ring it by hand.
Brisa the courier has the first key. Chancellor Vane wants the bells silent for a reason that is not wicked: the clockwork has been drawing its power from something that sleeps under the hill, and it is waking in pain.
Your part of the city, where people know you, is \${The quarter where you grew up}.`,
  authors_note:
    'Brisk, bright and inventive: brass, pigeons, rooftops, stairs. Every gain costs a little something. Let Brisa and Vane want things of their own.',
  ai_instructions: `Tell the story in the second person and the present tense, in vivid, economical prose. Call the player \${Your name} only in speech.
Each passage moves one thing forward and ends on a choice or a question. Problems can be solved by mending, talking, climbing or cleverness; violence is rare and never bloody.
Keep the stats honest. Change only what the passage has shown, by small amounts, and never for something that the player merely says. Trust changes when people are helped, lied to or listened to. Let low stamina and high alarm be felt in the telling.
Characters speak for themselves and remember what was done to them. Do not speak, act or decide for the player.`,
  example_dialogue: '',
  stat_schema: {
    world: {
      bells_silent: {
        type: 'counter',
        initial: 1,
        min: 0,
        max: 9,
        max_delta_per_turn: 1,
        cooldown: 6,
        desc: 'How many bells have fallen silent so far. Add 1 when another one stops; never for a bell that is set going again.',
      },
      tension: {
        initial: 35,
        min: 0,
        max: 100,
        max_delta_per_turn: 15,
        cooldown: 2,
        desc: 'Tension of the great mainspring. Positive when a tower is wound, negative as the city runs down.',
        bands: [
          [0, 10, 'slack'],
          [10, 40, 'running down'],
          [40, 75, 'holding'],
          [75, 100, 'fully wound'],
        ],
      },
      alarm: {
        initial: 10,
        min: 0,
        max: 100,
        max_delta_per_turn: 20,
        desc: "How closely the Chancellor's wardens are looking for the apprentice. Positive when seen or reported, negative while lying low.",
        bands: [
          [0, 25, 'unnoticed'],
          [25, 60, 'watched'],
          [60, 90, 'hunted'],
          [90, 100, 'cornered'],
        ],
      },
      hour: {
        type: 'text',
        initial: 'mid-morning',
        max_length: 30,
        desc: 'The time of day in a word or two. Replace it as the day goes on.',
      },
    },
    player: {
      stamina: {
        initial: 20,
        min: 0,
        max: 20,
        max_delta_per_turn: 5,
        desc: 'Strength for stairs and narrow ledges. Negative for effort, positive for rest and food. At 0 the apprentice must rest.',
        bands: [
          [0, 1, 'spent'],
          [1, 7, 'weary'],
          [7, 14, 'sound'],
          [14, 20, 'fresh'],
        ],
      },
      craft: {
        initial: 3,
        min: 0,
        max: 10,
        max_delta_per_turn: 1,
        cooldown: 4,
        desc: 'Skill with clockwork. Add 1 when something difficult has been mended or understood.',
        bands: [
          [0, 4, 'apprentice'],
          [4, 8, 'journeyman'],
          [8, 10, 'master'],
        ],
      },
      towers_wound: {
        type: 'counter',
        initial: 0,
        min: 0,
        max: 9,
        max_delta_per_turn: 1,
        desc: 'Towers that the apprentice has set going again. Add 1 when a silent bell rings.',
      },
      carrying: {
        type: 'text',
        initial: 'a spanner and a stub of chalk',
        max_length: 80,
        desc: "The useful things in the apprentice's pockets, besides the keepsake. Replace the whole list when it changes.",
      },
    },
    npcs: {
      brisa: {
        name: 'Brisa Tallow',
        keys: 'Brisa, courier, girl in grey, grey coat',
        desc: 'Courier of the rooftops, sixteen, quick and proud. She stole the first key to sell it and has begun to doubt the buyer. She jokes when she is frightened.',
        stats: {
          trust: {
            initial: 0,
            min: -50,
            max: 50,
            max_delta_per_turn: 10,
            cooldown: 2,
            desc: 'What Brisa thinks of the apprentice. Positive for fair dealing, negative for lies and orders.',
            bands: [
              [-50, -15, 'hostile'],
              [-15, 15, 'wary'],
              [15, 35, 'friendly'],
              [35, 50, 'loyal'],
            ],
          },
          mood: {
            type: 'text',
            initial: 'amused',
            max_length: 24,
            desc: "Brisa's mood in a word or two.",
          },
        },
      },
      vane: {
        name: 'Chancellor Vane',
        keys: 'Vane, Chancellor',
        desc: 'Oriel Vane, who governs Carillon: courteous, sleepless, and sure that silence is a mercy. She hears the sleeper under the hill every night and has told no one.',
        stats: {
          resolve: {
            initial: 80,
            min: 0,
            max: 100,
            max_delta_per_turn: 10,
            cooldown: 3,
            desc: 'How firmly Vane means to silence the bells. Negative when she is given another way, positive when she is threatened.',
            bands: [
              [0, 20, 'persuaded'],
              [20, 60, 'wavering'],
              [60, 100, 'unbending'],
            ],
          },
          warnings: {
            type: 'counter',
            initial: 0,
            min: 0,
            max: 3,
            max_delta_per_turn: 1,
            desc: 'Warnings that Vane has given to the apprentice. Add 1 each time; she gives three and no more.',
          },
        },
      },
    },
    flags: {
      has_first_key: { initial: false, desc: 'The apprentice holds the key to the first tower.' },
      in_hiding: { initial: false, desc: 'The apprentice is out of sight of the wardens at this moment.' },
      trams_running: { initial: false, desc: 'The tramcars of Carillon are moving again.' },
    },
    milestones: {
      first_bell: { desc: 'Set the first bell ringing again' },
      truth_below: { desc: 'Learn what sleeps under the hill' },
      brisa_sworn: { desc: 'Win Brisa over for good' },
      ninth_hour: { desc: 'Decide what becomes of Carillon before the ninth bell' },
    },
  },
  story_cards: [
    {
      type: 'character',
      name: 'Master Quillon',
      keys: 'Quillon, clockmaker, master',
      entry:
        'Master Quillon has kept the Market Dial for fifty years and can tell any wheel in Carillon by its sound. He is fond of ${Your name} and shows it by complaining. He built the lock on the ninth tower when he was young and has never said what it keeps in.',
      notes: 'He knows about the sleeper. He will tell if he is asked kindly and without witnesses.',
    },
    {
      type: 'thing',
      name: 'The keepsake',
      keys: '${A keepsake (such as a silver whistle)}, keepsake',
      entry:
        'The keepsake, ${A keepsake (such as a silver whistle)}, is older than it looks. Held close to any part of the great clockwork, it grows warm, and the nearest wheels turn a little towards it. Master Quillon gave it back too quickly to have not noticed.',
      notes: 'It was made from the same metal as the ninth bell.',
    },
    {
      type: 'place',
      name: 'Home quarter',
      keys: '${The quarter where you grew up}, home, neighbours',
      entry:
        "In ${The quarter where you grew up} everybody knows ${Your name}. A door will open there for one night, no questions asked, and somebody's grandmother will insist on soup. The wardens know this as well, and they come looking there second.",
      notes: '',
    },
    {
      type: 'place',
      name: 'The nine towers',
      keys: 'tower, towers, bell, bells',
      entry:
        'The nine bell towers stand in a ring on the hill: Market, Mint, Weavers, Gull, Lantern, Orchard, Scholars, Warden and Old Tom. Each has a hundred and eight steps, a lock of its own and one part that somebody has carefully removed. Only eight can be seen from the square.',
      notes: 'Old Tom, the ninth, stands upside down inside the hill.',
    },
    {
      type: 'lore',
      name: 'The wardens',
      keys: 'warden, wardens, patrol, whistle',
      entry:
        'The wardens of Carillon wear blue capes and felt boots and carry whistles instead of swords. They are neighbours with a duty rather than enemies, and they can be talked to, fed or embarrassed. A second whistle means that they have seen you; a third means that the gates are closing.',
      notes: '',
    },
    {
      type: 'lore',
      name: 'The sleeper under the hill',
      keys: 'sleeper, under the hill, humming, tremor, deep',
      entry:
        'Something vast and gentle sleeps under Carillon, and the clockwork turns by its heartbeat. Each bell that rings is a tug at its dreams. It hums a low note when it is close to waking, and children in the lower streets can hum it back.',
      notes: 'The best ending lets it wake slowly and lets the city learn to turn by water and wind.',
    },
    {
      type: 'scene',
      name: 'The wardens close in',
      keys: '',
      entry:
        'Now, in this passage: a second whistle sounds close by, and blue capes come around both ends of the street at once. There is one way out that only somebody from the quarter would know, and it does not stay open for long.',
      notes: '',
      timing: { when: [{ kind: 'stat', of: 'world.alarm', is: 'at least', value: 50 }], how: { once: true } },
    },
  ],
}
