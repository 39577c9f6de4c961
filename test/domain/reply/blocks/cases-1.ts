import type { Reply } from './reply.ts'

const F = '```'

export const CASES_1: Reply[] = [
  {
    kind: 'bare object without a fence',
    reply: `The rope burns through your mittens and the boat drops a yard before it holds. Below, someone swears in Danish.

{"player.warmth": -3}`,
    prose: `The rope burns through your mittens and the boat drops a yard before it holds. Below, someone swears in Danish.`,
    changes: { 'player.warmth': -3 },
  },
  {
    kind: 'bare object without a fence',
    reply: `“You came,” Ottoline says. She doesn't smile, but she lets go of the railing.

The next wave takes the railing.

{
  "player.warmth": -5,
  "world.sea": 2
}`,
    prose: `“You came,” Ottoline says. She doesn't smile, but she lets go of the railing.

The next wave takes the railing.`,
    changes: { 'player.warmth': -5, 'world.sea': 2 },
  },
  {
    kind: 'bare object without a fence',
    reply: `You wedge the oar through both iron loops. Whatever is knocking stops to think about it.
{"flags.door_barred": true}`,
    prose: `You wedge the oar through both iron loops. Whatever is knocking stops to think about it.`,
    changes: { 'flags.door_barred': true },
  },
  {
    kind: 'bare object without a fence',
    reply: `*Drip.* *Drip.* The oil runs slower now, and she counts with you, under her breath, like a child who is learning to.

{ "player.lamp_oil": -1.5, "npc.ottoline.faith": 4 }`,
    prose: `*Drip.* *Drip.* The oil runs slower now, and she counts with you, under her breath, like a child who is learning to.`,
    changes: { 'player.lamp_oil': -1.5, 'npc.ottoline.faith': 4 },
  },
  {
    kind: 'bare object without a fence',
    reply: `Red, white, red. Out past the skerries a pinprick answers: white, red, white.

'They've seen us,' you say. Nobody believes you yet.

{"milestones.signal_sent": true,
"player.lamp_oil": -6}`,
    prose: `Red, white, red. Out past the skerries a pinprick answers: white, red, white.

'They've seen us,' you say. Nobody believes you yet.`,
    changes: { 'milestones.signal_sent': true, 'player.lamp_oil': -6 },
  },
  {
    kind: 'bare object without a fence',
    reply: `There is nothing left of the coat but buttons. You pull the sailcloth round your shoulders—stiff as a door, but dry.

{"player.coat":"sailcloth cloak"}`,
    prose: `There is nothing left of the coat but buttons. You pull the sailcloth round your shoulders—stiff as a door, but dry.`,
    changes: { 'player.coat': 'sailcloth cloak' },
  },
  {
    kind: 'bare object without a fence',
    reply: `Dawn never comes; the dark only changes its coat. Second night.

{"world.night":1}`,
    prose: `Dawn never comes; the dark only changes its coat. Second night.`,
    changes: { 'world.night': 1 },
  },
  {
    kind: 'bare object without a fence',
    reply: `Your elbow catches her across the mouth. It was an accident. It was *mostly* an accident. {"npc.ottoline.wound":"split lip","npc.ottoline.faith":-7}`,
    prose: `Your elbow catches her across the mouth. It was an accident. It was *mostly* an accident.`,
    changes: { 'npc.ottoline.wound': 'split lip', 'npc.ottoline.faith': -7 },
  },
  {
    kind: 'bare object without a fence',
    reply: `What do you do?

1. Go down to the boats.
2. Stay by the stove.
3. Ask the gull.

{"player.warmth": 6}`,
    prose: `What do you do?

1. Go down to the boats.
2. Stay by the stove.
3. Ask the gull.`,
    changes: { 'player.warmth': 6 },
  },
  {
    kind: 'bare object without a fence',
    reply: `The pane bursts inward. Glass, salt, dark—in that order.

{"flags.lamp_lit": false, "world.sea": 3, "player.warmth": -2}`,
    prose: `The pane bursts inward. Glass, salt, dark—in that order.`,
    changes: { 'flags.lamp_lit': false, 'world.sea': 3, 'player.warmth': -2 },
  },
  {
    kind: 'fence labelled as something else',
    reply: `Snow on the gallery, ankle deep. You sweep it with the flat of the shovel and it comes back laughing.

${F}json
{"player.warmth": -4}
${F}`,
    prose: `Snow on the gallery, ankle deep. You sweep it with the flat of the shovel and it comes back laughing.`,
    changes: { 'player.warmth': -4 },
  },
  {
    kind: 'fence labelled as something else',
    reply: `"Hold the light higher," says Ottoline. You do.

${F}JSON
{
  "npc.ottoline.faith": 3,
  "player.lamp_oil": -2
}
${F}`,
    prose: `"Hold the light higher," says Ottoline. You do.`,
    changes: { 'npc.ottoline.faith': 3, 'player.lamp_oil': -2 },
  },
  {
    kind: 'fence labelled as something else',
    reply: `By the turn of the tide, the swell has gone flat and oily. Even the bell-buoy is quiet.

${F}
{"world.sea": -2}
${F}`,
    prose: `By the turn of the tide, the swell has gone flat and oily. Even the bell-buoy is quiet.`,
    changes: { 'world.sea': -2 },
  },
  {
    kind: 'fence labelled as something else',
    reply: `She takes it off without a word and holds it out, and when you don't move she puts it on you herself, one sleeve at a time.

${F}javascript
{"player.coat": "the mate's pea jacket"}
${F}`,
    prose: `She takes it off without a word and holds it out, and when you don't move she puts it on you herself, one sleeve at a time.`,
    changes: { 'player.coat': "the mate's pea jacket" },
  },
  {
    kind: 'fence labelled as something else',
    reply: `Bar down. Bolt across. Chair under the handle, for luck.

${F}js
{ "flags.door_barred": true, "player.warmth": 1 }
${F}`,
    prose: `Bar down. Bolt across. Chair under the handle, for luck.`,
    changes: { 'flags.door_barred': true, 'player.warmth': 1 },
  },
  {
    kind: 'fence labelled as something else',
    reply: `Behind the coal there's a can nobody wrote down in the ledger. You shake it: half full!

${F}yaml
{"player.lamp_oil": 9}
${F}`,
    prose: `Behind the coal there's a can nobody wrote down in the ledger. You shake it: half full!`,
    changes: { 'player.lamp_oil': 9 },
  },
  {
    kind: 'fence labelled as something else',
    reply: `Eleven came up the ladder. You count them twice because the mate asks you to.

“Eleven,” you say.

“Eleven,” she says, and sits down on the wet stone.

${F}text
{"milestones.survivors_ashore": true, "npc.ottoline.faith": 10}
${F}`,
    prose: `Eleven came up the ladder. You count them twice because the mate asks you to.

“Eleven,” you say.

“Eleven,” she says, and sits down on the wet stone.`,
    changes: { 'milestones.survivors_ashore': true, 'npc.ottoline.faith': 10 },
  },
  {
    kind: 'fence labelled as something else',
    reply: `Somewhere a clock you don't own strikes twelve.

${F}json
{"world": {"night": 1, "sea": 1}}
${F}`,
    prose: `Somewhere a clock you don't own strikes twelve.`,
    changes: { 'world.night': 1, 'world.sea': 1 },
  },
  {
    kind: 'fence labelled as something else',
    reply: `Her boot is full of ice. It takes you both to get it off, and then you wish you hadn't.

${F}json5
{"player.warmth": -8, "npc.ottoline.wound": "frostbitten toes"}
${F}`,
    prose: `Her boot is full of ice. It takes you both to get it off, and then you wish you hadn't.`,
    changes: { 'player.warmth': -8, 'npc.ottoline.wound': 'frostbitten toes' },
  },
  {
    kind: 'fence labelled as something else',
    reply: `Pfft. No drama: the wick just drowns.

${F}txt
{"flags.lamp_lit": false}
${F}`,
    prose: `Pfft. No drama: the wick just drowns.`,
    changes: { 'flags.lamp_lit': false },
  },
  {
    kind: 'tildes and other lengths of fence',
    reply: `“Tell me again about the harbour,” she says, so you do, and you leave out the part with the fire.

~~~state_delta
{"player.warmth": -1}
~~~`,
    prose: `“Tell me again about the harbour,” she says, so you do, and you leave out the part with the fire.`,
    changes: { 'player.warmth': -1 },
  },
  {
    kind: 'tildes and other lengths of fence',
    reply: `The wind goes round to the north-east and the rock begins to hum.

${F}\`state_delta
{"player.lamp_oil": -3, "world.sea": 1}
${F}\``,
    prose: `The wind goes round to the north-east and the rock begins to hum.`,
    changes: { 'player.lamp_oil': -3, 'world.sea': 1 },
  },
  {
    kind: 'tildes and other lengths of fence',
    reply: `Three knocks. A pause. Three knocks. You have read enough stories: you bar the door.

~~~~
{"flags.door_barred": true}
~~~~`,
    prose: `Three knocks. A pause. Three knocks. You have read enough stories: you bar the door.`,
    changes: { 'flags.door_barred': true },
  },
  {
    kind: 'tildes and other lengths of fence',
    reply: `"You lit it late," says the mate. That's all. It's enough.

${F}\`\`json
{"npc.ottoline.faith": -6}
${F}\`\``,
    prose: `"You lit it late," says the mate. That's all. It's enough.`,
    changes: { 'npc.ottoline.faith': -6 },
  },
  {
    kind: 'tildes and other lengths of fence',
    reply: `An oilskin made for a man twice your size; you tie it shut with a length of halyard.

~~~json
{"player.coat": "oilskin and rope belt"}
~~~`,
    prose: `An oilskin made for a man twice your size; you tie it shut with a length of halyard.`,
    changes: { 'player.coat': 'oilskin and rope belt' },
  },
  {
    kind: 'tildes and other lengths of fence',
    reply: `Night again, sooner than is decent.

${F} state_delta
{"world.night": 1, "player.warmth": -6}
${F}`,
    prose: `Night again, sooner than is decent.`,
    changes: { 'world.night': 1, 'player.warmth': -6 },
  },
  {
    kind: 'tildes and other lengths of fence',
    reply: `The rocket goes up crooked, but it goes up. ✨

~~~~~state
{"milestones.signal_sent": true}
~~~~~`,
    prose: `The rocket goes up crooked, but it goes up. ✨`,
    changes: { 'milestones.signal_sent': true },
  },
  {
    kind: 'tildes and other lengths of fence',
    reply: `Clean linen, hot water, a knot she ties with her teeth because she won't let you do it.

${F}state_delta {"player.warmth": 2, "npc.ottoline.wound": "bandaged wrist"}${F}`,
    prose: `Clean linen, hot water, a knot she ties with her teeth because she won't let you do it.`,
    changes: { 'player.warmth': 2, 'npc.ottoline.wound': 'bandaged wrist' },
  },
  {
    kind: 'tildes and other lengths of fence',
    reply: `The last of it gutters. You hadn't known how loud the lamp was until it stopped.

${F}state_delta{"flags.lamp_lit": false, "player.lamp_oil": -18}
${F}`,
    prose: `The last of it gutters. You hadn't known how loud the lamp was until it stopped.`,
    changes: { 'flags.lamp_lit': false, 'player.lamp_oil': -18 },
  },
  {
    kind: 'tildes and other lengths of fence',
    reply: `Flat calm. A gull walks across the landing stage like a landlord.

${F}STATE_DELTA
{"world.sea": -3}${F}`,
    prose: `Flat calm. A gull walks across the landing stage like a landlord.`,
    changes: { 'world.sea': -3 },
  },
  {
    kind: 'closing fence missing',
    reply: `You wait for the third wave, because the third wave is always the worst, and then you run.

${F}state_delta
{"player.warmth": -2}`,
    prose: `You wait for the third wave, because the third wave is always the worst, and then you run.`,
    changes: { 'player.warmth': -2 },
  },
  {
    kind: 'closing fence missing',
    reply: `“Why do you keep it?” she asks. “The light, I mean.”

You say the true thing for once: *because somebody left it burning for me.*

${F}state_delta
{
  "npc.ottoline.faith": 5,
  "player.lamp_oil": -4
}`,
    prose: `“Why do you keep it?” she asks. “The light, I mean.”

You say the true thing for once: *because somebody left it burning for me.*`,
    changes: { 'npc.ottoline.faith': 5, 'player.lamp_oil': -4 },
  },
  {
    kind: 'closing fence missing',
    reply: `The barometer has given up pretending.

${F}json
{"world.sea": 2}
`,
    prose: `The barometer has given up pretending.`,
    changes: { 'world.sea': 2 },
  },
  {
    kind: 'closing fence missing',
    reply: `Door barred, stove lit, kettle on. In that order, as your aunt taught you.

~~~state_delta
{"flags.door_barred": true,
 "player.warmth": 3}`,
    prose: `Door barred, stove lit, kettle on. In that order, as your aunt taught you.`,
    changes: { 'flags.door_barred': true, 'player.warmth': 3 },
  },
  {
    kind: 'closing fence missing',
    reply: `The trunk smells of camphor and other people's winters.

${F}state
{"player.coat": "moth-eaten fur"}

What do you do now?`,
    prose: `The trunk smells of camphor and other people's winters.

What do you do now?`,
    changes: { 'player.coat': 'moth-eaten fur' },
  },
  {
    kind: 'closing fence missing',
    reply: `The last one is a boy of nine with a cat in his shirt. Both of them are furious.

${F}state_delta
{"milestones.survivors_ashore": true}

The cat bites you. Welcome to the Rock.`,
    prose: `The last one is a boy of nine with a cat in his shirt. Both of them are furious.

The cat bites you. Welcome to the Rock.`,
    changes: { 'milestones.survivors_ashore': true },
  },
  {
    kind: 'closing fence missing',
    reply: `Barnacles open her arm from wrist to elbow—white first, then red.

${F}state_delta
{"player.warmth": -7, "npc.ottoline.wound": "gashed forearm"}
\`\``,
    prose: `Barnacles open her arm from wrist to elbow—white first, then red.`,
    changes: { 'player.warmth': -7, 'npc.ottoline.wound': 'gashed forearm' },
  },
  {
    kind: 'closing fence missing',
    reply: `You sleep like a stone and wake like one, too.

${F}state_delta
{"world.night": 1}
\``,
    prose: `You sleep like a stone and wake like one, too.`,
    changes: { 'world.night': 1 },
  },
  {
    kind: 'closing fence missing',
    reply: `“Save it,” says Ottoline. “Nobody's out there.” So you turn down the wick till it dies.

${F}
{"player.lamp_oil": -5, "flags.lamp_lit": false}`,
    prose: `“Save it,” says Ottoline. “Nobody's out there.” So you turn down the wick till it dies.`,
    changes: { 'player.lamp_oil': -5, 'flags.lamp_lit': false },
  },
  {
    kind: 'closing fence missing',
    reply: `She looks at the map, then at you, then at the map. ${F}state_delta {"npc.ottoline.faith": -2}`,
    prose: `She looks at the map, then at you, then at the map.`,
    changes: { 'npc.ottoline.faith': -2 },
  },
  {
    kind: 'opening fence missing',
    reply: `The stairs are slick; you go down them on your backside, with dignity.

{"player.warmth": -3}
${F}`,
    prose: `The stairs are slick; you go down them on your backside, with dignity.`,
    changes: { 'player.warmth': -3 },
  },
  {
    kind: 'opening fence missing',
    reply: `Fog. Not the kind you see through; the kind that sees through you.

{
  "world.sea": 1,
  "player.lamp_oil": -2
}
${F}`,
    prose: `Fog. Not the kind you see through; the kind that sees through you.`,
    changes: { 'world.sea': 1, 'player.lamp_oil': -2 },
  },
  {
    kind: 'opening fence missing',
    reply: `“That,” says the mate, “was the stupidest thing I ever saw a clever person do.” She's grinning.

{"npc.ottoline.faith": 7}${F}`,
    prose: `“That,” says the mate, “was the stupidest thing I ever saw a clever person do.” She's grinning.`,
    changes: { 'npc.ottoline.faith': 7 },
  },
  {
    kind: 'opening fence missing',
    reply: `Iron on iron. The hinge complains, the bar doesn't.

state_delta
{"flags.door_barred": true}
${F}`,
    prose: `Iron on iron. The hinge complains, the bar doesn't.`,
    changes: { 'flags.door_barred': true },
  },
  {
    kind: 'opening fence missing',
    reply: `It isn't a coat. It is, however, warm.

{"player.coat": "two blankets, pinned"}
~~~`,
    prose: `It isn't a coat. It is, however, warm.`,
    changes: { 'player.coat': 'two blankets, pinned' },
  },
  {
    kind: 'opening fence missing',
    reply: `You burn the lot: oil, rags, the ledger, the chair.

Far out, a horn.

state_delta
{"milestones.signal_sent": true, "player.lamp_oil": -8}
${F}`,
    prose: `You burn the lot: oil, rags, the ledger, the chair.

Far out, a horn.`,
    changes: { 'milestones.signal_sent': true, 'player.lamp_oil': -8 },
  },
  {
    kind: 'opening fence missing',
    reply: `Soup! Real soup, with a potato in it.

{"player.warmth": 4}
${F}

The gull wants some.`,
    prose: `Soup! Real soup, with a potato in it.

The gull wants some.`,
    changes: { 'player.warmth': 4 },
  },
  {
    kind: 'opening fence missing',
    reply: `When the candle's done you sit on in the dark, and the dark sits on you.

State_delta:
{"world.night": 1, "flags.lamp_lit": false}
${F}`,
    prose: `When the candle's done you sit on in the dark, and the dark sits on you.`,
    changes: { 'world.night': 1, 'flags.lamp_lit': false },
  },
  {
    kind: 'opening fence missing',
    reply: `"Don't," she says when you reach for her side. "Don't make me laugh, either."

{"npc.ottoline.wound": "cracked rib"}
${F}\``,
    prose: `"Don't," she says when you reach for her side. "Don't make me laugh, either."`,
    changes: { 'npc.ottoline.wound': 'cracked rib' },
  },
  {
    kind: 'opening fence missing',
    reply: `Everything that isn't tied down leaves. Then some of what is.

{"player": {"warmth": -6}, "world": {"sea": 3}}
${F}`,
    prose: `Everything that isn't tied down leaves. Then some of what is.`,
    changes: { 'player.warmth': -6, 'world.sea': 3 },
  },
  {
    kind: 'cut off in a text',
    reply: `You find the jacket under the chart table, and a mouse inside the jacket.

${F}state_delta
{"player.warmth": -2, "player.coat": "a jacket with a mou`,
    prose: `You find the jacket under the chart table, and a mouse inside the jacket.`,
    changes: { 'player.warmth': -2 },
  },
  {
    kind: 'cut off in a text',
    reply: `"Hold still," you tell her; she doesn't.

${F}state_delta
{"npc.ottoline.wound": "a long cut across the`,
    prose: `"Hold still," you tell her; she doesn't.`,
    changes: {},
  },
  {
    kind: 'cut off in a text',
    reply: `The window goes first, then the shutters. You bar what's left.

${F}state_delta
{
  "world.sea": 2,
  "flags.door_barred": true,
  "player.coat": "oilsk`,
    prose: `The window goes first, then the shutters. You bar what's left.`,
    changes: { 'world.sea': 2, 'flags.door_barred': true },
  },
  {
    kind: 'cut off in a text',
    reply: `“You're a terrible nurse,” Ottoline says, and falls asleep on your arm.

${F}json
{"npc.ottoline.faith": 6, "npc.ottoline.wound": "dressed, clean, and`,
    prose: `“You're a terrible nurse,” Ottoline says, and falls asleep on your arm.`,
    changes: { 'npc.ottoline.faith': 6 },
  },
  {
    kind: 'cut off in a text',
    reply: `Tick, tick, tick goes the cooling glass.

{"player.lamp_oil": -2, "player.coat": "grey wool with`,
    prose: `Tick, tick, tick goes the cooling glass.`,
    changes: { 'player.lamp_oil': -2 },
  },
  {
    kind: 'cut off in a text',
    reply: `The driftwood burns green, and blue, and a colour you have no name for.

${F}state_delta
{'player.warmth': 5, 'player.coat': 'singed at the`,
    prose: `The driftwood burns green, and blue, and a colour you have no name for.`,
    changes: { 'player.warmth': 5 },
  },
  {
    kind: 'cut off in a text',
    reply: `Three guns, a minute apart. It's the right answer to the right question.

<state_delta>
{"milestones.signal_sent": true, "npc.ottoline.wound": "none that you can`,
    prose: `Three guns, a minute apart. It's the right answer to the right question.`,
    changes: { 'milestones.signal_sent': true },
  },
  {
    kind: 'cut off in a text',
    reply: `Another night. You carve it into the doorpost next to hers.

${F}state_delta
{"world.night": 1, "npc.ottoline.wound": "sprained knee", "player.coat": "`,
    prose: `Another night. You carve it into the doorpost next to hers.`,
    changes: { 'world.night': 1, 'npc.ottoline.wound': 'sprained knee' },
  },
  {
    kind: 'cut off in a text',
    reply: `Sie sagt nichts. Du auch nicht. Das Meer redet für beide.

~~~state_delta
{"flags.lamp_lit": false, "player.coat": "Ölzeug, viel zu`,
    prose: `Sie sagt nichts. Du auch nicht. Das Meer redet für beide.`,
    changes: { 'flags.lamp_lit': false },
  },
  {
    kind: 'cut off in a text',
    reply: `“Coat,” she says, and points. You hand over the coat.

${F}state_delta
{“player.warmth”: -1, “npc.ottoline.faith”: 1, “player.coat”: “none, given to Otto`,
    prose: `“Coat,” she says, and points. You hand over the coat.`,
    changes: { 'player.warmth': -1, 'npc.ottoline.faith': 1 },
  },
  {
    kind: 'cut off in a number or a key',
    reply: `Hail, the size of musket balls, on a tin roof. Conversation ends.

${F}state_delta
{"player.warmth": -4, "player.lamp_oil": -1`,
    prose: `Hail, the size of musket balls, on a tin roof. Conversation ends.`,
    changes: { 'player.warmth': -4 },
  },
  {
    kind: 'cut off in a number or a key',
    reply: `You strike the last match on your belt buckle.

${F}state_delta
{"player.lamp_oil": -`,
    prose: `You strike the last match on your belt buckle.`,
    changes: {},
  },
  {
    kind: 'cut off in a number or a key',
    reply: `“How long?” asks the mate. “An hour,” you say. “Maybe less—”

${F}state_delta
{
  "world.sea": 1,
  "npc.ottoline.fai`,
    prose: `“How long?” asks the mate. “An hour,” you say. “Maybe less—”`,
    changes: { 'world.sea': 1 },
  },
  {
    kind: 'cut off in a number or a key',
    reply: `She checks your bar on the door & nods. High praise.

${F}state_delta
{"npc.ottoline.faith": 2, "flags.door_barred": true, "player.warmth"`,
    prose: `She checks your bar on the door & nods. High praise.`,
    changes: { 'npc.ottoline.faith': 2, 'flags.door_barred': true },
  },
  {
    kind: 'cut off in a number or a key',
    reply: `A thin blue flame, no taller than your thumb.

${F}state_delta
{"player.lamp_oil": -3, "world.night":`,
    prose: `A thin blue flame, no taller than your thumb.`,
    changes: { 'player.lamp_oil': -3 },
  },
  {
    kind: 'cut off in a number or a key',
    reply: `It is the kind of cold that has an opinion about you.

${F}state_delta
{"player.war`,
    prose: `It is the kind of cold that has an opinion about you.`,
    changes: {},
  },
  {
    kind: 'cut off in a number or a key',
    reply: `Le vent tourne, et avec lui la chance.

${F}state_delta
{"player.warmth": -1,`,
    prose: `Le vent tourne, et avec lui la chance.`,
    changes: { 'player.warmth': -1 },
  },
  {
    kind: 'cut off in a number or a key',
    reply: `You eat the candle ends. They're better than the biscuit.

${F}json
{"player.warmth": 3, "flags.lamp_lit": fal`,
    prose: `You eat the candle ends. They're better than the biscuit.`,
    changes: { 'player.warmth': 3 },
  },
  {
    kind: 'cut off in a number or a key',
    reply: `The tide lets go of the steps one by one: nine, ten, eleven.

{"world.sea": -2, "milestones.survivors_ashore": tru`,
    prose: `The tide lets go of the steps one by one: nine, ten, eleven.`,
    changes: { 'world.sea': -2 },
  },
  {
    kind: 'cut off in a number or a key',
    reply: `Ottoline laughs for the first time since the wreck—a short, rusty bark.

${F}state_delta
{"npc.ottoline.faith": 1`,
    prose: `Ottoline laughs for the first time since the wreck—a short, rusty bark.`,
    changes: {},
  },
  {
    kind: 'single and curly quotes',
    reply: `The ladder's third rung isn't there anymore.

${F}state_delta
{'player.warmth': -3}
${F}`,
    prose: `The ladder's third rung isn't there anymore.`,
    changes: { 'player.warmth': -3 },
  },
  {
    kind: 'single and curly quotes',
    reply: `“Your sleeve,” she says. “It's still on the hook.” So it is.

${F}state_delta
{'player.coat': 'tarred coat, one sleeve', 'npc.ottoline.faith': 2}
${F}`,
    prose: `“Your sleeve,” she says. “It's still on the hook.” So it is.`,
    changes: { 'player.coat': 'tarred coat, one sleeve', 'npc.ottoline.faith': 2 },
  },
  {
    kind: 'single and curly quotes',
    reply: `You can taste the storm: pennies & pepper.

${F}state_delta
{“world.sea”: 2, “player.lamp_oil”: -1}
${F}`,
    prose: `You can taste the storm: pennies & pepper.`,
    changes: { 'world.sea': 2, 'player.lamp_oil': -1 },
  },
  {
    kind: 'single and curly quotes',
    reply: `She wouldn't let go of the line. You can read the whole line in her hands now, strand by strand.

${F}state_delta
{“npc.ottoline.wound”: “rope burns, both palms”}
${F}`,
    prose: `She wouldn't let go of the line. You can read the whole line in her hands now, strand by strand.`,
    changes: { 'npc.ottoline.wound': 'rope burns, both palms' },
  },
  {
    kind: 'single and curly quotes',
    reply: `Bolted. "Now we wait," you say, to nobody, who agrees.

${F}state_delta
{‘flags.door_barred’: true, ‘player.warmth’: 2}
${F}`,
    prose: `Bolted. "Now we wait," you say, to nobody, who agrees.`,
    changes: { 'flags.door_barred': true, 'player.warmth': 2 },
  },
  {
    kind: 'single and curly quotes',
    reply: `It has someone's name inked in the collar, and it isn't yours.

${F}state_delta
{'player.coat': "bosun's jacket"}
${F}`,
    prose: `It has someone's name inked in the collar, and it isn't yours.`,
    changes: { 'player.coat': "bosun's jacket" },
  },
  {
    kind: 'single and curly quotes',
    reply: `They sit in a row along the wall, steaming like horses.

${F}state_delta
{\`milestones.survivors_ashore\`: true}
${F}`,
    prose: `They sit in a row along the wall, steaming like horses.`,
    changes: { 'milestones.survivors_ashore': true },
  },
  {
    kind: 'single and curly quotes',
    reply: `In the locker: a can, a cap, a coat with eleven brass buttons.

${F}state_delta
{"player.lamp_oil": 5, 'player.coat': “keeper's uniform”}
${F}`,
    prose: `In the locker: a can, a cap, a coat with eleven brass buttons.`,
    changes: { 'player.lamp_oil': 5, 'player.coat': "keeper's uniform" },
  },
  {
    kind: 'single and curly quotes',
    reply: `'Twas the mate's watch, and she slept through it; 'twas your fault, apparently.

${F}state_delta
{‘npc.ottoline.faith’: -3,
 'world.night': 1}
${F}`,
    prose: `'Twas the mate's watch, and she slept through it; 'twas your fault, apparently.`,
    changes: { 'npc.ottoline.faith': -3, 'world.night': 1 },
  },
  {
    kind: 'single and curly quotes',
    reply: `She moves like someone carrying a tray of full glasses.

${F}state_delta
{'npc.ottoline.wound': 'bruised, won't say where'}
${F}`,
    prose: `She moves like someone carrying a tray of full glasses.`,
    changes: { 'npc.ottoline.wound': "bruised, won't say where" },
  },
  {
    kind: 'words of another language for true and false',
    reply: `You turn the key, then take it out, then look at it for a while.

${F}state_delta
{"flags.door_barred": True}
${F}`,
    prose: `You turn the key, then take it out, then look at it for a while.`,
    changes: { 'flags.door_barred': true },
  },
  {
    kind: 'words of another language for true and false',
    reply: `Black as the inside of a cow, as the mate puts it.

${F}state_delta
{"flags.lamp_lit": False, "player.warmth": -2}
${F}`,
    prose: `Black as the inside of a cow, as the mate puts it.`,
    changes: { 'flags.lamp_lit': false, 'player.warmth': -2 },
  },
  {
    kind: 'words of another language for true and false',
    reply: `Dit-dit-dit, dah-dah-dah, dit-dit-dit, until your wrist gives out.

${F}state_delta
{'milestones.signal_sent': True}
${F}`,
    prose: `Dit-dit-dit, dah-dah-dah, dit-dit-dit, until your wrist gives out.`,
    changes: { 'milestones.signal_sent': true },
  },
  {
    kind: 'words of another language for true and false',
    reply: `A thimble of rum; it goes down like a lit fuse.

${F}state_delta
{"player.warmth": 1, "player.coat": None}
${F}`,
    prose: `A thimble of rum; it goes down like a lit fuse.`,
    changes: { 'player.warmth': 1 },
  },
  {
    kind: 'words of another language for true and false',
    reply: `It hits the door once, with the flat of a hand—or the flat of something.

${F}json
{"world.sea": 1, "flags.door_barred": TRUE, "player.lamp_oil": null}
${F}`,
    prose: `It hits the door once, with the flat of a hand—or the flat of something.`,
    changes: { 'world.sea': 1, 'flags.door_barred': true },
  },
  {
    kind: 'words of another language for true and false',
    reply: `No light, no noise, door shut. If it wants you it'll have to guess.

${F}state_delta
{"flags.door_barred": "true", "flags.lamp_lit": "false"}
${F}`,
    prose: `No light, no noise, door shut. If it wants you it'll have to guess.`,
    changes: { 'flags.door_barred': true, 'flags.lamp_lit': false },
  },
  {
    kind: 'words of another language for true and false',
    reply: `"Every one," Ottoline says. "You brought up every one."

{'milestones.survivors_ashore': True, 'npc.ottoline.faith': 8}`,
    prose: `"Every one," Ottoline says. "You brought up every one."`,
    changes: { 'milestones.survivors_ashore': true, 'npc.ottoline.faith': 8 },
  },
  {
    kind: 'words of another language for true and false',
    reply: `“Is it sent?” — “No. Wet powder.”

${F}state_delta
{"milestones.signal_sent": false, "npc.ottoline.faith": 1}
${F}`,
    prose: `“Is it sent?” — “No. Wet powder.”`,
    changes: { 'npc.ottoline.faith': 1 },
  },
  {
    kind: 'words of another language for true and false',
    reply: `The gull tilts its one eye at the flame, unimpressed.

${F}state_delta
{"flags.door_barred": 1, "flags.lamp_lit": 0, "player.lamp_oil": -2}
${F}`,
    prose: `The gull tilts its one eye at the flame, unimpressed.`,
    changes: { 'player.lamp_oil': -2 },
  },
  {
    kind: 'words of another language for true and false',
    reply: `Somewhere between two and three you stop being afraid and start being bored.

${F}state_delta
{"flags.lamp_lit": True, "world.night": 1, "milestones.survivors_ashore": "true"}
${F}`,
    prose: `Somewhere between two and three you stop being afraid and start being bored.`,
    changes: { 'world.night': 1 },
  },
  {
    kind: 'comments in the object',
    reply: `Wet socks. There is no poetry in wet socks.

${F}state_delta
{
  "player.warmth": -3 // wet socks
}
${F}`,
    prose: `Wet socks. There is no poetry in wet socks.`,
    changes: { 'player.warmth': -3 },
  },
  {
    kind: 'comments in the object',
    reply: `The swell comes in long and slow, like something breathing.

${F}state_delta
{
  // the storm grows
  "world.sea": 2,
  // one hour of light
  "player.lamp_oil": -1
}
${F}`,
    prose: `The swell comes in long and slow, like something breathing.`,
    changes: { 'world.sea': 2, 'player.lamp_oil': -1 },
  },
  {
    kind: 'comments in the object',
    reply: `“Thanks,” she says, as if the word had cost her something.

${F}state_delta
{
  "npc.ottoline.faith": 4, # she is grateful
}
${F}`,
    prose: `“Thanks,” she says, as if the word had cost her something.`,
    changes: { 'npc.ottoline.faith': 4 },
  },
  {
    kind: 'comments in the object',
    reply: `You put your shoulder to it. It puts its shoulder to you.

${F}state_delta
/* what changed in this scene */
{"flags.door_barred": true, "player.warmth": -1}
${F}`,
    prose: `You put your shoulder to it. It puts its shoulder to you.`,
    changes: { 'flags.door_barred': true, 'player.warmth': -1 },
  },
  {
    kind: 'comments in the object',
    reply: `Needle, thread, tar. Your stitches would make a sailmaker weep.

${F}state_delta
{"player.coat": "patched oilskin" /* was torn */}
${F}`,
    prose: `Needle, thread, tar. Your stitches would make a sailmaker weep.`,
    changes: { 'player.coat': 'patched oilskin' },
  },
  {
    kind: 'comments in the object',
    reply: `By the second bell, she's talking to people who aren't here.

${F}state_delta
# Night falls
{
  "world.night": 1,
  "npc.ottoline.wound": "fevered, leg swollen" # infection
}
${F}`,
    prose: `By the second bell, she's talking to people who aren't here.`,
    changes: { 'world.night': 1, 'npc.ottoline.wound': 'fevered, leg swollen' },
  },
  {
    kind: 'comments in the object',
    reply: `The flare hangs there, hissing, and for eight seconds it's noon.

${F}state_delta
{
  "milestones.signal_sent": true,  // the flare, at last!
  // "player.lamp_oil": -5
}
${F}`,
    prose: `The flare hangs there, hissing, and for eight seconds it's noon.`,
    changes: { 'milestones.signal_sent': true },
  },
  {
    kind: 'comments in the object',
    reply: `You warm your hands at the lamp, which the regulations forbid (§ 14).

${F}state_delta
{"player.warmth": 5, // hands: warm, feet: not
"player.lamp_oil": -2}
${F}`,
    prose: `You warm your hands at the lamp, which the regulations forbid (§ 14).`,
    changes: { 'player.warmth': 5, 'player.lamp_oil': -2 },
  },
  {
    kind: 'comments in the object',
    reply: `"You let it go out." She says it twice. The second time is worse.

${F}state_delta
{
  "npc.ottoline.faith": -5, // "You let it go out."
  "flags.lamp_lit": false
}
// end of changes
${F}`,
    prose: `"You let it go out." She says it twice. The second time is worse.`,
    changes: { 'npc.ottoline.faith': -5, 'flags.lamp_lit': false },
  },
  {
    kind: 'comments in the object',
    reply: `A lull; you can hear the weed pop and the limpets shuffle.

${F}state_delta
{
  "world.sea": -1, /* calmer,
     but not for long */
}
${F}`,
    prose: `A lull; you can hear the weed pop and the limpets shuffle.`,
    changes: { 'world.sea': -1 },
  },
]
