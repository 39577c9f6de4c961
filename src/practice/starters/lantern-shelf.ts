import type { StarterScenario } from '../../domain/scenario.ts'

/** A warm, quiet mystery without stats. */
export const LANTERN_SHELF: StarterScenario = {
  title: 'The Lantern Shelf',
  description:
    'A quiet mystery in a second-hand bookshop. Your great-aunt has gone travelling and left you the keys, the cat, and a shelf where books appear that nobody brought. Good for a rainy evening; no numbers, no hurry.',
  icon: '📚',
  tags: 'mystery, cosy, bookshop, no stats',
  prompt: `The last customer has gone, and you turn the sign on the door of Thistle & Page from OPEN to CLOSED. Rain runs down the window in long, unhurried lines. Behind you the shop smells of paper, lamp oil and a little of cat.

It is your sixth day as keeper. Great-Aunt Odile left on Monday with one suitcase and a page of instructions: feed Marmalade, wind the clock, and never dust the lantern shelf. She did not say why.

You see why now. On the narrow shelf under the brass lantern, where this morning there were eleven books, there are twelve. The new one is bound in green cloth, and it is still damp, as though somebody had carried it here through the rain. There is no title on the spine. A strip of blue ribbon marks a page near the end.

Upstairs, the cat jumps down from something, and the floor creaks twice: once for the cat, and once more.`,
  greetings: [],
  memory: `You look after Thistle & Page, a second-hand bookshop on Harrow Steps in the old town of Wending, while your great-aunt Odile Fenn is away. You live in two rooms above the shop.
Books appear on the lantern shelf at dusk. Each was once lost by somebody in Wending, and each holds one true thing about its owner that the owner has forgotten. When a book is given back, the lantern burns a little brighter.
Nobody means any harm here. The mystery is who brings the books, and why Odile left so suddenly.`,
  authors_note:
    'Warm, unhurried and a little funny. Small clues, kind people, weather at the window. Wonder rather than fear.',
  ai_instructions: `Tell the story in the second person and the present tense, in short passages with one or two concrete details: a smell, a sound, a thing on a counter.
Let every scene offer something to find, somebody to talk to, or a question left open. Give clues fairly and let the player put them together; do not solve the mystery for them.
Keep it gentle. There are no villains and no fights. Troubles are misunderstandings, old quarrels and things left unsaid.
Do not speak, act or decide for the player.`,
  example_dialogue: '',
  stat_schema: null,
  story_cards: [
    {
      type: 'place',
      name: 'The lantern shelf',
      keys: 'shelf, lantern, green book, ribbon',
      entry:
        "The lantern shelf hangs under a brass ship's lantern that is never lit by hand, yet glows faintly at dusk. Books that Wending has lost come back to it, one at a time, always a little damp. A blue ribbon marks the page that matters. If a book stays longer than a week, the lantern grows dim.",
      notes: 'Let the player find out the rule about the week from a dimming light before anyone says it.',
    },
    {
      type: 'character',
      name: 'Marmalade',
      keys: 'Marmalade, cat',
      entry:
        'Marmalade is a broad ginger cat of about fourteen who belongs to the shop rather than to anyone in it. He sits beside whichever book matters next and looks offended until somebody notices. He is afraid of nothing but umbrellas.',
      notes: '',
    },
    {
      type: 'character',
      name: 'Great-Aunt Odile',
      keys: 'Odile, great-aunt, aunt, instructions',
      entry:
        'Odile Fenn has kept Thistle & Page for forty-one years. She is brisk, generous and bad at goodbyes. She writes postcards without a return address, and each postmark is a day older than it should be, as if she were travelling backwards along a road she once took.',
      notes:
        "She is following the journey that her sister, the player's grandmother, never told anyone about.",
    },
    {
      type: 'character',
      name: 'Mr. Abernathy',
      keys: 'Abernathy, postman, postcard',
      entry:
        'Tobias Abernathy is the postman of the old town, soft-spoken and exactly on time. He knows every letterbox in Wending and takes tea in the shop on Thursdays. Since spring he has been finding wet footprints on his round that begin at the canal and end at the shop.',
      notes: '',
    },
    {
      type: 'place',
      name: 'The canal at Wending',
      keys: 'canal, footprints, boat, water',
      entry:
        'The old canal runs under Harrow Steps through a low brick arch. A blue narrowboat called the Second Chance is moored there, with curtains drawn and a kettle always warm, and no one has ever met its owner. Book covers hang on its washing line to dry.',
      notes: "The owner is the town's first librarian, a courteous ghost called Linnet Shaw.",
    },
    {
      type: 'thing',
      name: 'The ledger of returns',
      keys: 'ledger, drawer, counter, clock',
      entry:
        "In the drawer beneath the long-case clock lies a ledger in Odile's hand. It lists every book the shelf has sent, to whom it went back, and one line on what they remembered. The last entry is the day before she left, and the name beside it is her own.",
      notes: '',
    },
  ],
}
