import type { TurnType } from './course.ts'

/** A change that a passage describes, labelled by hand: the words that say so, and what moves. */
export interface LabelledChange {
  /** Words of the one sentence that describes it. */
  words: string
  path: string
  by?: number
  to?: string | boolean
}

/** A reply and the changes in it. */
export interface LabelledPassage {
  passage: string
  changes: LabelledChange[]
}

/** One turn of a story that is the same in every version: the player's line and the reply. */
export interface ScoredTurn extends LabelledPassage {
  story: 'Nine Bells' | 'Lantern Shelf'
  kind: TurnType
  line: string
  /** A reply that the player retries before this one. */
  retried?: LabelledPassage
}

type Change = [words: string, path: string, moves: number | string | boolean]

function turn(kind: TurnType, line: string, passage: string, ...changes: Change[]): ScoredTurn {
  return { story: 'Nine Bells', kind, line, ...labelled(passage, ...changes) }
}

function labelled(passage: string, ...changes: Change[]): LabelledPassage {
  return {
    passage,
    changes: changes.map(([words, path, moves]) =>
      typeof moves === 'number' ? { words, path, by: moves } : { words, path, to: moves },
    ),
  }
}

const lantern = (kind: TurnType, line: string, passage: string): ScoredTurn => ({
  ...turn(kind, line, passage),
  story: 'Lantern Shelf',
})

/**
 * Played with the answers "Mira", "a brass whistle" and "the Lower Dial". The labels were written before any model saw the
 * passages. The retried replies are by Qwen2.5-Coder 1.5B, but for one.
 */
export const SCORED_STORY: ScoredTurn[] = [
  turn(
    'do',
    'walk over to the girl in the grey coat',
    'The girl does not run. She lets you cross the whole width of the square, past the stranded trams and a man shouting at a shutter, and only then spins the key once around her finger. "Brisa Tallow," she says. "I carry things. This one I was meant to carry to somebody else." Her smile slips a little at the corner. "He paid in advance, which nobody does. What would you pay?"',
  ),
  {
    ...turn(
      'say',
      'I have nothing to pay with, but the whole city stops without it.',
      'Brisa looks past you at the fountain, where the water has shrunk to a string. A child is holding a cup under it and waiting. "That is a dirty way to bargain," Brisa mutters, and she drops the key into your palm. It is heavier than it looks. "I want to see the top of the tower, then. And if you are lying to me, I push you off it." She sounds as if she likes you better already.',
      ['drops the key into your palm', 'flags.has_first_key', true],
      ['likes you better already', 'npc.brisa.trust', 5],
    ),
    retried: labelled(
      '"It is time for you to carry the first key to the market," Master Quillon says. "You should have done it before. We do not know what is sleeping under the hill."\n\nBrisa Tallow smiles again. "I\'ll give it to you later."\n\nYou pick up the brass whistle. It is still warm, and you are holding it at the end of your fingers.',
    ),
  },
  {
    ...turn(
      'continue',
      '',
      'The first tower stands at the end of Tinker Lane, with pigeons along its gutter and an official seal across the door. The wax is blue and still soft. Brisa sniffs it like a cook. "An hour old," she says. Inside, something small is ticking that ought not to be ticking. Behind you a shutter opens by the width of two eyes, then closes, and felt boots begin to move on the cobbles of the next street.',
    ),
    retried: labelled(
      'The girl in the grey coat looks at the key. "I need to find it," she says. "Can you help me?" Her smile widens as she looks at you. "I can help you," you say. "But I need the key."\n\nBrisa takes the key from you, looks at it for a moment, and then lets it fall on the ground. "I am sorry, Mira," she says.',
      ['Brisa takes the key from you', 'flags.has_first_key', false],
    ),
  },
  {
    ...turn(
      'do',
      'break the seal and unlock the door',
      'The wax splits, and the lock turns over with a long groan that half the lane must hear. A whistle answers from the corner. "They have seen us!" says Brisa, and she pulls you in by the strap of your bag and puts her shoulder to the door. Blue capes go by the keyhole, stop, and come back. Somebody out there reads your description aloud: one apprentice, chalk on the sleeve. The stairs begin in the dark behind you.',
      ['They have seen us', 'world.alarm', 15],
    ),
    retried: labelled(
      'Inside the tower, a man in a green suit is looking at the clock. He is still tired from the last night\'s work. "Mira, there is something wrong with the clock," he says. "I can\'t hear it. It seems to be going backwards."\n\n"What is it?" you ask. The man looks at you with a look that is both wary and pleased.',
    ),
  },
  turn(
    'do',
    'climb the stairs as fast as I can',
    'A hundred and eight steps go round and round the weight shaft, and after sixty your legs are shaking. Brisa counts aloud to annoy you. At eighty you have to stop with your forehead against the cold iron, breathing like a bellows. When you come out under the bell at last, the wind takes your cap. Far below, the wardens look no bigger than thimbles, and one of them is pointing straight up.',
    ['your legs are shaking', 'player.stamina', -4],
  ),
  {
    ...turn(
      'story',
      'A pigeon lands on the rail with a scrap of grey cloth in its beak.',
      'The pigeon looks at the two of you as though you were late. Brisa goes quite still. The cloth is the grey of a courier\'s coat, and there is a number stitched into it: seventeen. "That is Tam\'s," she says. "He had the round before me. He told everybody he was going to sea." She takes the scrap from the bird and folds it very small, and for the first time this morning there is no joke ready behind her teeth.',
      ['no joke ready', 'npc.brisa.mood', 'shaken'],
    ),
    retried: labelled(
      '"Brisa!" The pigeon caws, and it pecks at your nose. "We need to get out of here before the gates close. The clock is moving. They\'re getting closer. We need to hurry!"\n\nYou climb down the steps faster than you can walk. The stairs are narrow and steep. The first tower has disappeared behind you. The second tower is in front of you.',
      ['You climb down the steps faster', 'player.stamina', -2],
    ),
  },
  {
    ...turn(
      'do',
      'look for the part that is missing from the works',
      'The works fill the whole room below the bell, brass upon brass, and you go along them as Quillon taught you, with your fingertips and your eyes half shut. Third train, fourth train. There: an arbor that turns on nothing, with two clean scratches where a pinion used to sit. It was taken out by someone careful. The whistle in your pocket grows warm against your leg, and the nearest wheel leans towards it by the width of a hair.',
    ),
    retried: labelled(
      'You walk down the stairs slowly, looking for the part that is missing from the works of the clock. It is not there, and you feel a little alone. "What have you found?" you ask. Brisa smiles but looks a little alarmed. "I have not found it," she says. "I think it is under the hill." She points at the city\'s edge, where the market is.',
      ['looks a little alarmed', 'npc.brisa.mood', 'alarmed'],
    ),
  },
  {
    ...turn(
      'say',
      'Brisa, who paid you to steal the key?',
      'She takes a while over it, picking at the stitched number. "A clerk with clean cuffs," she says at last. "Not a thief\'s clerk. He had the seal of the Chancellor\'s house on his purse and he was ashamed of it." She looks up. "You did not shout at me. I thought you would shout." Down in the shaft a chain shifts by one link, all by itself, and the floor hums under your boots.',
      ['You did not shout at me', 'npc.brisa.trust', 5],
    ),
    retried: labelled(
      'Brisa looks at you in surprise, her eyes widening. "I didn\'t do it," she says. "I only followed the boy. He told me to go to the man who would pay for the key and to get it from him. I saw it with my own eyes. It was there."\n\nYou look at the clock. "And when?" Brisa looks at you. "I don\'t know."',
      ['Brisa looks at you in surprise', 'npc.brisa.mood', 'surprised'],
    ),
  },
  turn(
    'do',
    'cut a new pinion out of the brass plate by the window',
    'It takes the better part of an hour. You score the plate with the tip of the spanner, and Brisa holds it steady on the sill and complains about her fingers. Tooth by tooth the thing comes out of the brass, ugly and true. When you press it onto the arbor it slides home with a click that you feel in your jaw, and the whole train takes up its slack like a dog getting to its feet. You have never made a part before. You know how, now.',
    ['You know how, now', 'player.craft', 1],
  ),
  turn(
    'do',
    'wind the spring with the crank',
    'The crank is as long as your arm, and it does not want to be disturbed. Brisa takes the other side. Between you the ratchet goes over, once, then four times, then without stopping, and in the wall the great mainspring draws itself tight with a sound like a ship leaning into the wind. The needle on the tension dial climbs out of the red. Dust jumps from every ledge. Your palms are raw, and your back will remember this tomorrow.',
    ['mainspring draws itself tight', 'world.tension', 12],
    ['Your palms are raw', 'player.stamina', -3],
  ),
  turn(
    'do',
    'ring the first bell by hand',
    'You hang your whole weight on the rope, and for a moment nothing at all happens. Then the bell of the Market tower speaks. It goes out over the roofs like a thrown sheet, and down in the square ten thousand shutters fold open at once. People come out and look up. Somewhere a tramcar coughs, jerks and begins to roll along Tinker Lane with its door flapping and no driver. Brisa whoops and beats on the rail with both fists.',
    ['the bell of the Market tower speaks', 'milestones.first_bell', true],
    ['the bell of the Market tower speaks', 'player.towers_wound', 1],
    ['begins to roll along Tinker Lane', 'flags.trams_running', true],
  ),
  turn(
    'continue',
    '',
    'The cheering lasts for about a minute. Then the wardens find the door that you left unlocked. You can hear them on the stairs, not running, because nobody runs up a hundred and eight steps in felt boots, but coming. Brisa leans out over the gutter and measures the gap to the next roof with one eye. "It is a good jump," she says. "It is not a nice jump." Below her chin there are five storeys of air and a line of washing.',
  ),
  turn(
    'do',
    'jump across to the next roof after her',
    'You do not look down, and so you see the whole jump in the face of a woman at a window opposite, whose mouth makes a perfect O. Your boots strike the slates, slide, and stop against the chimney. The spanner does not. It goes over the edge with a cheerful clang and is gone. Brisa hauls you up by the collar. "You owe the street a tool," she says. All that is left in your pockets is the chalk.',
    ['left in your pockets is the chalk', 'player.carrying', 'a stub of chalk'],
  ),
  turn(
    'do',
    'hide behind the chimney until the wardens are gone',
    "The bricks are warm from somebody's breakfast. You fold yourselves into the corner between the chimney and the parapet, knees against knees, and a loose tarpaulin covers the rest. Nobody on the tower could see you here. Boots scrape, a voice says that the birds have flown, and after a long time another voice agrees and wonders aloud about lunch. The search moves off towards the Mint, calling to itself more and more faintly.",
    ['Nobody on the tower could see you', 'flags.in_hiding', true],
    ['search moves off towards the Mint', 'world.alarm', -10],
  ),
  turn(
    'say',
    'What do you know about the thing under the hill?',
    'Brisa shrugs under the tarpaulin. "Children hum at it. My gran used to put her ear to the cellar floor and come up smiling, and then one winter she came up crying and would never say why." She hums the note for you, low and a little flat. The whistle in your pocket answers so softly that it might be your own blood. Noon comes over the roofs with no bell to announce it, only shadows that have drawn in their feet.',
    ['Noon comes over the roofs', 'world.hour', 'noon'],
  ),
  turn(
    'do',
    'eat some bread and rest for a while',
    'There is half a loaf in Brisa\'s satchel, and she breaks it with great ceremony and gives you the larger half. You eat with your backs to the bricks. The ache goes out of your legs by degrees, and your hands stop trembling. A cat comes along the ridge, considers the crusts, and stays for the company. When you stand up again the slates no longer seem to move. "Better," says Brisa. "You were the colour of candles."',
    ['The ache goes out of your legs', 'player.stamina', 4],
  ),
  turn(
    'do',
    'go down to the Lower Dial where everybody knows me',
    'You come down by the fire stairs behind the dyer\'s, straight into the noise of the Lower Dial at market time. "Mira! Chalk and all!" cries Mother Pell from her soup cart, loud enough for the whole row, and a dozen heads turn. Two of them wear blue. One warden nudges the other and reaches for his whistle. Brisa pulls her hood up. "Your friends," she says through her teeth, "are going to get us hanged with kindness."',
    ['reaches for his whistle', 'world.alarm', 10],
    ['You come down by the fire stairs', 'flags.in_hiding', false],
  ),
  turn(
    'say',
    'Mother Pell, can you keep those two wardens busy?',
    'Mother Pell does not even look round. She gives her cart one shove with her hip, and four gallons of barley soup go across the cobbles between you and the wardens in a slow brown tide. "Oh, my poor soup! Oh, gentlemen, your boots!" There is nothing for it but to let her dab at them with a cloth. By the time they are free of her they have forgotten which way you went, and one of them is holding a dumpling.',
    ['forgotten which way you went', 'world.alarm', -10],
  ),
  turn(
    'continue',
    '',
    'The second tower has no street of its own. It rises out of the roof of the Mint, and to reach it you have to pass through the counting hall, where forty clerks are counting by hand because the machines have stopped. None of them looks up. At the far end, under a portrait of herself, a tall woman in black is writing a letter with the paper held against the wall. She has not slept. You can see that from here.',
  ),
  turn(
    'say',
    'Chancellor Vane, why do you want the bells silent?',
    'The Chancellor finishes her line before she turns. "Because I can hear what they do to it," she says, quite gently. "Every stroke. You are the child who rang the Market bell. I felt that one in my teeth." She folds the letter. "I will say this once as advice. Go home, Mira. That is your first warning, and I do not give many." Her eyes rest on your sleeve, on the chalk, and then on the place where Brisa is trying to be a pillar.',
    ['That is your first warning', 'npc.vane.warnings', 1],
  ),
  {
    ...turn(
      'do',
      'show the Chancellor the brass whistle',
      'You hold it out on your open palm. For the length of a breath she is not the Chancellor at all but somebody much younger who has been handed a letter from home. "Where did Quillon get the metal?" she asks, and then, "No. I know where." She sits down on the edge of a clerk\'s desk. "I had thought that there was only one way to let it rest," she says. It is the first thing she has said that is not certain.',
      ['not certain', 'npc.vane.resolve', -8],
    ),
    retried: labelled(
      'The clerks go on counting. For a while the only sound in the hall is the scratching of forty pens.',
    ),
  },
  turn(
    'say',
    'Tell me what sleeps down there.',
    '"It has no name, because it never needed one," says Vane. "It was here before the hill. The founders found a heartbeat in the rock, and they hung a city on it like a coat on a hook. Each bell is a tug at its sleep. For three hundred years we have been waking it by inches, and it is in pain." In the silence forty pens go on scratching. Brisa has forgotten to be a pillar, and there are tears on her face.',
    ['and it is in pain', 'milestones.truth_below', true],
    ['there are tears on her face', 'npc.brisa.mood', 'grieved'],
  ),
  turn(
    'do',
    'promise the Chancellor to find another way',
    'Vane considers you as one considers a bridge made of string. "People have promised me things all my life," she says. "They were all older than you, and none of them had chalk on their nose." She tears the letter across and drops it into the basket. "You have until the ninth hour. I shall not help you. But I shall tell my wardens that I have not made up my mind, and that happens to be true."',
    ['I have not made up my mind', 'npc.vane.resolve', -10],
  ),
  turn(
    'story',
    'Far away, the second bell stops in the middle of a stroke.',
    'It is not a loud thing, a bell that stops. It is a step that is not there in the dark. All over the Mint the lamps go down to blue beads, and the big press in the next room sinks to its knees with a sigh. "Two," says Brisa. The clerks lay down their pens one after another and look at the ceiling. Far under the floor something turns over in its sleep, and the inkwells ring against their saucers.',
    ['Two', 'world.bells_silent', 1],
    ['lamps go down to blue beads', 'world.tension', -8],
  ),
  turn(
    'do',
    'run up to the second tower through the counting hall',
    "Nobody stops you. The Chancellor's guard half lifts a hand, looks at her face and puts the hand in his pocket. The stair of the Mint tower is iron and open, so that you climb through your own shadow, and the treads ring like a scale played by someone angry. Brisa passes you at the second landing and waits at the third with her hands on her hips. The door at the top is ajar. It should not be ajar.",
  ),
  turn(
    'do',
    'push the door open and look inside',
    'Someone has been living here. There is a blanket, a candle end, a row of apple cores arranged by size, and in the corner a boy in half a grey coat who holds a bell clapper like a club. "Tam?" says Brisa. The clapper goes down. "They said I could come home when all nine were quiet," he says, and his voice has not been used for weeks. On a nail above him hangs the part that he unscrewed: a small, bright governor with three arms.',
  ),
  turn(
    'say',
    'Nobody is going to hurt you, Tam. May I have the governor?',
    'He looks at Brisa for the answer, and she nods with her whole body. He takes the little governor from its nail and gives it to you in both hands, as one gives back a bird. You wrap it in your handkerchief beside the chalk. Brisa sits down next to him and puts her own coat around his shoulders. "You found him," she says to you over his head. "I will not forget that you found him." She means it.',
    ['gives it to you in both hands', 'player.carrying', 'a stub of chalk and a governor with three arms'],
    ['I will not forget that you found him', 'npc.brisa.trust', 10],
  ),
  turn(
    'do',
    'fit the governor back into the works',
    "The spindle is bent by less than the thickness of a fingernail, and that is enough to throw the arms. You straighten it against the window frame and a hymn that Quillon hums. It takes six tries. At the sixth the governor spins up without a tremble, its three arms rise like a dancer's skirt, and you understand at last why it is there: it keeps the tower from ever pulling too hard. You understand rather more than that, if you are honest.",
    ['you understand at last why it is there', 'player.craft', 1],
  ),
  turn(
    'continue',
    '',
    'If one governor can be set to pull gently, then so can nine. You say nothing of it yet, because it is too large to say. Tam has fallen asleep against the weight case. Through the louvres the light has turned yellow and long, and the shadows of the chimneys reach right across the city to the river. It is late in the afternoon already. Somewhere a baker, who has a fire and needs no clockwork, is selling bread to everybody.',
    ['late in the afternoon', 'world.hour', 'late afternoon'],
  ),
  turn(
    'do',
    'wind the second bell until the spring holds, then ring it',
    'This time you set the governor low before you wind, and the ratchet goes round like a cat turning in a basket. The spring holds. When the bell of the Mint rings out, it is softer than it ever was, a spoon on a good glass, and nothing shakes. Under the hill the hum rises, wavers and does not break. All the lamps in the counting hall come up together, and forty clerks, who never cheer, cheer.',
    ['the bell of the Mint rings out', 'player.towers_wound', 1],
    ['The spring holds', 'world.tension', 10],
  ),
  turn(
    'say',
    'Brisa, do you trust me now?',
    'She pretends to think about it, walking along the window sill with her arms out. "You tell the truth when it costs you," she says. "You jump badly. You let Tam sleep." She hops down and spits in her palm and holds it out, as the couriers do when they take an oath. "To the ninth tower and whatever is behind it, then. I swear it." Her hand is small and very hard, and she does not let go first.',
    ['I swear it', 'milestones.brisa_sworn', true],
    ['as the couriers do when they take an oath', 'npc.brisa.trust', 8],
  ),
  turn(
    'do',
    'ask Tam which tower they mean to stop next',
    'Tam wakes as couriers wake, all at once. "Weavers\'," he says. "At six. There is a woman there who does it with a hairpin, she is quicker than any of us." He rubs his eyes with the heel of his hand. "But the order does not come from the Chancellor, you know. She only says which ones she can bear least. It is the clerk with the clean cuffs who has the list, and his list has ten lines on it. There are only nine towers."',
  ),
  turn(
    'do',
    'go down the outside stairs towards the tower of the Weavers',
    'You are halfway down when the clerk with the clean cuffs steps out onto the landing beneath you and raises a silver whistle to his lips. One long note, then a second. Every window in the court has a face in it at once. "That is the apprentice!" he calls in a high, clear voice. "That is she, with the chalk!" Blue capes spill out of the guardroom below. Brisa says a word that you did not know she knew.',
    ['That is the apprentice', 'world.alarm', 18],
  ),
  turn(
    'do',
    'slide down the drainpipe into the yard of the dyers',
    'The pipe is hot from the sun and takes the skin off your knees. You land up to the waist in a vat of something blue, and it is a mercy that it is cold. Brisa lands in yellow. For a moment you can only look at each other. Then she begins to laugh, helplessly, with her hand over her mouth, and the old dyer who owns the vats laughs too, and lifts a wet sheet on the line so that you can pass behind it.',
    ['Then she begins to laugh', 'npc.brisa.mood', 'merry'],
  ),
  lantern(
    'do',
    'take the green book down and open it at the ribbon',
    'The cover comes away from the shelf with a small wet kiss. Inside, the pages have gone soft as cloth, and the ink has run everywhere but on the one that the ribbon marks. It is a page of sums in a child\'s hand: so many buns, so many pennies, and at the bottom, underlined three times, "enough for the boat". Somebody has pressed a dandelion there. Over your head the brass lantern gives a tick, as lamps do when they warm.',
  ),
  lantern(
    'say',
    'Hello? Is somebody upstairs?',
    "The floor holds its breath. Then Marmalade comes down, one stair at a time, with the face of a landlord who has been asked about the noise. There is a drop of water on each of his whiskers. He walks past you to the counter, sits down beside the drawer under the clock, and looks deeply offended. From above comes a smell of river and of somebody else's tea, and after it, quite distinctly, the sound of a cup being set down.",
  ),
  lantern(
    'do',
    'look into the drawer under the clock',
    "The drawer sticks, as it always has, and then gives all at once. Under the string and the spare fuses lies a long ledger in your great-aunt's upright hand: a date, a title, a name, and a line for each. The last entry is for the Sunday before she left. There is no title in it. In the column of names she has written her own, and in the last column, where the others have a sentence, there is only a pressed dandelion.",
  ),
  lantern(
    'continue',
    '',
    'You lay the two dandelions side by side on the blotter. They have the same bent stalk. Marmalade puts one paw on the nearer of them, not roughly, and looks up the stairs. The clock says ten to eight, and it has said so for some time. Rain finds the loose tile again and begins to count in the bucket. A shadow goes by outside the window, stops at the letterbox, and seems to think better of it.',
  ),
  lantern(
    'story',
    'Somebody knocks on the door of the shop, twice and then once.',
    'It is Mr. Abernathy, without his bag and with his collar turned up, on a night when there is no post. "I would not trouble you," he says, and drips on the mat. "Only they come all the way to your step this evening, and they do not go back." He moves his lantern a little to one side. Behind him, in the shine on the stones, is a row of bare wet footprints, quite small, that ends exactly where the door begins.',
  ),
  lantern(
    'say',
    'Come in, Mr. Abernathy. What do you make of this page?',
    'He holds the green book close to his spectacles and reads the sums twice with his lips moving. A blush climbs slowly out of his collar. "I sold those buns," he says. "I was nine. There was a girl who always bought the burnt ones, and she was saving for something, and she never would tell me what." He turns the page over, but the back of it is blank. "Fancy her keeping count. I never knew her name, you see. I only knew the bicycle."',
  ),
]
