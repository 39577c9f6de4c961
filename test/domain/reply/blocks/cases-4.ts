import type { Reply } from './reply.ts'

const F = '```'

export const CASES_4: Reply[] = [
  {
    kind: 'unknown and forbidden names',
    reply: `You've a stone in your boot and no hand free to deal with it.

${F}state_delta
{"player.warmth": -2, "player.hunger": -5}
${F}`,
    prose: `You've a stone in your boot and no hand free to deal with it.`,
    changes: { 'player.warmth': -2 },
  },
  {
    kind: 'unknown and forbidden names',
    reply: `“Which of the gods of the sea is it today?” asks Ottoline.

${F}state_delta
{"world.weather": "storm", "world.sea": 1, "world.time": "night"}
${F}`,
    prose: `“Which of the gods of the sea is it today?” asks Ottoline.`,
    changes: { 'world.sea': 1 },
  },
  {
    kind: 'unknown and forbidden names',
    reply: `The gull has taken against you; the mate hasn't.

${F}state_delta
{"npc.gull.faith": -3, "npc.ottoline.faith": 2, "npc.ottoline.health": 10}
${F}`,
    prose: `The gull has taken against you; the mate hasn't.`,
    changes: { 'npc.ottoline.faith': 2 },
  },
  {
    kind: 'unknown and forbidden names',
    reply: `A door is a promise, and you keep it shut.

${F}state_delta
{"flags.door_barred": true, "flags.window_open": false, "inventory": ["rope", "knife"]}
${F}`,
    prose: `A door is a promise, and you keep it shut.`,
    changes: { 'flags.door_barred': true },
  },
  {
    kind: 'unknown and forbidden names',
    reply: `The name on the stern has been painted over, and over, and over.

${F}state_delta
{"__proto__": {"player.warmth": 30}, "player.warmth": -1}
${F}`,
    prose: `The name on the stern has been painted over, and over, and over.`,
    changes: { 'player.warmth': -1 },
  },
  {
    kind: 'unknown and forbidden names',
    reply: `One of those evenings when the lamp does the thinking for you.

${F}state_delta
{"player.constructor": 1, "player.toString": 2, "player.lamp_oil": -2, "npc.__proto__.faith": 9}
${F}`,
    prose: `One of those evenings when the lamp does the thinking for you.`,
    changes: { 'player.lamp_oil': -2 },
  },
  {
    kind: 'unknown and forbidden names',
    reply: `Count them: the cook, the boy, the boy's cat.

${F}state_delta
{"milestones.survivors_ashore": true, "milestones.treasure_found": true, "milestones.signal_sent": "done"}
${F}`,
    prose: `Count them: the cook, the boy, the boy's cat.`,
    changes: { 'milestones.survivors_ashore': true },
  },
  {
    kind: 'unknown and forbidden names',
    reply: `Nothing has happened; it has merely happened at great length.

${F}state_delta
{"location": "gallery", "mood": "tense", "hp": 12}
${F}`,
    prose: `Nothing has happened; it has merely happened at great length.`,
    changes: {},
  },
  {
    kind: 'unknown and forbidden names',
    reply: `“An apron isn't a coat.” “It is if you tie it *twice*.”

${F}state_delta
{
  "player.coat": "apron, floury",
  "player.coats": 2,
  "npc.ottoline.faith": -1,
  "npc.Captain Voss.faith": -10
}
${F}`,
    prose: `“An apron isn't a coat.” “It is if you tie it *twice*.”`,
    changes: { 'npc.ottoline.faith': -1, 'player.coat': 'apron, floury' },
  },
  {
    kind: 'unknown and forbidden names',
    reply: `The tide's out, further than you've ever seen it; there's a road down there.

${F}state_delta
{"hasOwnProperty": true, "prototype": {"warmth": 9}, "world": {"sea": -1, "depth": 4}}
${F}`,
    prose: `The tide's out, further than you've ever seen it; there's a road down there.`,
    changes: { 'world.sea': -1 },
  },
  {
    kind: 'other languages and scripts',
    reply: `雪は音もなく降り続けた。「まだ灯っている」と彼女は言った。

${F}state_delta
{"player.warmth": -3}
${F}`,
    prose: `雪は音もなく降り続けた。「まだ灯っている」と彼女は言った。`,
    changes: { 'player.warmth': -3 },
  },
  {
    kind: 'other languages and scripts',
    reply: `“把灯举高一点！”奥托琳喊道。你举起了灯——手在发抖。

${F}state_delta
{"player.coat": "防水外套", "player.lamp_oil": -1}
${F}`,
    prose: `“把灯举高一点！”奥托琳喊道。你举起了灯——手在发抖。`,
    changes: { 'player.coat': '防水外套', 'player.lamp_oil': -1 },
  },
  {
    kind: 'other languages and scripts',
    reply: `״תחזיקי״, אמרת. היא החזיקה.

${F}state_delta
{"npc.ottoline.wound": "כתף פרוקה"}
${F}`,
    prose: `״תחזיקי״, אמרת. היא החזיקה.`,
    changes: { 'npc.ottoline.wound': 'כתף פרוקה' },
  },
  {
    kind: 'other languages and scripts',
    reply: `كان البحر يطرق الباب: طرقة، ثم طرقتان. أغلقتَ الباب.

${F}json
{"world.sea": 2, "flags.door_barred": true}
${F}`,
    prose: `كان البحر يطرق الباب: طرقة، ثم طرقتان. أغلقتَ الباب.`,
    changes: { 'world.sea': 2, 'flags.door_barred': true },
  },
  {
    kind: 'other languages and scripts',
    reply: `— Терпи, — сказал ты.

— Я и терплю, — сказала Оттолина. — Это ты кричишь.

${F}state_delta
{«player.mood»: 1, "npc.ottoline.faith": 4, "npc.ottoline.wound": "вывих кисти"}
${F}`,
    prose: `— Терпи, — сказал ты.

— Я и терплю, — сказала Оттолина. — Это ты кричишь.`,
    changes: { 'npc.ottoline.faith': 4, 'npc.ottoline.wound': 'вывих кисти' },
  },
  {
    kind: 'other languages and scripts',
    reply: `Sie wirft dir beides zu. 🧥🧣 „Anziehen!“, ruft sie. „Beides!“

${F}state_delta
{"player.coat": "🧥 + 🧣"}
${F}`,
    prose: `Sie wirft dir beides zu. 🧥🧣 „Anziehen!“, ruft sie. „Beides!“`,
    changes: { 'player.coat': '🧥 + 🧣' },
  },
  {
    kind: 'other languages and scripts',
    reply: `« Ce n'est rien », dit-elle ; et c'était beaucoup.

${F}state_delta
{'npc.ottoline.wound': 'brûlée à l'épaule'}
${F}`,
    prose: `« Ce n'est rien », dit-elle ; et c'était beaucoup.`,
    changes: { 'npc.ottoline.wound': "brûlée à l'épaule" },
  },
  {
    kind: 'other languages and scripts',
    reply: `Η λάμπα σβήνει σιγά σιγά· κι εσύ μαζί της.

{"player.lamp_oil": -2, "world.night": 1}`,
    prose: `Η λάμπα σβήνει σιγά σιγά· κι εσύ μαζί της.`,
    changes: { 'player.lamp_oil': -2, 'world.night': 1 },
  },
  {
    kind: 'other languages and scripts',
    reply: `Za duży, za ciężki, za stary. „W sam raz”, mówi Ottoline.

${F}state_delta
{"player.coat": "płaszcz „po dziadku”"}
${F}`,
    prose: `Za duży, za ciężki, za stary. „W sam raz”, mówi Ottoline.`,
    changes: { 'player.coat': 'płaszcz „po dziadku”' },
  },
  {
    kind: 'other languages and scripts',
    reply: `दूर कहीं एक सीटी बजी। 👩🏽‍✈️ 🚢

~~~state_delta
{"milestones.signal_sent": true, "player.warmth": -1}
~~~

आप हँस पड़े।`,
    prose: `दूर कहीं एक सीटी बजी। 👩🏽‍✈️ 🚢

आप हँस पड़े।`,
    changes: { 'milestones.signal_sent': true, 'player.warmth': -1 },
  },
  {
    kind: 'prose that looks like markup',
    reply: `State your name, says the sign. State your business. State, if you can, why anybody would come here.

${F}state_delta
{"player.warmth": -1}
${F}`,
    prose: `State your name, says the sign. State your business. State, if you can, why anybody would come here.`,
    changes: { 'player.warmth': -1 },
  },
  {
    kind: 'prose that looks like markup',
    reply: `Delta is what they called the dog; Delta: as in the river, as in the letter.

“Delta!” you shout. <3

${F}state_delta
{"npc.ottoline.faith": 2}
${F}`,
    prose: `Delta is what they called the dog; Delta: as in the river, as in the letter.

“Delta!” you shout. <3`,
    changes: { 'npc.ottoline.faith': 2 },
  },
  {
    kind: 'prose that looks like markup',
    reply: `There's a gap in the ledger: {this} many drowned, it says, and {} many saved.

${F}state_delta
{"world.sea": 1}
${F}`,
    prose: `There's a gap in the ledger: {this} many drowned, it says, and {} many saved.`,
    changes: { 'world.sea': 1 },
  },
  {
    kind: 'prose that looks like markup',
    reply: `First you sleep.

~~~

Then you don't.

${F}
{"player.lamp_oil": -1}
${F}`,
    prose: `First you sleep.

~~~

Then you don't.`,
    changes: { 'player.lamp_oil': -1 },
  },
  {
    kind: 'prose that looks like markup',
    reply: `You type ${F}lamp off${F} and wait for something in the tower to go *clunk*.

It goes *clunk*.

${F}
{"flags.lamp_lit": false}
${F}`,
    prose: `You type ${F}lamp off${F} and wait for something in the tower to go *clunk*.

It goes *clunk*.`,
    changes: { 'flags.lamp_lit': false },
  },
  {
    kind: 'prose that looks like markup',
    reply: `With your heel you write a single word in the wet sand, as large as you can, for whoever flies over:

DELTA`,
    prose: `With your heel you write a single word in the wet sand, as large as you can, for whoever flies over:

DELTA`,
    changes: {},
  },
  {
    kind: 'prose that looks like markup',
    reply: `~~You're not cold.~~ You're cold. ~ ~ ~ Somebody puts a cup in your \`hand\`, or what you think of as \`\`your \`hand\` \`\`.

${F}state_delta
{"player.warmth": 2}
${F}`,
    prose: `~~You're not cold.~~ You're cold. ~ ~ ~ Somebody puts a cup in your \`hand\`, or what you think of as \`\`your \`hand\` \`\`.`,
    changes: { 'player.warmth': 2 },
  },
  {
    kind: 'prose that looks like markup',
    reply: `[State Archive, box 9] “Door barred at dusk.” <sic> It's in your own writing.

${F}state_delta
{"flags.door_barred": true}
${F}`,
    prose: `[State Archive, box 9] “Door barred at dusk.” <sic> It's in your own writing.`,
    changes: { 'flags.door_barred': true },
  },
  {
    kind: 'prose that looks like markup',
    reply: `**State of the light:** poor.
**State of the keeper:** see above.
*World* enough, says Ottoline, and time.

${F}state_delta
{"npc.ottoline.wound": "sunburnt neck"}
${F}`,
    prose: `**State of the light:** poor.
**State of the keeper:** see above.
*World* enough, says Ottoline, and time.`,
    changes: { 'npc.ottoline.wound': 'sunburnt neck' },
  },
  {
    kind: 'prose that looks like markup',
    reply: `* * *

#seven, you write in the log. # means night. // means nobody came.

---

${F}state_delta
{"world.night": 1}
${F}`,
    prose: `* * *

#seven, you write in the log. # means night. // means nobody came.

---`,
    changes: { 'world.night': 1 },
  },
  {
    kind: 'empty blocks',
    reply: `You sit. The sea sits with you.

${F}state_delta
{}
${F}`,
    prose: `You sit. The sea sits with you.`,
    changes: {},
  },
  {
    kind: 'empty blocks',
    reply: `“Anything?” — “Nothing.” — “Good.”

{}`,
    prose: `“Anything?” — “Nothing.” — “Good.”`,
    changes: {},
  },
  {
    kind: 'empty blocks',
    reply: `You do the crossword from the year before last & get as far as six down.

${F}json
{}
${F}`,
    prose: `You do the crossword from the year before last & get as far as six down.`,
    changes: {},
  },
  {
    kind: 'empty blocks',
    reply: `She's counting waves again.

${F}
{}
${F}`,
    prose: `She's counting waves again.`,
    changes: {},
  },
  {
    kind: 'empty blocks',
    reply: `The stove ticks.

${F}state_delta
${F}`,
    prose: `The stove ticks.`,
    changes: {},
  },
  {
    kind: 'empty blocks',
    reply: `Not a ship, not a sail, not so much as a plank.

<state_delta></state_delta>`,
    prose: `Not a ship, not a sail, not so much as a plank.`,
    changes: {},
  },
  {
    kind: 'empty blocks',
    reply: `Tea.

{}

More tea.`,
    prose: `Tea.

More tea.`,
    changes: {},
  },
  {
    kind: 'empty blocks',
    reply: `It's the sort of silence that's got a shape, like a jar.

State delta:
${F}json
{}
${F}`,
    prose: `It's the sort of silence that's got a shape, like a jar.`,
    changes: {},
  },
  {
    kind: 'empty blocks',
    reply: `~~~state_delta
{ }
~~~

You play patience with fifty-one cards. The gull has the queen.`,
    prose: `You play patience with fifty-one cards. The gull has the queen.`,
    changes: {},
  },
  {
    kind: 'empty blocks',
    reply: `“He's drawn {} on the wall,” she says, “all the way up the stairs.”

${F}state_delta
{ "player": {}, "world": {} }
${F}`,
    prose: `“He's drawn {} on the wall,” she says, “all the way up the stairs.”`,
    changes: {},
  },
  {
    kind: 'explanation after the block',
    reply: `The spray freezes as it lands.

${F}state_delta
{"player.warmth": -3}
${F}

Note: the spray costs you three points of warmth.`,
    prose: `The spray freezes as it lands.

Note: the spray costs you three points of warmth.`,
    changes: { 'player.warmth': -3 },
  },
  {
    kind: 'explanation after the block',
    reply: `You refill the lamp with your eyes shut, out of pure vanity.

${F}state_delta
{"player.lamp_oil": -2}
(The lamp burns two measures a night.)
${F}`,
    prose: `You refill the lamp with your eyes shut, out of pure vanity.

(The lamp burns two measures a night.)`,
    changes: { 'player.lamp_oil': -2 },
  },
  {
    kind: 'explanation after the block',
    reply: `She almost smiles.

{"npc.ottoline.faith": 1, "world.sea": 1}

Ottoline's faith rises because you were honest.`,
    prose: `She almost smiles.

Ottoline's faith rises because you were honest.`,
    changes: { 'npc.ottoline.faith': 1, 'world.sea': 1 },
  },
  {
    kind: 'explanation after the block',
    reply: `Thud.

${F}state_delta
{"flags.door_barred": true} // the door is now barred
${F}`,
    prose: `Thud.`,
    changes: { 'flags.door_barred': true },
  },
  {
    kind: 'explanation after the block',
    reply: `It stinks of whale, and is, accordingly, yours for the asking.

${F}state_delta
{"player.coat": "whaler's smock"}
${F}

I hope you enjoy the story! Let me know what you'd like to do next. 😊`,
    prose: `It stinks of whale, and is, accordingly, yours for the asking.

I hope you enjoy the story! Let me know what you'd like to do next. 😊`,
    changes: { 'player.coat': "whaler's smock" },
  },
  {
    kind: 'explanation after the block',
    reply: `The hands meet at the top of the dial and part again.

${F}json
{"world.night": 1}
${F}

**What do you do?**

- *Sleep*, if you can.
- *Watch*, if you can't.`,
    prose: `The hands meet at the top of the dial and part again.

**What do you do?**

- *Sleep*, if you can.
- *Watch*, if you can't.`,
    changes: { 'world.night': 1 },
  },
  {
    kind: 'explanation after the block',
    reply: `Signal sent, says the log; by whom, it doesn't say.

${F}state_delta
{
  "milestones.signal_sent": true,
  "player.lamp_oil": -5
}
/* five measures for
   one long flash */
${F}`,
    prose: `Signal sent, says the log; by whom, it doesn't say.`,
    changes: { 'milestones.signal_sent': true, 'player.lamp_oil': -5 },
  },
  {
    kind: 'explanation after the block',
    reply: `“Ow,” says the mate, with dignity.

${F}state_delta
{"npc.ottoline.wound": "split thumbnail"}
# no other changes this turn
${F}`,
    prose: `“Ow,” says the mate, with dignity.`,
    changes: { 'npc.ottoline.wound': 'split thumbnail' },
  },
  {
    kind: 'explanation after the block',
    reply: `Your breath makes a second, smaller fog.

<state>{"player.warmth": -2}</state> And so to bed, in all your clothes.`,
    prose: `Your breath makes a second, smaller fog.

And so to bed, in all your clothes.`,
    changes: { 'player.warmth': -2 },
  },
  {
    kind: 'explanation after the block',
    reply: `Calm.

${F}state_delta
{"world.sea": -2, "player.warmth": 1}

Explanation: the sea falls, and the player warms up a little.
${F}`,
    prose: `Calm.

Explanation: the sea falls, and the player warms up a little.`,
    changes: { 'world.sea': -2, 'player.warmth': 1 },
  },
  {
    kind: 'brackets too many or around it all',
    reply: `A hole in the roof, a star in the hole.

${F}state_delta
{"player.warmth": -3}}
${F}`,
    prose: `A hole in the roof, a star in the hole.`,
    changes: { 'player.warmth': -3 },
  },
  {
    kind: 'brackets too many or around it all',
    reply: `You turn the valve the wrong way, then the right way.

${F}state_delta
{{"player.lamp_oil": -1}}
${F}`,
    prose: `You turn the valve the wrong way, then the right way.`,
    changes: { 'player.lamp_oil': -1 },
  },
  {
    kind: 'brackets too many or around it all',
    reply: `Somewhere to the west the bottom of the sea gets up and stretches.

${F}json
[{"world.sea": 2}]
${F}`,
    prose: `Somewhere to the west the bottom of the sea gets up and stretches.`,
    changes: { 'world.sea': 2 },
  },
  {
    kind: 'brackets too many or around it all',
    reply: `Barred, bolted & blessed; Ottoline insisted on the last one.

${F}state_delta
[{"flags.door_barred": true}, {"npc.ottoline.faith": 1}]
${F}`,
    prose: `Barred, bolted & blessed; Ottoline insisted on the last one.`,
    changes: { 'flags.door_barred': true, 'npc.ottoline.faith': 1 },
  },
  {
    kind: 'brackets too many or around it all',
    reply: `You run up the stairs in your shirt, three at a time.

${F}state_delta
{"player": {"warmth": -4, "coat": "shirt only"}}}}
${F}`,
    prose: `You run up the stairs in your shirt, three at a time.`,
    changes: { 'player.warmth': -4, 'player.coat': 'shirt only' },
  },
  {
    kind: 'brackets too many or around it all',
    reply: `“Later,” you say. It's the wrong word.

{"npc.ottoline.faith": -2}}`,
    prose: `“Later,” you say. It's the wrong word.`,
    changes: { 'npc.ottoline.faith': -2 },
  },
  {
    kind: 'brackets too many or around it all',
    reply: `Two cans: one full, one full of sand.

[{"player.lamp_oil": -2}]`,
    prose: `Two cans: one full, one full of sand.`,
    changes: { 'player.lamp_oil': -2 },
  },
  {
    kind: 'brackets too many or around it all',
    reply: `They ring the bell for the dead watch, which is yours.

${F}state_delta
{"world": {"night": 1}
${F}`,
    prose: `They ring the bell for the dead watch, which is yours.`,
    changes: { 'world.night': 1 },
  },
  {
    kind: 'brackets too many or around it all',
    reply: `She bit through it, she says, not to shout.

${F}state_delta
{"npcs": {"ottoline": {"wound": "cut lip"}, "player.warmth": -1}
{"player.warmth": -1}
${F}`,
    prose: `She bit through it, she says, not to shout.`,
    changes: { 'npc.ottoline.wound': 'cut lip', 'player.warmth': -1 },
  },
  {
    kind: 'brackets too many or around it all',
    reply: `A blanket each, and one over.

${F}state_delta
({"milestones.survivors_ashore": true})
${F}`,
    prose: `A blanket each, and one over.`,
    changes: { 'milestones.survivors_ashore': true },
  },
  {
    kind: 'line ends of another system',
    reply: `You go down to the landing.\r
\r
It isn't there.\r
\r
${F}state_delta\r
{"player.warmth": -3}\r
${F}`,
    prose: `You go down to the landing.\r
\r
It isn't there.`,
    changes: { 'player.warmth': -3 },
  },
  {
    kind: 'line ends of another system',
    reply: `“Again,” says the mate.\r
\r
${F}json\r
{\r
  "player.lamp_oil": -1,\r
  "world.sea": 1\r
}\r
${F}\r
\r
Again.`,
    prose: `“Again,” says the mate.

Again.`,
    changes: { 'player.lamp_oil': -1, 'world.sea': 1 },
  },
  {
    kind: 'line ends of another system',
    reply: `Flannel! The word alone is worth a degree.\r
\r
${F}state_delta\r
{\r
  "player.coat": "dry flannel"\r
  "flags.door_barred": true\r
}\r
${F}`,
    prose: `Flannel! The word alone is worth a degree.`,
    changes: { 'player.coat': 'dry flannel', 'flags.door_barred': true },
  },
  {
    kind: 'line ends of another system',
    reply: `She throws; you catch.\r
\r
${F}state_delta\r
npc.ottoline.faith: +2\r
player.warmth: -2 (wet rope)\r
${F}`,
    prose: `She throws; you catch.`,
    changes: { 'npc.ottoline.faith': 2, 'player.warmth': -2 },
  },
  {
    kind: 'line ends of another system',
    reply: `{"world.night": 1}\r
\r
The gull has gone. You find you mind.`,
    prose: `The gull has gone. You find you mind.`,
    changes: { 'world.night': 1 },
  },
  {
    kind: 'line ends of another system',
    reply: `The form is in triplicate:\r
\r
${F}\r
NAME OF LIGHT: ........\r
STATE OF LIGHT: .......\r
${F}\r
\r
You fill it in, and then you light the rocket.\r
\r
**State delta:**\r
\r
${F}state_delta\r
{"milestones.signal_sent": true}\r
${F}`,
    prose: `The form is in triplicate:\r
\r
${F}\r
NAME OF LIGHT: ........\r
STATE OF LIGHT: .......\r
${F}\r
\r
You fill it in, and then you light the rocket.`,
    changes: { 'milestones.signal_sent': true },
  },
  {
    kind: 'line ends of another system',
    reply: `Your laces have frozen into little black wands.\r
\r
${F}state_delta\r
{\r
  "player.warmth": -1, // laces\r
  "player.coat": "stiff with`,
    prose: `Your laces have frozen into little black wands.`,
    changes: { 'player.warmth': -1 },
  },
  {
    kind: 'line ends of another system',
    reply: `‘Don't rub it,’ you say, far too late.\r
\r
{\r
  "npc.ottoline.wound": "tar in one eye"\r
}`,
    prose: `‘Don't rub it,’ you say, far too late.`,
    changes: { 'npc.ottoline.wound': 'tar in one eye' },
  },
  {
    kind: 'line ends of another system',
    reply: `Nothing to report.\r
\r
{}\r
\r
(You report it anyway.)`,
    prose: `Nothing to report.

(You report it anyway.)`,
    changes: {},
  },
  {
    kind: 'line ends of another system',
    reply: `The wick drops into the well with a hiss.\r
\r
${F}state_delta\r
{"flags.lamp_lit": false, "player.lamp_oil": -4}\r
\r
You swear in two languages and strike a match in a third.`,
    prose: `The wick drops into the well with a hiss.

You swear in two languages and strike a match in a third.`,
    changes: { 'flags.lamp_lit': false, 'player.lamp_oil': -4 },
  },
]
