import type { Reply } from './reply.ts'

const F = '```'

export const CASES_3: Reply[] = [
  {
    kind: 'prose after a broken block',
    reply: `You fall, and the rope remembers you.

${F}state_delta
{"player.warmth": -2,

“Hold on!” cries Ottoline. You are, in fact, holding on.`,
    prose: `You fall, and the rope remembers you.

“Hold on!” cries Ottoline. You are, in fact, holding on.`,
    changes: { 'player.warmth': -2 },
  },
  {
    kind: 'prose after a broken block',
    reply: `${F}state_delta
{"world.sea": 1, "player.coat": "grey wool

The grey wool weighs more than you do by the time you're up the ladder.`,
    prose: `The grey wool weighs more than you do by the time you're up the ladder.`,
    changes: { 'world.sea': 1 },
  },
  {
    kind: 'prose after a broken block',
    reply: `You fill the lamp by feel.

${F}state_delta
player.lamp_oil: -2

The gull, who has seen better keepers, looks away.`,
    prose: `You fill the lamp by feel.

The gull, who has seen better keepers, looks away.`,
    changes: { 'player.lamp_oil': -2 },
  },
  {
    kind: 'prose after a broken block',
    reply: `She hands you the heavier end of the beam.

${F}state_delta
{
  "npc.ottoline.faith": 3,

# Chapter Two

They came in the morning, as such people do.`,
    prose: `She hands you the heavier end of the beam.

# Chapter Two

They came in the morning, as such people do.`,
    changes: { 'npc.ottoline.faith': 3 },
  },
  {
    kind: 'prose after a broken block',
    reply: `Iron bar, oak door, two chairs.

${F}state_delta
{"flags.door_barred": true,

Then she said: “Who locked the *cellar*?”

Nobody had locked the cellar.`,
    prose: `Iron bar, oak door, two chairs.

Then she said: “Who locked the *cellar*?”

Nobody had locked the cellar.`,
    changes: { 'flags.door_barred': true },
  },
  {
    kind: 'prose after a broken block',
    reply: `The pier light winks out.

${F}state_delta
* player.warmth: -1
* world.sea: 2

You count to a hundred. It doesn't come back.`,
    prose: `The pier light winks out.

You count to a hundred. It doesn't come back.`,
    changes: { 'player.warmth': -1, 'world.sea': 2 },
  },
  {
    kind: 'prose after a broken block',
    reply: `It bleeds more than it ought to.

${F}state_delta
{"npc.ottoline.wound": "torn nail"

She sucks the finger and scowls at the winch.`,
    prose: `It bleeds more than it ought to.

She sucks the finger and scowls at the winch.`,
    changes: { 'npc.ottoline.wound': 'torn nail' },
  },
  {
    kind: 'prose after a broken block',
    reply: `Somebody has lit the stove while you slept.

<state_delta>
{"player.warmth": 4}

[The bell rings twice, below.]

Nobody is below.`,
    prose: `Somebody has lit the stove while you slept.

[The bell rings twice, below.]

Nobody is below.`,
    changes: { 'player.warmth': 4 },
  },
  {
    kind: 'prose after a broken block',
    reply: `Up goes the flag, upside down: the oldest word for help.

${F}state_delta
{"milestones.signal_sent": true,

- Wait by the mast
- Go below and pack
- Wake the mate`,
    prose: `Up goes the flag, upside down: the oldest word for help.

- Wait by the mast
- Go below and pack
- Wake the mate`,
    changes: { 'milestones.signal_sent': true },
  },
  {
    kind: 'prose after a broken block',
    reply: `Nacht.

${F}state_delta
{"world.night": 1

*Later.* You've burned the second chair, and the table is getting nervous.`,
    prose: `Nacht.

*Later.* You've burned the second chair, and the table is getting nervous.`,
    changes: { 'world.night': 1 },
  },
  {
    kind: 'block first, then prose',
    reply: `${F}state_delta
{"player.warmth": -2}
${F}

You step out, and the wind takes the door out of your hand, and the hat off your head, and the word out of your mouth.`,
    prose: `You step out, and the wind takes the door out of your hand, and the hat off your head, and the word out of your mouth.`,
    changes: { 'player.warmth': -2 },
  },
  {
    kind: 'block first, then prose',
    reply: `${F}json
{"npc.ottoline.faith": 1, "world.sea": 1}
${F}

“You again,” says the mate.

“Me again.”`,
    prose: `“You again,” says the mate.

“Me again.”`,
    changes: { 'npc.ottoline.faith': 1, 'world.sea': 1 },
  },
  {
    kind: 'block first, then prose',
    reply: `{"flags.lamp_lit": false}

Dark. You put out a hand for the wall and find, instead, a sleeve.`,
    prose: `Dark. You put out a hand for the wall and find, instead, a sleeve.`,
    changes: { 'flags.lamp_lit': false },
  },
  {
    kind: 'block first, then prose',
    reply: `State delta:
${F}state_delta
{"player.lamp_oil": -3}
${F}
It burns faster than yesterday. You're sure of it—almost.`,
    prose: `It burns faster than yesterday. You're sure of it—almost.`,
    changes: { 'player.lamp_oil': -3 },
  },
  {
    kind: 'block first, then prose',
    reply: `~~~state
{"player.coat": "horse blanket"}
~~~

A horse, on a rock, forty miles out? You don't ask. It's a blanket.`,
    prose: `A horse, on a rock, forty miles out? You don't ask. It's a blanket.`,
    changes: { 'player.coat': 'horse blanket' },
  },
  {
    kind: 'block first, then prose',
    reply: `${F}state_delta
{
  "milestones.survivors_ashore": true,
  "player.warmth": -6
}

You're the last up the ladder, because it's your ladder.`,
    prose: `You're the last up the ladder, because it's your ladder.`,
    changes: { 'milestones.survivors_ashore': true, 'player.warmth': -6 },
  },
  {
    kind: 'block first, then prose',
    reply: `[state]{"world.night": 1}[/state]

🌙 One more. The moon has the decency to look away.`,
    prose: `🌙 One more. The moon has the decency to look away.`,
    changes: { 'world.night': 1 },
  },
  {
    kind: 'block first, then prose',
    reply: `${F}
{"npc.ottoline.wound": "bad cough"}
${F}
It rattles like a drawer of spoons.`,
    prose: `It rattles like a drawer of spoons.`,
    changes: { 'npc.ottoline.wound': 'bad cough' },
  },
  {
    kind: 'block first, then prose',
    reply: `${F}state_delta {"flags.door_barred": true, "npc.ottoline.faith": 2}${F}

"Good," says a voice behind you, though Ottoline's in front of you.`,
    prose: `"Good," says a voice behind you, though Ottoline's in front of you.`,
    changes: { 'flags.door_barred': true, 'npc.ottoline.faith': 2 },
  },
  {
    kind: 'block first, then prose',
    reply: `**State Update**
{"player.warmth": 1}

State your business, says the sign over the door; you've often wondered who painted it.`,
    prose: `State your business, says the sign over the door; you've often wondered who painted it.`,
    changes: { 'player.warmth': 1 },
  },
  {
    kind: 'block in the middle',
    reply: `The gangway drops under you.

${F}state_delta
{"player.warmth": -3}
${F}

You land on a coil of rope, which is the first luck you've had all week.`,
    prose: `The gangway drops under you.

You land on a coil of rope, which is the first luck you've had all week.`,
    changes: { 'player.warmth': -3 },
  },
  {
    kind: 'block in the middle',
    reply: `“Light,” she says.

${F}json
{"player.lamp_oil": -2, "world.sea": -1}
${F}

And there was light, and it was dreadful: every rock had a boat on it.`,
    prose: `“Light,” she says.

And there was light, and it was dreadful: every rock had a boat on it.`,
    changes: { 'player.lamp_oil': -2, 'world.sea': -1 },
  },
  {
    kind: 'block in the middle',
    reply: `You tell her the truth {"npc.ottoline.faith": -5} and she doesn't thank you for it.`,
    prose: `You tell her the truth and she doesn't thank you for it.`,
    changes: { 'npc.ottoline.faith': -5 },
  },
  {
    kind: 'block in the middle',
    reply: `One bar.

{"flags.door_barred": true}

Two bars would be better; you've only the one.

What now?`,
    prose: `One bar.

Two bars would be better; you've only the one.

What now?`,
    changes: { 'flags.door_barred': true },
  },
  {
    kind: 'block in the middle',
    reply: `Desperate times.

${F}state_delta
{"player.coat": "flag of Portugal"}
${F}

– Very fetching, says Ottoline.
– Long live the king, you say.`,
    prose: `Desperate times.

– Very fetching, says Ottoline.
– Long live the king, you say.`,
    changes: { 'player.coat': 'flag of Portugal' },
  },
  {
    kind: 'block in the middle',
    reply: `Here it comes.
${F}state_delta
{"world.sea": 2, "player.warmth": -4}
${F}
There it goes.`,
    prose: `Here it comes.

There it goes.`,
    changes: { 'world.sea': 2, 'player.warmth': -4 },
  },
  {
    kind: 'block in the middle',
    reply: `“Fire!” ${F}state_delta {"milestones.signal_sent": true}${F} The gun jumps back on its slide like a kicked dog.`,
    prose: `“Fire!” The gun jumps back on its slide like a kicked dog.`,
    changes: { 'milestones.signal_sent': true },
  },
  {
    kind: 'block in the middle',
    reply: `Don't touch the chimney, you were going to say.

<state>
npc.ottoline.wound: "burned wrist"
player.lamp_oil: -1
</state>

'I touched the chimney,' says the mate.`,
    prose: `Don't touch the chimney, you were going to say.

'I touched the chimney,' says the mate.`,
    changes: { 'npc.ottoline.wound': 'burned wrist', 'player.lamp_oil': -1 },
  },
  {
    kind: 'block in the middle',
    reply: `You count sheep; then ships; then sheep on ships.

State:
{"world.night": 1}

It's light when you give up.`,
    prose: `You count sheep; then ships; then sheep on ships.

It's light when you give up.`,
    changes: { 'world.night': 1 },
  },
  {
    kind: 'block in the middle',
    reply: `She slides the bottle across.

~~~~state_delta
{"player.warmth": 2, "npc.ottoline.faith": 1}
~~~~

1. Drink.
2. Don't drink.
3. Pretend to drink (she'll know).`,
    prose: `She slides the bottle across.

1. Drink.
2. Don't drink.
3. Pretend to drink (she'll know).`,
    changes: { 'player.warmth': 2, 'npc.ottoline.faith': 1 },
  },
  {
    kind: 'several blocks',
    reply: `You go out.

${F}state_delta
{"player.warmth": -2}
${F}

You come in again.

${F}state_delta
{"world.sea": 1}
${F}`,
    prose: `You go out.

You come in again.`,
    changes: { 'player.warmth': -2, 'world.sea': 1 },
  },
  {
    kind: 'several blocks',
    reply: `The cold is worse than you'd reckoned.

${F}state_delta
{"player.warmth": -2}
${F}

${F}state_delta
{"player.warmth": -5}
${F}`,
    prose: `The cold is worse than you'd reckoned.`,
    changes: { 'player.warmth': -5 },
  },
  {
    kind: 'several blocks',
    reply: `${F}json
{"npc.ottoline.faith": 3}
${F}

“Put it out,” she whispers, “and trust me.”

{"flags.lamp_lit": false}`,
    prose: `“Put it out,” she whispers, “and trust me.”`,
    changes: { 'npc.ottoline.faith': 3, 'flags.lamp_lit': false },
  },
  {
    kind: 'several blocks',
    reply: `Her hands are the colour of plums.

{"player.lamp_oil": -1}
{"npc.ottoline.wound": "chilblains"}`,
    prose: `Her hands are the colour of plums.`,
    changes: { 'player.lamp_oil': -1, 'npc.ottoline.wound': 'chilblains' },
  },
  {
    kind: 'several blocks',
    reply: `The boat comes round again.

${F}state_delta
{"player.warmth": -2}

“Wait,” says Ottoline. You wait; the boat doesn't.

${F}state_delta
{"world.sea": 1}
${F}`,
    prose: `The boat comes round again.

“Wait,” says Ottoline. You wait; the boat doesn't.`,
    changes: { 'player.warmth': -2, 'world.sea': 1 },
  },
  {
    kind: 'several blocks',
    reply: `Hip-deep in the wash, you feel for the ring bolt.

${F}state_delta
{"player.warmth": -1, "warmth": -2}
${F}

There! No. *There.*

${F}state_delta
{"player.warmth": -3}
${F}`,
    prose: `Hip-deep in the wash, you feel for the ring bolt.

There! No. *There.*`,
    changes: { 'player.warmth': -3 },
  },
  {
    kind: 'several blocks',
    reply: `<state>{"world.night": 1}</state>

Nobody has ever been so glad of a guernsey.

<state>{"player.coat": "blue guernsey"}</state>

You bar the door on the rest of it.

<state>{"flags.door_barred": true}</state>`,
    prose: `Nobody has ever been so glad of a guernsey.

You bar the door on the rest of it.`,
    changes: { 'world.night': 1, 'player.coat': 'blue guernsey', 'flags.door_barred': true },
  },
  {
    kind: 'several blocks',
    reply: `Flash—flash—flash.

${F}state_delta
{"milestones.signal_sent": true, "player.lamp_oil": -4}
${F}

State delta:
${F}json
{"milestones.signal_sent": true, "player.lamp_oil": -9}
${F}`,
    prose: `Flash—flash—flash.`,
    changes: { 'milestones.signal_sent': true, 'player.lamp_oil': -9 },
  },
  {
    kind: 'several blocks',
    reply: `You pour, she holds.

${F}state_delta
player.lamp_oil: -2

The gull supervises from the stove.

${F}state_delta
npc.ottoline.faith: 2
${F}`,
    prose: `You pour, she holds.

The gull supervises from the stove.`,
    changes: { 'player.lamp_oil': -2, 'npc.ottoline.faith': 2 },
  },
  {
    kind: 'several blocks',
    reply: `Sun!—well, a rumour of it.

${F}state_delta
{"player.warmth": 6}
${F}

You turn your face up like a daisy.

${F}state_delta
{}
${F}

The sea lies down.

${F}state_delta
{"world.sea": -2}
${F}`,
    prose: `Sun!—well, a rumour of it.

You turn your face up like a daisy.

The sea lies down.`,
    changes: { 'player.warmth': 6, 'world.sea': -2 },
  },
  {
    kind: 'a letter in a fence beside the block',
    reply: `Under the loose board there's a note:

${F}
Keep the light.
Keep it even if they tell you not to.
      — H.
${F}

You read it twice.

${F}state_delta
{"player.warmth": -1}
${F}`,
    prose: `Under the loose board there's a note:

${F}
Keep the light.
Keep it even if they tell you not to.
      — H.
${F}

You read it twice.`,
    changes: { 'player.warmth': -1 },
  },
  {
    kind: 'a letter in a fence beside the block',
    reply: `The key clatters out the answer:

${F}text
TO: LANTERN ROCK
STATE NUMBER OF SOULS
STATE CONDITION OF LIGHT
${F}

“Eleven,” you tap. “And lit.”

${F}state_delta
{"milestones.signal_sent": true}
${F}`,
    prose: `The key clatters out the answer:

${F}text
TO: LANTERN ROCK
STATE NUMBER OF SOULS
STATE CONDITION OF LIGHT
${F}

“Eleven,” you tap. “And lit.”`,
    changes: { 'milestones.signal_sent': true },
  },
  {
    kind: 'a letter in a fence beside the block',
    reply: `She has drawn it for you on the back of the chart:

${F}
   ~~~  ~~~   ~~~
  ( rock )   /\\
   ~~~  ~~~  ~~~
${F}

"Here," she says, "is where I'd die, if I had to pick."

${F}json
{"npc.ottoline.faith": 2}
${F}`,
    prose: `She has drawn it for you on the back of the chart:

${F}
   ~~~  ~~~   ~~~
  ( rock )   /\\
   ~~~  ~~~  ~~~
${F}

"Here," she says, "is where I'd die, if I had to pick."`,
    changes: { 'npc.ottoline.faith': 2 },
  },
  {
    kind: 'a letter in a fence beside the block',
    reply: `The old log, in brown ink:

~~~
Tues. Wind NE, 8. Oil: 3 cans.
Wed.  Wind NE, 9. Oil: 2 cans.
Thur. {page torn}
~~~

There's no Friday.

${F}state_delta
{"player.lamp_oil": -2}
${F}`,
    prose: `The old log, in brown ink:

~~~
Tues. Wind NE, 8. Oil: 3 cans.
Wed.  Wind NE, 9. Oil: 2 cans.
Thur. {page torn}
~~~

There's no Friday.`,
    changes: { 'player.lamp_oil': -2 },
  },
  {
    kind: 'a letter in a fence beside the block',
    reply: `It's scratched into the paint at knee height, by a child or by someone kneeling:

${F}
ship's log
~~~
one went out
none came in
${F}

Behind you the sea clears its throat.

${F}
{"world.sea": 1}
${F}`,
    prose: `It's scratched into the paint at knee height, by a child or by someone kneeling:

${F}
ship's log
~~~
one went out
none came in
${F}

Behind you the sea clears its throat.`,
    changes: { 'world.sea': 1 },
  },
  {
    kind: 'a letter in a fence beside the block',
    reply: `The brass plate on the door reads:

${F}plaintext
NO ADMITTANCE
EXCEPT ON THE BUSINESS OF THE LIGHT
${F}

You're on the business of the light. You bar it behind you.

{"flags.door_barred": true, "npc.ottoline.wound": "stiff neck"}`,
    prose: `The brass plate on the door reads:

${F}plaintext
NO ADMITTANCE
EXCEPT ON THE BUSINESS OF THE LIGHT
${F}

You're on the business of the light. You bar it behind you.`,
    changes: { 'flags.door_barred': true, 'npc.ottoline.wound': 'stiff neck' },
  },
  {
    kind: 'a letter in a fence beside the block',
    reply: `The laundry list is four pages long. You read out the best of it:

${F}\`
2 coats, great (admiral's)
${F}
1 ditto, small (monkey's)
${F}
${F}\`

“Try the admiral's,” says Ottoline.

${F}state_delta
{"player.coat": "admiral's greatcoat"}
${F}`,
    prose: `The laundry list is four pages long. You read out the best of it:

${F}\`
2 coats, great (admiral's)
${F}
1 ditto, small (monkey's)
${F}
${F}\`

“Try the admiral's,” says Ottoline.`,
    changes: { 'player.coat': "admiral's greatcoat" },
  },
  {
    kind: 'a letter in a fence beside the block',
    reply: `${F}state_delta
{"player.warmth": -4}
${F}

The bottle has paper in it:

${F}letter
To whoever finds this: we are nine, on the floe, N of the Rock.
We've 2 dogs. Please hurry – the dogs are hungry.
${F}

You look north. You can't help it.`,
    prose: `The bottle has paper in it:

${F}letter
To whoever finds this: we are nine, on the floe, N of the Rock.
We've 2 dogs. Please hurry – the dogs are hungry.
${F}

You look north. You can't help it.`,
    changes: { 'player.warmth': -4 },
  },
  {
    kind: 'a letter in a fence beside the block',
    reply: `You lean over his shoulder to see what the engineer is typing.

${F}python
def lamp(night):
    return {"oil": 18 - night}
${F}

"It runs out," he says. He doesn't look up.

${F}state_delta
{"world.night": 1}
${F}`,
    prose: `You lean over his shoulder to see what the engineer is typing.

${F}python
def lamp(night):
    return {"oil": 18 - night}
${F}

"It runs out," he says. He doesn't look up.`,
    changes: { 'world.night': 1 },
  },
  {
    kind: 'a letter in a fence beside the block',
    reply: `A page of the harbour-master's book, in his terrible hand:

${F}
Brig MARGUERITE, 14 hands {see: crew}
Mate: O. Marsh
Cargo: { lamp oil, 40 cans; state: leaking }
${F}

Forty cans. You think about forty cans all the way down.

${F}state_delta
{"player.warmth": -2}
${F}`,
    prose: `A page of the harbour-master's book, in his terrible hand:

${F}
Brig MARGUERITE, 14 hands {see: crew}
Mate: O. Marsh
Cargo: { lamp oil, 40 cans; state: leaking }
${F}

Forty cans. You think about forty cans all the way down.`,
    changes: { 'player.warmth': -2 },
  },
  {
    kind: 'JSON that belongs to the story',
    reply: `The drone prints its last message on the slip:

${F}json
{"from": "harbour", "text": "hold until 0600"}
${F}

It's 0610.`,
    prose: `The drone prints its last message on the slip:

${F}json
{"from": "harbour", "text": "hold until 0600"}
${F}

It's 0610.`,
    changes: {},
  },
  {
    kind: 'JSON that belongs to the story',
    reply: `On the screen: {"error": "no carrier", "retry": 3}. You press the key again. On the screen: {"error": "no carrier", "retry": 2}.`,
    prose: `On the screen: {"error": "no carrier", "retry": 3}. You press the key again. On the screen: {"error": "no carrier", "retry": 2}.`,
    changes: {},
  },
  {
    kind: 'JSON that belongs to the story',
    reply: `“Read it to me,” says Ottoline.

${F}json
{
  "title": "LOG",
  "player.warmth": -5,
  "night": 3
}
${F}

“Who writes like that?”

${F}state_delta
{"player.warmth": -1}
${F}`,
    prose: `“Read it to me,” says Ottoline.

${F}json
{
  "title": "LOG",
  "player.warmth": -5,
  "night": 3
}
${F}

“Who writes like that?”`,
    changes: { 'player.warmth': -1 },
  },
  {
    kind: 'JSON that belongs to the story',
    reply: `The buoy's memory holds one record: {"log": {"night": 3, "wind": "NE"}}. Night three was the night the brig struck.`,
    prose: `The buoy's memory holds one record: {"log": {"night": 3, "wind": "NE"}}. Night three was the night the brig struck.`,
    changes: {},
  },
  {
    kind: 'JSON that belongs to the story',
    reply: `The machine hums and prints:

${F}json
{"ship": "Marguerite", "manifest": {"coat": "40 gross", "oil": "none"}}
${F}

“Coats,” she says. “We drowned for *coats*.”

${F}state_delta
{"npc.ottoline.faith": 1}
${F}`,
    prose: `The machine hums and prints:

${F}json
{"ship": "Marguerite", "manifest": {"coat": "40 gross", "oil": "none"}}
${F}

“Coats,” she says. “We drowned for *coats*.”`,
    changes: { 'npc.ottoline.faith': 1 },
  },
  {
    kind: 'JSON that belongs to the story',
    reply: `He chalks [1, 2, 3] on the slate, then {1, 2, 3}, then wipes it all off with his cuff. “Order,” he says, “is a luxury.”`,
    prose: `He chalks [1, 2, 3] on the slate, then {1, 2, 3}, then wipes it all off with his cuff. “Order,” he says, “is a luxury.”`,
    changes: {},
  },
  {
    kind: 'JSON that belongs to the story',
    reply: `The terminal has one line left on it:

${F}
{"souls": 11, "boats": 0}
${F}`,
    prose: `The terminal has one line left on it:

${F}
{"souls": 11, "boats": 0}
${F}`,
    changes: {},
  },
  {
    kind: 'JSON that belongs to the story',
    reply: `She types \`{"open": true}\` and the sea door—God help you—opens.

${F}state_delta
{"world.sea": 2}
${F}`,
    prose: `She types \`{"open": true}\` and the sea door—God help you—opens.`,
    changes: { 'world.sea': 2 },
  },
  {
    kind: 'JSON that belongs to the story',
    reply: `The weather station still reports, every hour, to nobody:

${F}js
[{"wind": 9, "sea": 7}, {"wind": 10, "sea": 8}]
${F}

You turn its light off to spare the battery, and yours up.

${F}state_delta
{"player.lamp_oil": -1}
${F}`,
    prose: `The weather station still reports, every hour, to nobody:

${F}js
[{"wind": 9, "sea": 7}, {"wind": 10, "sea": 8}]
${F}

You turn its light off to spare the battery, and yours up.`,
    changes: { 'player.lamp_oil': -1 },
  },
  {
    kind: 'JSON that belongs to the story',
    reply: `${F}yaml
name: Lantern Rock
keeper: you
relief: overdue
${F}

That's all the card says, and the last line has been underlined in pencil, twice.`,
    prose: `${F}yaml
name: Lantern Rock
keeper: you
relief: overdue
${F}

That's all the card says, and the last line has been underlined in pencil, twice.`,
    changes: {},
  },
  {
    kind: 'quotation marks inside texts',
    reply: `Your mother called it that. You've never dared to ask what made it good.

${F}state_delta
{"player.coat": "the "good" coat"}
${F}`,
    prose: `Your mother called it that. You've never dared to ask what made it good.`,
    changes: { 'player.coat': 'the "good" coat' },
  },
  {
    kind: 'quotation marks inside texts',
    reply: `"It's nothing," says Ottoline, and sits down in the snow.

${F}state_delta
{"npc.ottoline.wound": "says "it's nothing"", "player.warmth": -1}
${F}`,
    prose: `"It's nothing," says Ottoline, and sits down in the snow.`,
    changes: { 'npc.ottoline.wound': 'says "it\'s nothing"', 'player.warmth': -1 },
  },
  {
    kind: 'quotation marks inside texts',
    reply: `It's got gravy on it from at least three Sundays.

${F}state_delta
{"player.coat": "the cook's \\"Sunday best\\""}
${F}`,
    prose: `It's got gravy on it from at least three Sundays.`,
    changes: { 'player.coat': 'the cook\'s "Sunday best"' },
  },
  {
    kind: 'quotation marks inside texts',
    reply: `Seven what? There's only ever been the one.

${F}state_delta
{'player.coat': 'keeper's coat, Nº 'seven''}
${F}`,
    prose: `Seven what? There's only ever been the one.`,
    changes: { 'player.coat': "keeper's coat, Nº 'seven'" },
  },
  {
    kind: 'quotation marks inside texts',
    reply: `You draw it out with the sugar tongs. It goes on and on.

${F}state_delta
{
  "npc.ottoline.wound": "3" splinter in the palm",
  "npc.ottoline.faith": -1
}
${F}`,
    prose: `You draw it out with the sugar tongs. It goes on and on.`,
    changes: { 'npc.ottoline.wound': '3" splinter in the palm', 'npc.ottoline.faith': -1 },
  },
  {
    kind: 'quotation marks inside texts',
    reply: `“Borrowed,” you say. “From whom?” “From a hook.”

${F}state_delta
{"player.coat": "‘borrowed’ pea coat"}
${F}`,
    prose: `“Borrowed,” you say. “From whom?” “From a hook.”`,
    changes: { 'player.coat': '‘borrowed’ pea coat' },
  },
  {
    kind: 'quotation marks inside texts',
    reply: `The underwriters will have a word for it; you have yours.

${F}state_delta
{"player.coat": "“salvaged” oilskin", "world.sea": 1}
${F}`,
    prose: `The underwriters will have a word for it; you have yours.`,
    changes: { 'player.coat': '“salvaged” oilskin', 'world.sea': 1 },
  },
  {
    kind: 'quotation marks inside texts',
    reply: `Like a letter, she says. Like the start of somebody's name.

{"npc.ottoline.wound": "burn shaped like an 'S'"}`,
    prose: `Like a letter, she says. Like the start of somebody's name.`,
    changes: { 'npc.ottoline.wound': "burn shaped like an 'S'" },
  },
  {
    kind: 'quotation marks inside texts',
    reply: `C'est du théâtre, tout ça : la cape, la porte, la barre.

${F}state_delta
{'player.coat': 'd'Artagnan's cloak', 'flags.door_barred': true}
${F}`,
    prose: `C'est du théâtre, tout ça : la cape, la porte, la barre.`,
    changes: { 'player.coat': "d'Artagnan's cloak", 'flags.door_barred': true },
  },
  {
    kind: 'quotation marks inside texts',
    reply: `The mate has names for all her coats. This one she calls \`the grey\`; don't ask her why.

${F}state_delta
{"player.coat": "\`the grey\`"}
${F}`,
    prose: `The mate has names for all her coats. This one she calls \`the grey\`; don't ask her why.`,
    changes: { 'player.coat': '`the grey`' },
  },
  {
    kind: 'braces, colons and broken lines in texts',
    reply: `Two slats from the crate & the lining of your hat.

${F}state_delta
{"npc.ottoline.wound": "left arm: broken, set, splinted"}
${F}`,
    prose: `Two slats from the crate & the lining of your hat.`,
    changes: { 'npc.ottoline.wound': 'left arm: broken, set, splinted' },
  },
  {
    kind: 'braces, colons and broken lines in texts',
    reply: `There's a hood rolled up in the collar—eleven years you've owned this thing.

${F}state_delta
{"player.coat": "coat {with hood}", "player.warmth": 2}
${F}`,
    prose: `There's a hood rolled up in the collar—eleven years you've owned this thing.`,
    changes: { 'player.coat': 'coat {with hood}', 'player.warmth': 2 },
  },
  {
    kind: 'braces, colons and broken lines in texts',
    reply: `She's hot, she's cold; she's hot.

${F}state_delta
{"npc.ottoline.wound": "fever } chills", "world.sea": 1}
${F}`,
    prose: `She's hot, she's cold; she's hot.`,
    changes: { 'npc.ottoline.wound': 'fever } chills', 'world.sea': 1 },
  },
  {
    kind: 'braces, colons and broken lines in texts',
    reply: `Somewhere on the way up it went, and you went on.

{"player.coat": "[none]"}`,
    prose: `Somewhere on the way up it went, and you went on.`,
    changes: { 'player.coat': '[none]' },
  },
  {
    kind: 'braces, colons and broken lines in texts',
    reply: `The rag is stiff with salt.

${F}state_delta
{
  "player.coat": "grey wool,
 patched",
  "world.sea": 1
}
${F}`,
    prose: `The rag is stiff with salt.`,
    changes: { 'world.sea': 1 },
  },
  {
    kind: 'braces, colons and broken lines in texts',
    reply: `“Leave it,” says the mate. “It'll knit.”

${F}state_delta
{
  "npc.ottoline.faith": 2,
  "npc.ottoline.wound": "cracked shin,
  "player.warmth": -1
}
${F}`,
    prose: `“Leave it,” says the mate. “It'll knit.”`,
    changes: { 'npc.ottoline.faith': 2, 'player.warmth': -1 },
  },
  {
    kind: 'braces, colons and broken lines in texts',
    reply: `“Where?” she asks. You tell her. “Where?” she asks.

${F}state_delta
{"npc.ottoline.wound": "concussed; asks: \\"where?\\""}
${F}`,
    prose: `“Where?” she asks. You tell her. “Where?” she asks.`,
    changes: { 'npc.ottoline.wound': 'concussed; asks: "where?"' },
  },
  {
    kind: 'braces, colons and broken lines in texts',
    reply: `It's more tear than oilskin, by now.

${F}state_delta
{"player.coat": "oilskin // torn", "player.lamp_oil": -2}
${F}`,
    prose: `It's more tear than oilskin, by now.`,
    changes: { 'player.coat': 'oilskin // torn', 'player.lamp_oil': -2 },
  },
  {
    kind: 'braces, colons and broken lines in texts',
    reply: `"That's two," she says. "Collecting them, are you?"

${F}state_delta
{"npc.ottoline.wound": "cut #2, above the first", "flags.lamp_lit": false}
${F}`,
    prose: `"That's two," she says. "Collecting them, are you?"`,
    changes: { 'npc.ottoline.wound': 'cut #2, above the first', 'flags.lamp_lit': false },
  },
  {
    kind: 'braces, colons and broken lines in texts',
    reply: `You've sewn the two halves together; it's an engineer's coat now.

{"player.coat": "a/b: half wool = warm"}

The gull looks you up and down :-}`,
    prose: `You've sewn the two halves together; it's an engineer's coat now.

The gull looks you up and down :-}`,
    changes: { 'player.coat': 'a/b: half wool = warm' },
  },
  {
    kind: 'signs and ways to write numbers',
    reply: `The hawser parts with a noise like the end of an argument.

${F}state_delta
{"player.warmth": −5, "npc.ottoline.faith": +3}
${F}`,
    prose: `The hawser parts with a noise like the end of an argument.`,
    changes: { 'player.warmth': -5, 'npc.ottoline.faith': 3 },
  },
  {
    kind: 'signs and ways to write numbers',
    reply: `A spoonful for the hinge. It stops screaming.

${F}state_delta
{"player.lamp_oil": –2}
${F}`,
    prose: `A spoonful for the hinge. It stops screaming.`,
    changes: { 'player.lamp_oil': -2 },
  },
  {
    kind: 'signs and ways to write numbers',
    reply: `“Numbers,” sighs Ottoline over the barometer. “Always the numbers.”

${F}state_delta
{"player.warmth": "-4", "world.sea": "+2"}
${F}`,
    prose: `“Numbers,” sighs Ottoline over the barometer. “Always the numbers.”`,
    changes: { 'player.warmth': -4, 'world.sea': 2 },
  },
  {
    kind: 'signs and ways to write numbers',
    reply: `Half a cup. You pour it as if it were holy.

${F}state_delta
{"player.lamp_oil": -.5, "player.warmth": 0.75}
${F}`,
    prose: `Half a cup. You pour it as if it were holy.`,
    changes: { 'player.lamp_oil': -0.5, 'player.warmth': 0.75 },
  },
  {
    kind: 'signs and ways to write numbers',
    reply: `You've lost the feeling in one foot, and found it in the other.

${F}state_delta
{"player.warmth": "-5 degrees", "world.night": 1}
${F}`,
    prose: `You've lost the feeling in one foot, and found it in the other.`,
    changes: { 'world.night': 1 },
  },
  {
    kind: 'signs and ways to write numbers',
    reply: `"Bar it!" You bar it.

${F}state_delta
{"player.warmth": 32-5, "player.lamp_oil": 10%, "flags.door_barred": true}
${F}`,
    prose: `"Bar it!" You bar it.`,
    changes: { 'flags.door_barred': true },
  },
  {
    kind: 'signs and ways to write numbers',
    reply: `Ice on your lashes; the world has a white frame.

${F}state_delta
{"player.warmth": -3 (ice, no hat), "world.sea": 1-2}
${F}`,
    prose: `Ice on your lashes; the world has a white frame.`,
    changes: { 'player.warmth': -3 },
  },
  {
    kind: 'signs and ways to write numbers',
    reply: `The tanker gives you all it can spare, which is a great deal.

${F}state_delta
{"npc.ottoline.faith": 2, "player.lamp_oil": 1,000}
${F}`,
    prose: `The tanker gives you all it can spare, which is a great deal.`,
    changes: { 'npc.ottoline.faith': 2 },
  },
  {
    kind: 'signs and ways to write numbers',
    reply: `Fünf Grad weniger, und der Ofen ist aus.

${F}state_delta
{"world.sea": 1, "player.warmth": -2,5}
${F}`,
    prose: `Fünf Grad weniger, und der Ofen ist aus.`,
    changes: { 'world.sea': 1 },
  },
  {
    kind: 'signs and ways to write numbers',
    reply: `A long night's cold in one short breath.

${F}state_delta
{"player.warmth": -1.0, "npc.ottoline.faith": ++2, "world.sea": "~3"}
${F}`,
    prose: `A long night's cold in one short breath.`,
    changes: { 'player.warmth': -1 },
  },
  {
    kind: 'totals and words for numbers',
    reply: `You're shivering so hard that the spoon rings in the cup.

${F}state_delta
{"player.warmth": {"old": 32, "new": 24}, "world.sea": 1}
${F}`,
    prose: `You're shivering so hard that the spoon rings in the cup.`,
    changes: { 'world.sea': 1 },
  },
  {
    kind: 'totals and words for numbers',
    reply: `The wick drinks the last of it.

${F}state_delta
{"player.lamp_oil": {"from": 18, "to": 0}, "flags.lamp_lit": false}
${F}`,
    prose: `The wick drinks the last of it.`,
    changes: { 'flags.lamp_lit': false },
  },
  {
    kind: 'totals and words for numbers',
    reply: `“I thought you'd gone,” she says. “I thought you'd *gone*.”

${F}state_delta
{"npc.ottoline.faith": "a lot", "npc.ottoline.wound": "shaken, unhurt"}
${F}`,
    prose: `“I thought you'd gone,” she says. “I thought you'd *gone*.”`,
    changes: { 'npc.ottoline.wound': 'shaken, unhurt' },
  },
  {
    kind: 'totals and words for numbers',
    reply: `The hour of the wolf, your aunt used to call it; she had a dog that hated clocks.

${F}state_delta
{"player.warmth": "32 -> 27", "world.night": 1}
${F}`,
    prose: `The hour of the wolf, your aunt used to call it; she had a dog that hated clocks.`,
    changes: { 'world.night': 1 },
  },
  {
    kind: 'totals and words for numbers',
    reply: `Nothing but grey, from the rail to the end of the world.

${F}state_delta
{"player.warmth": [32, 30], "world.sea": "rising"}
${F}`,
    prose: `Nothing but grey, from the rail to the end of the world.`,
    changes: {},
  },
  {
    kind: 'totals and words for numbers',
    reply: `The cape's a gift, or a loan; with Ottoline it's hard to tell.

${F}state_delta
{"player.coat": {"old": "tarred canvas coat", "new": "felt cape"}, "npc.ottoline.faith": {"value": 9}}
${F}`,
    prose: `The cape's a gift, or a loan; with Ottoline it's hard to tell.`,
    changes: { 'player.coat': 'felt cape' },
  },
  {
    kind: 'totals and words for numbers',
    reply: `You drop the lantern. It doesn't break; something between you does.

${F}state_delta
{"npc.ottoline.faith": -2, "player.lamp_oil": -1 to -3}
${F}`,
    prose: `You drop the lantern. It doesn't break; something between you does.`,
    changes: { 'npc.ottoline.faith': -2 },
  },
  {
    kind: 'totals and words for numbers',
    reply: `“How cold?” — “Cold.”

${F}state_delta
{"player.warmth": {"old": 32, "delta": -6, "new": 26}, "world.sea": null}
${F}`,
    prose: `“How cold?” — “Cold.”`,
    changes: { 'player.warmth': -6 },
  },
  {
    kind: 'totals and words for numbers',
    reply: `Minus seven, says the glass, and the glass has always been an optimist.

${F}state_delta
player.warmth: minus seven
world.sea: 4 → 6
flags.door_barred: true
${F}`,
    prose: `Minus seven, says the glass, and the glass has always been an optimist.`,
    changes: { 'flags.door_barred': true },
  },
  {
    kind: 'totals and words for numbers',
    reply: `The last rocket. The *very* last.

${F}state_delta
{"milestones.signal_sent": true, "world.night": -1, "player.lamp_oil": half}
${F}`,
    prose: `The last rocket. The *very* last.`,
    changes: { 'milestones.signal_sent': true },
  },
]
