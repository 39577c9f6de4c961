import type { Reply } from './reply.ts'

const F = '```'

export const CASES_2: Reply[] = [
  {
    kind: 'commas too many or too few',
    reply: `You lash yourself to the rail with the good rope, and the rail to the rock with the bad one.

${F}state_delta
{
  "player.warmth": -3,
  "world.sea": 1,
}
${F}`,
    prose: `You lash yourself to the rail with the good rope, and the rail to the rock with the bad one.`,
    changes: { 'player.warmth': -3, 'world.sea': 1 },
  },
  {
    kind: 'commas too many or too few',
    reply: `“One can left,” you say. “One and a bit,” says Ottoline, who likes to be exact.

${F}state_delta
{
  "player.lamp_oil": -2
  "npc.ottoline.faith": 3
}
${F}`,
    prose: `“One can left,” you say. “One and a bit,” says Ottoline, who likes to be exact.`,
    changes: { 'player.lamp_oil': -2, 'npc.ottoline.faith': 3 },
  },
  {
    kind: 'commas too many or too few',
    reply: `Inside. Barred. Dripping.

${F}state_delta
{
  "flags.door_barred": true
  "player.coat": "wet canvas coat"
}
${F}`,
    prose: `Inside. Barred. Dripping.`,
    changes: { 'flags.door_barred': true, 'player.coat': 'wet canvas coat' },
  },
  {
    kind: 'commas too many or too few',
    reply: `The kettle has been on since four o'clock; by now it's mostly opinions.

${F}state_delta
{"player.warmth": 2,,}
${F}`,
    prose: `The kettle has been on since four o'clock; by now it's mostly opinions.`,
    changes: { 'player.warmth': 2 },
  },
  {
    kind: 'commas too many or too few',
    reply: `Darkness at eight. Darkness at nine. You stop asking.

${F}state_delta
{,"world.night": 1, "flags.lamp_lit": false}
${F}`,
    prose: `Darkness at eight. Darkness at nine. You stop asking.`,
    changes: { 'world.night': 1, 'flags.lamp_lit': false },
  },
  {
    kind: 'commas too many or too few',
    reply: `She tests the ankle, hisses, tests it again. There's a certain kind of person who has to know.

${F}state_delta
{
  "npc.ottoline.wound": "swollen ankle"
  "npc.ottoline.faith": -1,
  "player.warmth": -2
}
${F}`,
    prose: `She tests the ankle, hisses, tests it again. There's a certain kind of person who has to know.`,
    changes: { 'npc.ottoline.wound': 'swollen ankle', 'npc.ottoline.faith': -1, 'player.warmth': -2 },
  },
  {
    kind: 'commas too many or too few',
    reply: `And up it goes—the last one, the one you'd promised not to use.

{"milestones.signal_sent": true,
"player.lamp_oil": -7,}`,
    prose: `And up it goes—the last one, the one you'd promised not to use.`,
    changes: { 'milestones.signal_sent': true, 'player.lamp_oil': -7 },
  },
  {
    kind: 'commas too many or too few',
    reply: `*Mild,* says the log, in your own hand. *Almost kind.*

${F}state_delta
{
  "world.sea": -1
  ,"player.warmth": 4
  ,
}
${F}`,
    prose: `*Mild,* says the log, in your own hand. *Almost kind.*`,
    changes: { 'world.sea': -1, 'player.warmth': 4 },
  },
  {
    kind: 'commas too many or too few',
    reply: `They answered! They answered, and they came.

${F}state_delta
{"milestones": ["signal_sent", "survivors_ashore",],}
${F}`,
    prose: `They answered! They answered, and they came.`,
    changes: { 'milestones.signal_sent': true, 'milestones.survivors_ashore': true },
  },
  {
    kind: 'commas too many or too few',
    reply: `A gentleman's coat off a gentleman's back; he won't be needing either.

${F}json
{
  "player.coat": "tweed, much too fine"
  "player.lamp_oil": 1
}
${F}`,
    prose: `A gentleman's coat off a gentleman's back; he won't be needing either.`,
    changes: { 'player.coat': 'tweed, much too fine', 'player.lamp_oil': 1 },
  },
  {
    kind: 'keys without quotes',
    reply: `Sleet. You'd forgotten sleet.

${F}state_delta
{player.warmth: -5}
${F}`,
    prose: `Sleet. You'd forgotten sleet.`,
    changes: { 'player.warmth': -5 },
  },
  {
    kind: 'keys without quotes',
    reply: `You give her the dry half of the blanket and keep the half with the hole, which is to say: you keep the hole.

${F}state_delta
{ player.warmth: -1, npc.ottoline.faith": +2 }
${F}`,
    prose: `You give her the dry half of the blanket and keep the half with the hole, which is to say: you keep the hole.`,
    changes: { 'player.warmth': -1, 'npc.ottoline.faith': 2 },
  },
  {
    kind: 'keys without quotes',
    reply: `The first sea over the gallery takes the flower pots. (Who keeps flower pots on a lighthouse?)

{
  world.sea: 3,
  flags.door_barred": true
}`,
    prose: `The first sea over the gallery takes the flower pots. (Who keeps flower pots on a lighthouse?)`,
    changes: { 'world.sea': 3, 'flags.door_barred': true },
  },
  {
    kind: 'keys without quotes',
    reply: `Yellow as an egg. You'll be seen, anyway.

${F}state_delta
{player.coat: "yellow sou'wester"}
${F}`,
    prose: `Yellow as an egg. You'll be seen, anyway.`,
    changes: { 'player.coat': "yellow sou'wester" },
  },
  {
    kind: 'keys without quotes',
    reply: `Long, short, long, short. You've no idea whether it's the code for fire or for pilot wanted.

${F}json
{player.lamp_oil: -2, milestones.signal_sent: true}
${F}`,
    prose: `Long, short, long, short. You've no idea whether it's the code for fire or for pilot wanted.`,
    changes: { 'player.lamp_oil': -2, 'milestones.signal_sent': true },
  },
  {
    kind: 'keys without quotes',
    reply: `"It was *boiling*," the mate says, and then several other words.

${F}state_delta
{npc.ottoline.wound: 'scalded hand', npc.ottoline.faith: -4}
${F}`,
    prose: `"It was *boiling*," the mate says, and then several other words.`,
    changes: { 'npc.ottoline.wound': 'scalded hand', 'npc.ottoline.faith': -4 },
  },
  {
    kind: 'keys without quotes',
    reply: `You turn the page in the log. The next one is blank, like all the next ones.

{world: {night: 1}}`,
    prose: `You turn the page in the log. The next one is blank, like all the next ones.`,
    changes: { 'world.night': 1 },
  },
  {
    kind: 'keys without quotes',
    reply: `Brandy in the tea. Tea in the brandy. Nobody is keeping count, except the gull.

${F}js
{player: {warmth: 7, lamp_oil: -1}}
${F}`,
    prose: `Brandy in the tea. Tea in the brandy. Nobody is keeping count, except the gull.`,
    changes: { 'player.warmth': 7, 'player.lamp_oil': -1 },
  },
  {
    kind: 'keys without quotes',
    reply: `¿Y ahora? Ahora nada. Ahora la noche.

~~~state
{flags.lamp_lit: false}
~~~`,
    prose: `¿Y ahora? Ahora nada. Ahora la noche.`,
    changes: { 'flags.lamp_lit': false },
  },
  {
    kind: 'keys without quotes',
    reply: `Nineteen pairs of boots in a row by the stove. Thirty-eight, if you count like Ottoline.

${F}state_delta
{npc: {ottoline: {faith: 5}}, milestones: {survivors_ashore: true}}
${F}`,
    prose: `Nineteen pairs of boots in a row by the stove. Thirty-eight, if you count like Ottoline.`,
    changes: { 'npc.ottoline.faith': 5, 'milestones.survivors_ashore': true },
  },
  {
    kind: 'nested sections',
    reply: `The hatch is frozen shut; you breathe on the lock until it forgives you.

${F}state_delta
{"player": {"warmth": -5}}
${F}`,
    prose: `The hatch is frozen shut; you breathe on the lock until it forgives you.`,
    changes: { 'player.warmth': -5 },
  },
  {
    kind: 'nested sections',
    reply: `Two flights, then a landing, then the sound of the sea where no sea ought to be.

${F}state_delta
{
  "player": {"warmth": -2, "lamp_oil": -1},
  "world": {"sea": 1}
}
${F}`,
    prose: `Two flights, then a landing, then the sound of the sea where no sea ought to be.`,
    changes: { 'player.warmth': -2, 'player.lamp_oil': -1, 'world.sea': 1 },
  },
  {
    kind: 'nested sections',
    reply: `“I had a brother with a lamp like this,” says the mate.

${F}state_delta
{"npcs": {"ottoline": {"faith": 3}}}
${F}`,
    prose: `“I had a brother with a lamp like this,” says the mate.`,
    changes: { 'npc.ottoline.faith': 3 },
  },
  {
    kind: 'nested sections',
    reply: `You didn't mean to let go of the winch handle; the winch handle did.

${F}state_delta
{"npcs": {"ottoline": {"stats": {"faith": -8, "wound": "black eye"}}}}
${F}`,
    prose: `You didn't mean to let go of the winch handle; the winch handle did.`,
    changes: { 'npc.ottoline.faith': -8, 'npc.ottoline.wound': 'black eye' },
  },
  {
    kind: 'nested sections',
    reply: `Someone is out there. Someone *large*.

${F}state_delta
{"flags": {"door_barred": true, "lamp_lit": false}}
${F}`,
    prose: `Someone is out there. Someone *large*.`,
    changes: { 'flags.door_barred': true, 'flags.lamp_lit': false },
  },
  {
    kind: 'nested sections',
    reply: `At midnight exactly the cutter burns a blue light. It's over, or it's begun.

${F}state_delta
{"milestones": {"signal_sent": true}, "world": {"night": 1}}
${F}`,
    prose: `At midnight exactly the cutter burns a blue light. It's over, or it's begun.`,
    changes: { 'milestones.signal_sent': true, 'world.night': 1 },
  },
  {
    kind: 'nested sections',
    reply: `It's got a whistle in the pocket. You blow it; she laughs; the gull doesn't.

{
  "player": {
    "coat": "reefer jacket"
  },
  "npc": {
    "ottoline": {
      "faith": 1
    }
  }
}`,
    prose: `It's got a whistle in the pocket. You blow it; she laughs; the gull doesn't.`,
    changes: { 'player.coat': 'reefer jacket', 'npc.ottoline.faith': 1 },
  },
  {
    kind: 'nested sections',
    reply: `Water on the ground floor. Water on the stairs. You bar the upper door and stuff your scarf under it.

${F}json
{"player": {"warmth": -6}, "flags.door_barred": true}
${F}`,
    prose: `Water on the ground floor. Water on the stairs. You bar the upper door and stuff your scarf under it.`,
    changes: { 'player.warmth': -6, 'flags.door_barred': true },
  },
  {
    kind: 'nested sections',
    reply: `Nobody told the sea that it was Sunday.

${F}state_delta
{"state": {"player": {"warmth": -4}, "world": {"sea": 2}}}
${F}`,
    prose: `Nobody told the sea that it was Sunday.`,
    changes: { 'player.warmth': -4, 'world.sea': 2 },
  },
  {
    kind: 'nested sections',
    reply: `Ottoline holds her arm up to the light and turns it over: a white line, nothing else.

${F}state_delta
{"npcs": {"ottoline": {"wound": "none, healed clean"}, "gull": {}}}
${F}`,
    prose: `Ottoline holds her arm up to the light and turns it over: a white line, nothing else.`,
    changes: { 'npc.ottoline.wound': 'none, healed clean' },
  },
  {
    kind: 'characters by their names',
    reply: `“You've done this before,” she says. You haven't.

${F}state_delta
{"npc.Ottoline Marsh.faith": 4}
${F}`,
    prose: `“You've done this before,” she says. You haven't.`,
    changes: { 'npc.ottoline.faith': 4 },
  },
  {
    kind: 'characters by their names',
    reply: `The mate spits on the step, half an inch from your boot.

${F}state_delta
{"Ottoline.faith": -3}
${F}`,
    prose: `The mate spits on the step, half an inch from your boot.`,
    changes: { 'npc.ottoline.faith': -3 },
  },
  {
    kind: 'characters by their names',
    reply: `Seven stitches. You're both proud of them, in different ways.

${F}state_delta
{"npcs.ottoline.wound": "stitched brow", "player.warmth": -1}
${F}`,
    prose: `Seven stitches. You're both proud of them, in different ways.`,
    changes: { 'npc.ottoline.wound': 'stitched brow', 'player.warmth': -1 },
  },
  {
    kind: 'characters by their names',
    reply: `— Vous avez du cran, dit Ottoline.
— J'ai froid, surtout.

${F}state_delta
{"npcs": {"Ottoline Marsh": {"faith": 6}}}
${F}`,
    prose: `— Vous avez du cran, dit Ottoline.
— J'ai froid, surtout.`,
    changes: { 'npc.ottoline.faith': 6 },
  },
  {
    kind: 'characters by their names',
    reply: `She won't take the stick. She takes the stick.

${F}state_delta
{"Ottoline Marsh": {"faith": 2, "wound": "limping"}}
${F}`,
    prose: `She won't take the stick. She takes the stick.`,
    changes: { 'npc.ottoline.faith': 2, 'npc.ottoline.wound': 'limping' },
  },
  {
    kind: 'characters by their names',
    reply: `"I'd sooner swim," says the mate, & means it.

${F}json
{"Ottoline Marsh.faith": -9}
${F}`,
    prose: `"I'd sooner swim," says the mate, & means it.`,
    changes: { 'npc.ottoline.faith': -9 },
  },
  {
    kind: 'characters by their names',
    reply: `The gull brings her a fish. The gull never brought *you* a fish.

${F}state_delta
{"npc.ottoline_marsh.faith": 1, "world.sea": 1}
${F}`,
    prose: `The gull brings her a fish. The gull never brought *you* a fish.`,
    changes: { 'npc.ottoline.faith': 1, 'world.sea': 1 },
  },
  {
    kind: 'characters by their names',
    reply: `She has shouted the name of every man in the brig's book, twice.

${F}state_delta
{"OTTOLINE.WOUND": "hoarse from shouting"}
${F}`,
    prose: `She has shouted the name of every man in the brig's book, twice.`,
    changes: { 'npc.ottoline.wound': 'hoarse from shouting' },
  },
  {
    kind: 'characters by their names',
    reply: `Forty fathoms of line and not one knot in it. Ottoline runs it through her fingers like a rosary.

${F}state_delta
{"npc": {"Ottoline": {"stats": {"faith": 5}}}, "npc.gull.faith": 3}
${F}`,
    prose: `Forty fathoms of line and not one knot in it. Ottoline runs it through her fingers like a rosary.`,
    changes: { 'npc.ottoline.faith': 5 },
  },
  {
    kind: 'characters by their names',
    reply: `“Who put it out?” Silence. “Who?”

{"npc.Ottoline Marsh.faith": -2, "flags.lamp_lit": false}`,
    prose: `“Who put it out?” Silence. “Who?”`,
    changes: { 'npc.ottoline.faith': -2, 'flags.lamp_lit': false },
  },
  {
    kind: 'loosely spelled paths',
    reply: `Drip, drip, down the back of your neck.

${F}state_delta
{"Player.Warmth": -2}
${F}`,
    prose: `Drip, drip, down the back of your neck.`,
    changes: { 'player.warmth': -2 },
  },
  {
    kind: 'loosely spelled paths',
    reply: `An hour by the glass, and the glass is cracked.

${F}state_delta
{"warmth": -4, "lamp oil": -3}
${F}`,
    prose: `An hour by the glass, and the glass is cracked.`,
    changes: { 'player.warmth': -4, 'player.lamp_oil': -3 },
  },
  {
    kind: 'loosely spelled paths',
    reply: `You're good at doors by now.

${F}state_delta
{"flag.door_barred": true}
${F}`,
    prose: `You're good at doors by now.`,
    changes: { 'flags.door_barred': true },
  },
  {
    kind: 'loosely spelled paths',
    reply: `Green water over the landing; the mate crosses herself left-handed.

${F}state_delta
{" world.sea ": 2, "npcs.ottoline.faith": -1}
${F}`,
    prose: `Green water over the landing; the mate crosses herself left-handed.`,
    changes: { 'world.sea': 2, 'npc.ottoline.faith': -1 },
  },
  {
    kind: 'loosely spelled paths',
    reply: `“Sent,” you say, and put your head down on the desk.

${F}state_delta
{"milestone.signal_sent": true}
${F}`,
    prose: `“Sent,” you say, and put your head down on the desk.`,
    changes: { 'milestones.signal_sent': true },
  },
  {
    kind: 'loosely spelled paths',
    reply: `Half of it goes in the lamp and half goes on the floor, and then somebody says "don't strike a—".

${F}state_delta
{"PLAYER.LAMP_OIL": -6, "Flags.Lamp_Lit": false}
${F}`,
    prose: `Half of it goes in the lamp and half goes on the floor, and then somebody says "don't strike a—".`,
    changes: { 'player.lamp_oil': -6, 'flags.lamp_lit': false },
  },
  {
    kind: 'loosely spelled paths',
    reply: `You wring out the rags over the tank. Every drop's a minute.

${F}json
{"player.lamp-oil": 2}
${F}`,
    prose: `You wring out the rags over the tank. Every drop's a minute.`,
    changes: { 'player.lamp_oil': 2 },
  },
  {
    kind: 'loosely spelled paths',
    reply: `Pop. “There,” says Ottoline, grey as dishwater, “now the other way.”

${F}state_delta
{"faith": 3, "wound": "thumb out of joint"}
${F}`,
    prose: `Pop. “There,” says Ottoline, grey as dishwater, “now the other way.”`,
    changes: { 'npc.ottoline.faith': 3, 'npc.ottoline.wound': 'thumb out of joint' },
  },
  {
    kind: 'loosely spelled paths',
    reply: `Waist-deep. Chest-deep. Then a step, thank God, then another step.

${F}state_delta
{"player.warmth": -3, "warmth": -7}
${F}`,
    prose: `Waist-deep. Chest-deep. Then a step, thank God, then another step.`,
    changes: { 'player.warmth': -7 },
  },
  {
    kind: 'loosely spelled paths',
    reply: `So ends the longest of them. They sleep in heaps.

{"World.Night": 1, "survivors_ashore": true}`,
    prose: `So ends the longest of them. They sleep in heaps.`,
    changes: { 'world.night': 1, 'milestones.survivors_ashore': true },
  },
  {
    kind: 'lists of edits',
    reply: `The stove door has burned through. You can see the fire, and the fire can see you.

${F}state_delta
[{"path": "player.warmth", "by": -5}]
${F}`,
    prose: `The stove door has burned through. You can see the fire, and the fire can see you.`,
    changes: { 'player.warmth': -5 },
  },
  {
    kind: 'lists of edits',
    reply: `Big rollers now, all the way from Greenland, each with its own weather.

${F}state_delta
[
  {"path": "world.sea", "by": 2},
  {"path": "player.lamp_oil", "by": -2}
]
${F}`,
    prose: `Big rollers now, all the way from Greenland, each with its own weather.`,
    changes: { 'world.sea': 2, 'player.lamp_oil': -2 },
  },
  {
    kind: 'lists of edits',
    reply: `Nobody speaks while you do up the buttons.

${F}state_delta
[{"path": "player.coat", "to": "a dead man's ulster"}]
${F}`,
    prose: `Nobody speaks while you do up the buttons.`,
    changes: { 'player.coat': "a dead man's ulster" },
  },
  {
    kind: 'lists of edits',
    reply: `She reaches past you and turns the key of the lamp herself.

${F}json
[{"path": "npc.ottoline.faith", "delta": -4}, {"path": "flags.lamp_lit", "value": false}]
${F}`,
    prose: `She reaches past you and turns the key of the lamp herself.`,
    changes: { 'npc.ottoline.faith': -4, 'flags.lamp_lit': false },
  },
  {
    kind: 'lists of edits',
    reply: `Chestnuts! Where did the boy get *chestnuts*?

${F}state_delta
{"path": "player.warmth", "change": 3}
${F}`,
    prose: `Chestnuts! Where did the boy get *chestnuts*?`,
    changes: { 'player.warmth': 3 },
  },
  {
    kind: 'lists of edits',
    reply: `The raft grounds with a noise like a sigh.

${F}state_delta
[{"path": "milestones.survivors_ashore", "value": true}, {"path": "player.warmth", "value": 20}]
${F}`,
    prose: `The raft grounds with a noise like a sigh.`,
    changes: { 'milestones.survivors_ashore': true },
  },
  {
    kind: 'lists of edits',
    reply: `Third bell, fourth bell. “Talk,” she says. “Or I'll drop off, and if I drop off I'll drop.”

${F}state_delta
{"changes": [
  {"path": "npc.ottoline.wound", "set": "salt sores"},
  {"path": "world.night", "amount": 1}
]}
${F}`,
    prose: `Third bell, fourth bell. “Talk,” she says. “Or I'll drop off, and if I drop off I'll drop.”`,
    changes: { 'npc.ottoline.wound': 'salt sores', 'world.night': 1 },
  },
  {
    kind: 'lists of edits',
    reply: `You trim it too high and the chimney cracks—*tink*—like a small polite cough.

${F}state_delta
[{"stat": "player.lamp_oil", "delta": -4, "reason": "the chimney cracked, and it burns too fast"}]
${F}`,
    prose: `You trim it too high and the chimney cracks—*tink*—like a small polite cough.`,
    changes: { 'player.lamp_oil': -4 },
  },
  {
    kind: 'lists of edits',
    reply: `It isn't the cold that gets you. It's the *waiting* in the cold.

${F}state_delta
[{"op": "replace", "path": "world.sea", "value": 9}, {"path": "player.warmth", "by": -2}]
${F}`,
    prose: `It isn't the cold that gets you. It's the *waiting* in the cold.`,
    changes: { 'player.warmth': -2 },
  },
  {
    kind: 'lists of edits',
    reply: `Bar it, she signs. You bar it.

${F}state_delta
[
  {"key": "flags.door_barred", "new": true},
  {"key": "npc.ottoline.faith", "by": "+1"},
]
${F}`,
    prose: `Bar it, she signs. You bar it.`,
    changes: { 'flags.door_barred': true, 'npc.ottoline.faith': 1 },
  },
  {
    kind: 'wrappers around the changes',
    reply: `You dig with a plate, there being no spade.

${F}state_delta
{"changes": {"player.warmth": -3}}
${F}`,
    prose: `You dig with a plate, there being no spade.`,
    changes: { 'player.warmth': -3 },
  },
  {
    kind: 'wrappers around the changes',
    reply: `The chain on the landing sings one note and then another, lower.

${F}state_delta
{"state_delta": {"world.sea": 1, "flags.door_barred": true}}
${F}`,
    prose: `The chain on the landing sings one note and then another, lower.`,
    changes: { 'world.sea': 1, 'flags.door_barred': true },
  },
  {
    kind: 'wrappers around the changes',
    reply: `“Swap,” she says. Her side of the wall is wetter; you swap.

${F}state_delta
{"player.warmth": {"delta": -5}, "npc.ottoline.faith": {"by": 2}}
${F}`,
    prose: `“Swap,” she says. Her side of the wall is wetter; you swap.`,
    changes: { 'player.warmth': -5, 'npc.ottoline.faith': 2 },
  },
  {
    kind: 'wrappers around the changes',
    reply: `Laugh if you like. It's *quilted*.

${F}state_delta
{"player.coat": {"value": "quilted petticoat"}}
${F}`,
    prose: `Laugh if you like. It's *quilted*.`,
    changes: { 'player.coat': 'quilted petticoat' },
  },
  {
    kind: 'wrappers around the changes',
    reply: `Flash. Count to five. Flash. Out there, something counts with you.

${F}state_delta
{"delta": {"player": {"lamp_oil": {"change": -3}}, "milestones": {"signal_sent": {"to": true}}}}
${F}`,
    prose: `Flash. Count to five. Flash. Out there, something counts with you.`,
    changes: { 'player.lamp_oil': -3, 'milestones.signal_sent': true },
  },
  {
    kind: 'wrappers around the changes',
    reply: `She's asleep before the bandage is off.

${F}state_delta
{"updates": [{"npc.ottoline.wound": {"old": "gashed forearm", "new": "none"}}, {"world.night": 1}]}
${F}`,
    prose: `She's asleep before the bandage is off.`,
    changes: { 'npc.ottoline.wound': 'none', 'world.night': 1 },
  },
  {
    kind: 'wrappers around the changes',
    reply: `You lie flat on the ice to spread your weight, as you've been told to, by people who lived in warm places.

${F}state_delta
{"player.warmth": {"amount": -8, "reason": "lying on the ice"}}
${F}`,
    prose: `You lie flat on the ice to spread your weight, as you've been told to, by people who lived in warm places.`,
    changes: { 'player.warmth': -8 },
  },
  {
    kind: 'wrappers around the changes',
    reply: `So quiet that you hear the wick go out.

${F}world_state
{"update": {"flags": {"lamp_lit": {"set": false}}, "world": {"sea": {"delta": -1}}}}
${F}`,
    prose: `So quiet that you hear the wick go out.`,
    changes: { 'flags.lamp_lit': false, 'world.sea': -1 },
  },
  {
    kind: 'wrappers around the changes',
    reply: `— Danke, sagt sie.
— Wofür?
— Frag nicht so blöd.

${F}json
{"state_delta": {"npc.ottoline.faith": 7, "player.warmth": 1}}
${F}`,
    prose: `— Danke, sagt sie.
— Wofür?
— Frag nicht so blöd.`,
    changes: { 'npc.ottoline.faith': 7, 'player.warmth': 1 },
  },
  {
    kind: 'wrappers around the changes',
    reply: `The measuring stick comes up dry for two fingers more than yesterday.

${F}state_delta
{"player.lamp_oil": {"delta": -2, "new": 16}, "player.warmth": {"new": 30}}
${F}`,
    prose: `The measuring stick comes up dry for two fingers more than yesterday.`,
    changes: { 'player.lamp_oil': -2 },
  },
  {
    kind: 'lines without braces',
    reply: `Fog in your mouth. It tastes of slate.

${F}state_delta
player.warmth: -5
${F}`,
    prose: `Fog in your mouth. It tastes of slate.`,
    changes: { 'player.warmth': -5 },
  },
  {
    kind: 'lines without braces',
    reply: `The gull taps on the pane: let me in, let me in, let me in.

${F}state_delta
player.warmth: -2
world.sea: +1
flags.door_barred: true
${F}`,
    prose: `The gull taps on the pane: let me in, let me in, let me in.`,
    changes: { 'player.warmth': -2, 'world.sea': 1, 'flags.door_barred': true },
  },
  {
    kind: 'lines without braces',
    reply: `“I can do this blind,” Ottoline says, and does, and burns herself only once.

${F}state_delta
- player.lamp_oil: -4
- npc.ottoline.faith: 3
${F}`,
    prose: `“I can do this blind,” Ottoline says, and does, and burns herself only once.`,
    changes: { 'player.lamp_oil': -4, 'npc.ottoline.faith': 3 },
  },
  {
    kind: 'lines without braces',
    reply: `You cut the hood off to see better, and regret it by noon.

${F}yaml
player.coat: "oilskin, no hood"
${F}`,
    prose: `You cut the hood off to see better, and regret it by noon.`,
    changes: { 'player.coat': 'oilskin, no hood' },
  },
  {
    kind: 'lines without braces',
    reply: `It takes all night & the last dry matchbox.

${F}yaml
milestones.signal_sent: true
world.night: 1  # it took all night
${F}`,
    prose: `It takes all night & the last dry matchbox.`,
    changes: { 'milestones.signal_sent': true, 'world.night': 1 },
  },
  {
    kind: 'lines without braces',
    reply: `The boom comes across with no more malice than a gate.

${F}state_delta
npc.ottoline.wound = "broken collarbone"
npc.ottoline.faith = -2
${F}`,
    prose: `The boom comes across with no more malice than a gate.`,
    changes: { 'npc.ottoline.wound': 'broken collarbone', 'npc.ottoline.faith': -2 },
  },
  {
    kind: 'lines without braces',
    reply: `Nothing happens, slowly.

${F}state_delta
player.warmth: -1 (cold wind)
player.lamp_oil: 18 -> 17
${F}`,
    prose: `Nothing happens, slowly.`,
    changes: { 'player.warmth': -1 },
  },
  {
    kind: 'lines without braces',
    reply: `You slip on the weed & catch yourself on your teeth, more or less.

${F}state_delta
player.warmth: -3
player.lamp_oil: -1`,
    prose: `You slip on the weed & catch yourself on your teeth, more or less.`,
    changes: { 'player.warmth': -3 },
  },
  {
    kind: 'lines without braces',
    reply: `Whitecaps to the horizon, like a flock driven by something you can't see yet.

${F}state_delta
world.sea: 2

Ottoline: “Do you see it now?”

You see it now.`,
    prose: `Whitecaps to the horizon, like a flock driven by something you can't see yet.

Ottoline: “Do you see it now?”

You see it now.`,
    changes: { 'world.sea': 2 },
  },
  {
    kind: 'lines without braces',
    reply: `The draught finds the flame at last.

${F}state_delta
flags.lamp_lit: False
player.warmth: -1

## The second watch

You sit in the dark and listen to her breathing.`,
    prose: `The draught finds the flame at last.

## The second watch

You sit in the dark and listen to her breathing.`,
    changes: { 'flags.lamp_lit': false, 'player.warmth': -1 },
  },
  {
    kind: 'tags instead of a fence',
    reply: `A crack runs up the wall from the second step to the eleventh. It wasn't there at noon.

<state_delta>{"player.warmth": -2}</state_delta>`,
    prose: `A crack runs up the wall from the second step to the eleventh. It wasn't there at noon.`,
    changes: { 'player.warmth': -2 },
  },
  {
    kind: 'tags instead of a fence',
    reply: `“That's not a wave,” says the mate. “That's the *horizon*.”

<state>
{"world.sea": 3, "npc.ottoline.faith": -2}
</state>`,
    prose: `“That's not a wave,” says the mate. “That's the *horizon*.”`,
    changes: { 'world.sea': 3, 'npc.ottoline.faith': -2 },
  },
  {
    kind: 'tags instead of a fence',
    reply: `It is only the wind; you bar the door against the wind.

[state]{"flags.door_barred": true}[/state]`,
    prose: `It is only the wind; you bar the door against the wind.`,
    changes: { 'flags.door_barred': true },
  },
  {
    kind: 'tags instead of a fence',
    reply: `You cup your hands round the chimney & feel your fingers come back one at a time, complaining.

[state_delta]
player.lamp_oil: -1
player.warmth: +2
[/state_delta]`,
    prose: `You cup your hands round the chimney & feel your fingers come back one at a time, complaining.`,
    changes: { 'player.lamp_oil': -1, 'player.warmth': 2 },
  },
  {
    kind: 'tags instead of a fence',
    reply: `Six slabs of cork and a strap. You look like a chest of drawers.

<State_Delta>
{
  "player.coat": "life jacket, cork"
}
</State_Delta>`,
    prose: `Six slabs of cork and a strap. You look like a chest of drawers.`,
    changes: { 'player.coat': 'life jacket, cork' },
  },
  {
    kind: 'tags instead of a fence',
    reply: `Hand over hand over hand.

<state_delta>
${F}json
{"milestones.survivors_ashore": true}
${F}
</state_delta>`,
    prose: `Hand over hand over hand.`,
    changes: { 'milestones.survivors_ashore': true },
  },
  {
    kind: 'tags instead of a fence',
    reply: `The ship's cat has feelings about being rescued.

<state_delta>{"npc.ottoline.wound": "bitten by the cat"}`,
    prose: `The ship's cat has feelings about being rescued.`,
    changes: { 'npc.ottoline.wound': 'bitten by the cat' },
  },
  {
    kind: 'tags instead of a fence',
    reply: `<state_delta>{"world.night": 1, "player.warmth": -3}</state_delta>

When you wake, there's frost on the inside of the glass: ferns, feathers, a small perfect fish.`,
    prose: `When you wake, there's frost on the inside of the glass: ferns, feathers, a small perfect fish.`,
    changes: { 'world.night': 1, 'player.warmth': -3 },
  },
  {
    kind: 'tags instead of a fence',
    reply: `One can for the lamp <state_delta>{"player.lamp_oil": -5}</state_delta> and none for the stove.`,
    prose: `One can for the lamp and none for the stove.`,
    changes: { 'player.lamp_oil': -5 },
  },
  {
    kind: 'tags instead of a fence',
    reply: `"Let them look for us in the dark," says Ottoline, "as we looked for them."

[STATE]
{"npc.ottoline.faith": 4, "flags.lamp_lit": false}
[/STATE]`,
    prose: `"Let them look for us in the dark," says Ottoline, "as we looked for them."`,
    changes: { 'npc.ottoline.faith': 4, 'flags.lamp_lit': false },
  },
  {
    kind: 'headings before the block',
    reply: `The bunk is a shelf with ideas above its station. You don't sleep.

State delta:
${F}json
{"player.warmth": -4}
${F}`,
    prose: `The bunk is a shelf with ideas above its station. You don't sleep.`,
    changes: { 'player.warmth': -4 },
  },
  {
    kind: 'headings before the block',
    reply: `Rain like thrown gravel.

**State:**
${F}
{"player.lamp_oil": -1, "world.sea": 1}
${F}`,
    prose: `Rain like thrown gravel.`,
    changes: { 'player.lamp_oil': -1, 'world.sea': 1 },
  },
  {
    kind: 'headings before the block',
    reply: `“Cards?” she says. “Cards,” you say.

### State Delta

${F}json
{"npc.ottoline.faith": 2}
${F}`,
    prose: `“Cards?” she says. “Cards,” you say.`,
    changes: { 'npc.ottoline.faith': 2 },
  },
  {
    kind: 'headings before the block',
    reply: `Too late, the knocking. Too late, or far too early.

State update:
{"flags.door_barred": true, "player.warmth": -1}`,
    prose: `Too late, the knocking. Too late, or far too early.`,
    changes: { 'flags.door_barred': true, 'player.warmth': -1 },
  },
  {
    kind: 'headings before the block',
    reply: `It still says PROPERTY OF in red thread, and then a hole where the name was.

**State Delta**
{"player.coat": "the bosun's oilskin"}`,
    prose: `It still says PROPERTY OF in red thread, and then a hole where the name was.`,
    changes: { 'player.coat': "the bosun's oilskin" },
  },
  {
    kind: 'headings before the block',
    reply: `Вторая ночь. Ветер тот же.

State delta:_
${F}state_delta
{"world.night": 1}
${F}`,
    prose: `Вторая ночь. Ветер тот же.`,
    changes: { 'world.night': 1 },
  },
  {
    kind: 'headings before the block',
    reply: `The paper says N.C. in your own careful flags. The glass says nothing, and then it says *ANSWERING PENNANT*.

STATE_DELTA: {"milestones.signal_sent": true, "player.lamp_oil": -3}`,
    prose: `The paper says N.C. in your own careful flags. The glass says nothing, and then it says *ANSWERING PENNANT*.`,
    changes: { 'milestones.signal_sent': true, 'player.lamp_oil': -3 },
  },
  {
    kind: 'headings before the block',
    reply: `She hit the wall. The wall had it coming.

## World State
${F}state_delta
{"npc.ottoline.wound": "grazed knuckles"}
${F}`,
    prose: `She hit the wall. The wall had it coming.`,
    changes: { 'npc.ottoline.wound': 'grazed knuckles' },
  },
  {
    kind: 'headings before the block',
    reply: `Dry socks: the great invention.

Delta:

${F}
{"player.warmth": 5}
${F}`,
    prose: `Dry socks: the great invention.`,
    changes: { 'player.warmth': 5 },
  },
  {
    kind: 'headings before the block',
    reply: `You both see it: a line of paler grey where there was none.

***State delta:***
{
  "world.sea": -2,
  "npc.ottoline.faith": 3
}

"Is that morning?" she asks.`,
    prose: `You both see it: a line of paler grey where there was none.

"Is that morning?" she asks.`,
    changes: { 'world.sea': -2, 'npc.ottoline.faith': 3 },
  },
]
