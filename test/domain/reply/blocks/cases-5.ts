import type { Reply } from './reply.ts'

const F = '```'

export const CASES_5: Reply[] = [
  {
    kind: 'a note in the story after a block left open',
    reply: `{"player.warmth": -1}

Under the cup there is a note:

${F}
Dear keeper,
no.
${F}

You fold it small & put it in your boot.`,
    prose: `Under the cup there is a note:

${F}
Dear keeper,
no.
${F}

You fold it small & put it in your boot.`,
    changes: { 'player.warmth': -1 },
  },
  {
    kind: 'a note in the story after a block left open',
    reply: `She clears a space on the table.

${F}state_delta
{"npc.ottoline.faith": 1}

She's drawn a map of the rock, with a cross:

${F}
     .--.
  __/  x \\__
${F}

“There,” she says.`,
    prose: `She clears a space on the table.

She's drawn a map of the rock, with a cross:

${F}
     .--.
  __/  x \\__
${F}

“There,” she says.`,
    changes: { 'npc.ottoline.faith': 1 },
  },
  {
    kind: 'a note in the story after a block left open',
    reply: `The wind has teeth.

{"world.sea": 1}

Scratched on the sill:

${F}text
five days
six days
${F}

There's no seven.`,
    prose: `The wind has teeth.

Scratched on the sill:

${F}text
five days
six days
${F}

There's no seven.`,
    changes: { 'world.sea': 1 },
  },
  {
    kind: 'a note in the story after a block left open',
    reply: `${F}json
{"player.lamp_oil": -2}

The label on the can says, in three languages:

~~~
NOT FOR DRINKING
PAS POUR BOIRE
NICHT TRINKEN
~~~

Someone has drunk it.`,
    prose: `The label on the can says, in three languages:

~~~
NOT FOR DRINKING
PAS POUR BOIRE
NICHT TRINKEN
~~~

Someone has drunk it.`,
    changes: { 'player.lamp_oil': -2 },
  },
  {
    kind: 'a note in the story after a block left open',
    reply: `<state_delta>{"flags.door_barred": true}</state_delta>

Pushed under the door, wet through:

${F}
LET US IN
${F}

You look at the bar. You look at Ottoline.`,
    prose: `Pushed under the door, wet through:

${F}
LET US IN
${F}

You look at the bar. You look at Ottoline.`,
    changes: { 'flags.door_barred': true },
  },
  {
    kind: 'a note in the story after a block left open',
    reply: `The broth is mostly hot water, and hot is the point.

${F}state_delta
{"player.warmth": 2}
${F}

${F}
MENU
broth (hot)
broth (cold)
${F}

The cook's little joke, chalked on the slate.`,
    prose: `The broth is mostly hot water, and hot is the point.

${F}
MENU
broth (hot)
broth (cold)
${F}

The cook's little joke, chalked on the slate.`,
    changes: { 'player.warmth': 2 },
  },
  {
    kind: 'a note in the story after a block left open',
    reply: `State delta:
{"npc.ottoline.wound": "blistered heel", "world.night": 1}

On the back of the photograph, in pencil:

${F}
O. & H., the summer before
${F}

She takes it out of your hand.`,
    prose: `On the back of the photograph, in pencil:

${F}
O. & H., the summer before
${F}

She takes it out of your hand.`,
    changes: { 'npc.ottoline.wound': 'blistered heel', 'world.night': 1 },
  },
  {
    kind: 'a note in the story after a block left open',
    reply: `{"milestones.signal_sent": true}
${F}

And the answer, letter by letter, on the tape:

${F}
HOLD ON
${F}

You hold on.`,
    prose: `And the answer, letter by letter, on the tape:

${F}
HOLD ON
${F}

You hold on.`,
    changes: { 'milestones.signal_sent': true },
  },
  {
    kind: 'a note in the story after a block left open',
    reply: `[state]{"player.coat": "canvas smock"}[/state]

It has a washing instruction sewn in:

\`do not\`

Not a word more.`,
    prose: `It has a washing instruction sewn in:

\`do not\`

Not a word more.`,
    changes: { 'player.coat': 'canvas smock' },
  },
  {
    kind: 'a note in the story after a block left open',
    reply: `You go under once.

${F}state_delta
{"player.warmth": -4,

You go under twice.

${F}
(The page is blotted here.)
${F}

You don't go under a third time.`,
    prose: `You go under once.

You go under twice.

${F}
(The page is blotted here.)
${F}

You don't go under a third time.`,
    changes: { 'player.warmth': -4 },
  },
  {
    kind: 'fences and tags that do not match',
    reply: `The pump sucks air, then sand, then air.

${F}state_delta
{"player.warmth": -1}
~~~

“Enough,” says Ottoline.`,
    prose: `The pump sucks air, then sand, then air.

“Enough,” says Ottoline.`,
    changes: { 'player.warmth': -1 },
  },
  {
    kind: 'fences and tags that do not match',
    reply: `Foam on the windows of the *second* floor.

${F}\`state_delta
{"world.sea": 2}
${F}`,
    prose: `Foam on the windows of the *second* floor.`,
    changes: { 'world.sea': 2 },
  },
  {
    kind: 'fences and tags that do not match',
    reply: `You trim, she polishes; nobody speaks till it's done.

<state_delta>
{"player.lamp_oil": -2, "npc.ottoline.faith": 1}
${F}`,
    prose: `You trim, she polishes; nobody speaks till it's done.`,
    changes: { 'player.lamp_oil': -2, 'npc.ottoline.faith': 1 },
  },
  {
    kind: 'fences and tags that do not match',
    reply: `It's shut. It'll stay shut.

${F}state_delta
{"flags.door_barred": true}
</state_delta>

Something on the other side sits down with its back against it.`,
    prose: `It's shut. It'll stay shut.

Something on the other side sits down with its back against it.`,
    changes: { 'flags.door_barred': true },
  },
  {
    kind: 'fences and tags that do not match',
    reply: `You cut a hole for your head.

~~~state_delta
{"player.coat": "deck tarpaulin"}
${F}`,
    prose: `You cut a hole for your head.`,
    changes: { 'player.coat': 'deck tarpaulin' },
  },
  {
    kind: 'fences and tags that do not match',
    reply: `"Left or right?" you ask. "The one I *use*," says the mate.

<state>{"npc.ottoline.wound": "sprained wrist", "player.warmth": 1}</state_delta>`,
    prose: `"Left or right?" you ask. "The one I *use*," says the mate.`,
    changes: { 'npc.ottoline.wound': 'sprained wrist', 'player.warmth': 1 },
  },
  {
    kind: 'fences and tags that do not match',
    reply: `The last of them kisses the rock, then you, then the rock.

[state_delta]
{"milestones.survivors_ashore": true}
</state_delta>`,
    prose: `The last of them kisses the rock, then you, then the rock.`,
    changes: { 'milestones.survivors_ashore': true },
  },
  {
    kind: 'fences and tags that do not match',
    reply: `Moonset. You've nothing to read but the tide tables, so you read the tide tables.

<state_delta>
${F}state_delta
{"world.night": 1}
${F}`,
    prose: `Moonset. You've nothing to read but the tide tables, so you read the tide tables.`,
    changes: { 'world.night': 1 },
  },
  {
    kind: 'fences and tags that do not match',
    reply: `All at once: the gust, the dark, the laugh.

${F}state_delta
{"player.warmth": -2, "flags.lamp_lit": false}
${F}\`\`

You didn't laugh. Ottoline didn't laugh.`,
    prose: `All at once: the gust, the dark, the laugh.

You didn't laugh. Ottoline didn't laugh.`,
    changes: { 'player.warmth': -2, 'flags.lamp_lit': false },
  },
  {
    kind: 'fences and tags that do not match',
    reply: `A puffin's worth of oil, rendered down. Sorry, puffin.

[state]
{"player.lamp_oil": 3}
${F}`,
    prose: `A puffin's worth of oil, rendered down. Sorry, puffin.`,
    changes: { 'player.lamp_oil': 3 },
  },
  {
    kind: 'marks of an object in its comments and texts',
    reply: `The cold gets in at the cuffs.

{
  "player.warmth": -3, // brr :}
  "world.sea": 1
}

You tie the cuffs shut with string.`,
    prose: `The cold gets in at the cuffs.

You tie the cuffs shut with string.`,
    changes: { 'player.warmth': -3, 'world.sea': 1 },
  },
  {
    kind: 'marks of an object in its comments and texts',
    reply: `She says one word about the lamp, and it isn't a polite one.

${F}state_delta
{
  "player.lamp_oil": -1, // she said "trim it
  "npc.ottoline.faith": 2
}
${F}

You trim it.`,
    prose: `She says one word about the lamp, and it isn't a polite one.

You trim it.`,
    changes: { 'player.lamp_oil': -1, 'npc.ottoline.faith': 2 },
  },
  {
    kind: 'marks of an object in its comments and texts',
    reply: `Rip.

{'player.coat': 'coat {torn'}

There goes the lining, off over the sea like a bat.`,
    prose: `Rip.

There goes the lining, off over the sea like a bat.`,
    changes: { 'player.coat': 'coat {torn' },
  },
  {
    kind: 'marks of an object in its comments and texts',
    reply: `“It has character,” says Ottoline of the coat.

{'player.coat': 'torn coat :}', 'world.sea': 1}

The next wave gives it more.`,
    prose: `“It has character,” says Ottoline of the coat.

The next wave gives it more.`,
    changes: { 'player.coat': 'torn coat :}', 'world.sea': 1 },
  },
  {
    kind: 'marks of an object in its comments and texts',
    reply: `Three inches, give or take. You've no needle that size.

{'npc.ottoline.wound': '3" gash', 'player.warmth': -1}

"Use a fish hook," she says.`,
    prose: `Three inches, give or take. You've no needle that size.

"Use a fish hook," she says.`,
    changes: { 'npc.ottoline.wound': '3" gash', 'player.warmth': -1 },
  },
  {
    kind: 'marks of an object in its comments and texts',
    reply: `It takes the two of you to lift the bar.

${F}state_delta
{
  /* {"flags.door_barred": false} */
  "flags.door_barred": true,
  "player.warmth": 1
}
${F}`,
    prose: `It takes the two of you to lift the bar.`,
    changes: { 'flags.door_barred': true, 'player.warmth': 1 },
  },
  {
    kind: 'marks of an object in its comments and texts',
    reply: `The candle is down to the saucer.

${F}state_delta
{
  "world.night": 1, # night 2 } of 5
  "player.warmth": -2
}
${F}

You light the next one from it & burn your thumb.`,
    prose: `The candle is down to the saucer.

You light the next one from it & burn your thumb.`,
    changes: { 'world.night': 1, 'player.warmth': -2 },
  },
  {
    kind: 'marks of an object in its comments and texts',
    reply: `She spits it into her palm, looks at it, and puts it in her pocket.

~~~state_delta
{"npc.ottoline.wound": "lost tooth ${F}"}
~~~`,
    prose: `She spits it into her palm, looks at it, and puts it in her pocket.`,
    changes: { 'npc.ottoline.wound': 'lost tooth ```' },
  },
  {
    kind: 'marks of an object in its comments and texts',
    reply: `All the way up with the can, and the lid off the can.

{
  "player.lamp_oil": -3 /* spilt {most of it} on the stairs */
}

The stairs will never rust, anyway.`,
    prose: `All the way up with the can, and the lid off the can.

The stairs will never rust, anyway.`,
    changes: { 'player.lamp_oil': -3 },
  },
  {
    kind: 'marks of an object in its comments and texts',
    reply: `The label's been cut out with nail scissors.

<state_delta>{"player.coat": "wool </coat>", "world.sea": -1}</state_delta>`,
    prose: `The label's been cut out with nail scissors.`,
    changes: { 'player.coat': 'wool </coat>', 'world.sea': -1 },
  },
  {
    kind: 'a longer story after a block that broke',
    reply: `You reach the top.

${F}state_delta
{"player.warmth": -1,

The gull leaves: it has {had} enough, it seems.

Nobody else can.`,
    prose: `You reach the top.

The gull leaves: it has {had} enough, it seems.

Nobody else can.`,
    changes: { 'player.warmth': -1 },
  },
  {
    kind: 'a longer story after a block that broke',
    reply: `The can slips.

${F}state_delta
{"player.lamp_oil": -1, "player.coat": "grey

On the wall somebody has painted a small fish :} and a big one.

You'd type ${F}help${F}, if there were anything to type it on.`,
    prose: `The can slips.

On the wall somebody has painted a small fish :} and a big one.

You'd type ${F}help${F}, if there were anything to type it on.`,
    changes: { 'player.lamp_oil': -1 },
  },
  {
    kind: 'a longer story after a block that broke',
    reply: `It begins as a hum.

<state_delta>
player.warmth: -2

The hum becomes a note, and the note a voice.

<state_delta>
world.sea: 1
</state_delta>`,
    prose: `It begins as a hum.

The hum becomes a note, and the note a voice.`,
    changes: { 'player.warmth': -2, 'world.sea': 1 },
  },
  {
    kind: 'a longer story after a block that broke',
    reply: `“Read it out,” says the mate.

${F}state_delta
{"npc.ottoline.faith": 2

"Dear all," you read. "By the time this finds you..."

She makes you stop there.`,
    prose: `“Read it out,” says the mate.

"Dear all," you read. "By the time this finds you..."

She makes you stop there.`,
    changes: { 'npc.ottoline.faith': 2 },
  },
  {
    kind: 'a longer story after a block that broke',
    reply: `Out.

${F}state_delta
flags.lamp_lit: false

You: Who's there?
Nobody: Nobody.

It's an old joke, and the dark doesn't laugh.`,
    prose: `Out.

You: Who's there?
Nobody: Nobody.

It's an old joke, and the dark doesn't laugh.`,
    changes: { 'flags.lamp_lit': false },
  },
  {
    kind: 'a longer story after a block that broke',
    reply: `Midnight.

${F}state_delta
{
  "world.night": 1,
  "player.war

Somebody is walking about upstairs—there is no upstairs.`,
    prose: `Midnight.

Somebody is walking about upstairs—there is no upstairs.`,
    changes: { 'world.night': 1 },
  },
  {
    kind: 'a longer story after a block that broke',
    reply: `You wring it out over the rail.

${F}json
{"player.coat": "wet fleece",

Three things you know about fleece:

1. It's warm when it's wet.
2. It's heavier when it's wet.
3. It's always wet.`,
    prose: `You wring it out over the rail.

Three things you know about fleece:

1. It's warm when it's wet.
2. It's heavier when it's wet.
3. It's always wet.`,
    changes: { 'player.coat': 'wet fleece' },
  },
  {
    kind: 'a longer story after a block that broke',
    reply: `Click. Click-click.

${F}state_delta
{"milestones.signal_sent": true,

“Again: who is this?” says the wire, in dots.

You send the name of the rock.`,
    prose: `Click. Click-click.

“Again: who is this?” says the wire, in dots.

You send the name of the rock.`,
    changes: { 'milestones.signal_sent': true },
  },
  {
    kind: 'a longer story after a block that broke',
    reply: `The block swings back.

${F}state_delta
{"npc.ottoline.wound": "split brow"


Blood in her eye, and murder in the other one.

${F}state_delta
{"npc.ottoline.wound": "split brow"}
${F}

What do you do?`,
    prose: `The block swings back.

Blood in her eye, and murder in the other one.

What do you do?`,
    changes: { 'npc.ottoline.wound': 'split brow' },
  },
  {
    kind: 'a longer story after a block that broke',
    reply: `<state>
{"player.warmth": 3,

“CUT TO: the kitchen,” says the boy, who has been to the pictures once.

You let him direct.`,
    prose: `“CUT TO: the kitchen,” says the boy, who has been to the pictures once.

You let him direct.`,
    changes: { 'player.warmth': 3 },
  },
]
