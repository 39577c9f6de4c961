import type { Phrase } from '../phrase.ts'
import type { Manner } from './word-lists.ts'

/** Narrates an action. `$clause` is "open the rusty door", `$doing` "opening the rusty door", `$result` what happens. */
export const ACTION_FRAMES: readonly Phrase[] = [
  'You $clause, and $result.',
  'You $clause. $Result.',
  'As you $clause, $result.',
  'When you $clause, $result.',
  'No one stops you when you $clause, and $result.',
  'It takes {a moment|a breath or two|a little nerve} to $clause, and then $result.',
  '$Doing is {simple enough|easier than you had expected|the natural thing to do}, and $result.',
  '$Doing, you find that $result.',
  'At first nothing comes of it when you $clause, but then $result.',
  'Without {hurry|haste|another thought}, you $clause, and $result.',
  'There is no reason not to $clause; $result.',
  'Now that you $clause, $result.',
  'For once it is easy to $clause, and $result.',
  'It is enough to $clause; $result.',
]

/** Narrates an action that cannot be turned into a clause, by its object. */
export const THING_FRAMES: readonly Phrase[] = [
  'Everything narrows to $thing for a moment, and $result.',
  'Your attention settles on $thing, and $result.',
  'It begins with $thing, as it was bound to, and $result.',
  'With $thing it is never quite simple; still, $result.',
  'You turn to $thing and do what you meant to do, and $result.',
  'Because of $thing you are slower than you would like to be, and $result.',
]

/** Continues from story text that the player wrote. */
export const TALE_FRAMES: readonly Phrase[] = [
  'So it is: with $thing, the whole scene {shifts|turns} a little, and $result.',
  'That changes matters. You look at $thing as if for the first time, and $result.',
  'From here on there is $thing to reckon with, and $result.',
  'You take it in piece by piece, $thing last of all, and $result.',
  'It happens just so, and $result; there is no looking past $thing now.',
  'No plan had room for $thing, yet $result.',
]

export const BARE_TALE_FRAMES: readonly Phrase[] = [
  'So it happens, {plainly|without fuss}, and $result.',
  'It is {exactly|just} as you would tell it later: $result.',
  'That is how it goes, and $result.',
  'You take it in piece by piece, and $result.',
  'The scene moves on by one step, and $result.',
]

/** For lines that cannot be understood. */
export const ODD_FRAMES: readonly Phrase[] = [
  'What you do {then|next} is hard to put into words, and $result.',
  'It is a {curious|small and private} gesture, and no one here has a name for it, yet $result.',
  'You do something that you {could not explain afterwards|have never done before|will not speak of later}, and $result.',
  'Whatever it means, it means it {quietly|in its own way}; $result.',
  'A {sign|signal} passes from you into the air, {half|all but} unread, and $result.',
  'Some things need no words. You let the moment {have its shape|pass through you|be what it is}, and $result.',
  'Call it {an impulse|a sign|a dare}, for want of a better name; $result.',
  'It is over before you can say what it was, and $result.',
  'Nobody asks you to explain yourself, and $result.',
  'You follow a {whim|notion} too {brief|slight} to be called a plan, and $result.',
]

/** Results of an action: clauses that fit after "and" and can stand alone. They fit singular and plural things of any kind. */
export const RESULTS: Readonly<Record<Manner, readonly Phrase[]>> = {
  look: [
    'details come forward one by one, as if they had been waiting their turn',
    'the longer you look, the less of it seems to be {chance|accident}',
    'there are marks that someone took care to {hide|leave}',
    'you notice what is missing before you notice what is there',
    'a {scuff|smudge} and a loose thread tell you that someone was here not long ago',
    'what seemed plain turns out to be crowded with small things',
    'your eye keeps returning to {one spot|the same dim corner|a place it has no reason to like}',
    'one part is {newer|cleaner|older} than everything around it',
    'something glints and is gone when you move your head',
    "you find a line too straight to be nature's work",
  ],
  go: [
    'the sound of your footsteps changes under you',
    'the distance is shorter than it seemed',
    'each step makes what is behind you a little less certain',
    'the view alters just enough to make you stop',
    'you have the feeling of crossing a line that no one drew',
    'what the angle had hidden comes into sight',
    'your courage {keeps up with you, one step behind|is waiting for you when you get there}',
    'a draught on your {cheek|wrist} tells you that there is a way through',
    'you can tell that someone has come this way before you, and lightly',
  ],
  open: [
    'something gives with a {long, low note|sigh|dry click}',
    'a breath of cooler air comes out to meet you',
    'a second try and a little patience are all that is needed',
    'there is a smell of {cedar and dust|old paper|iron and rain}, years deep',
    'for an instant you expect to find someone on the other side',
    'what was shut has not been shut for long',
    'the inside is larger than the outside let you guess',
    'a thin line of light {widens|grows} until it reaches your feet',
  ],
  take: [
    'the weight is not what you had prepared for',
    'your fingers close on something {colder|warmer|heavier} than you expected',
    'a clean shape stays behind where nothing had been moved for years',
    'nobody calls out to {stop|warn} you',
    'you have the odd sense of being handed it',
    'a scrap of paper, folded very small, drops out and lands by your boot',
    'you feel {at once richer and more watched|a little less empty-handed}',
  ],
  talk: [
    'your words are heard, that much is certain',
    'the pause before the answer says almost as much as the answer',
    'a {guarded|thoughtful|long} look comes back before any words do',
    'what you hear in return is {kinder|more careful} than you feared',
    'it is clear that nobody has {asked|said} as much in a long time',
    'something in the tone of the reply invites you to go on',
    'you are met with half a smile and {half|most} of the truth',
  ],
  listen: [
    'under the first silence there is a second one, and it is not empty',
    'a slow rhythm comes through, patient as breathing',
    'you make out {two|three} sounds that do not belong together',
    'the faintest of the sounds is also the nearest',
    'you could swear that somebody, far off, is humming',
    'a murmur rises, almost forms a word, and thinks better of it',
    'what you took for {the wind|your own pulse} stops when you hold your breath',
  ],
  wait: [
    'time loosens until you can hear it',
    'what was moving comes to rest, and what was still begins to stir',
    'patience turns out to be a kind of looking',
    'the light moves by the width of a hand',
    'your breathing finds a slower pace',
    'the place forgets that you are there and goes about its business',
    'nothing comes, and then, quite plainly, something does',
  ],
  touch: [
    'there is resistance, and after that there is none',
    'a tremor runs up into your wrist and fades',
    'you feel a faint warmth where there should be none',
    'somewhere out of sight a weight slides home',
    'a fine dust comes loose and hangs in the air like a held thought',
    'the feel of it is rougher than it looked, and more real',
    'a {thud|knock} answers from deeper in',
  ],
  give: [
    'the offer is taken more gravely than you made it',
    'there is a pause in which two people might become friends',
    'something is returned to you that is not easy to name',
    'it is clear at once that this was the right thing to do',
    'the balance of the moment tips gently in your favour',
    'you are left with lighter hands and a steadier heart',
  ],
  make: [
    'your hands remember more than you do',
    'the work goes well once you stop watching yourself do it',
    'it is not perfect, but it is {unmistakably|wholly} yours',
    'the small task makes a small peace around it',
    'something comes of it that you did not quite intend',
    'you are so taken up with it that you almost miss the sound behind you',
  ],
  light: [
    "the dark draws back by an arm's length and no more",
    'a {gold|soft} brightness trembles, steadies and stays',
    'shadows leap up, look about and sit down again',
    'faces and corners that you had not suspected step forward',
    'the smell of smoke, thin and homely, goes up past you',
    'you see how close you were standing to the edge of something',
  ],
  fight: [
    'the blow lands on less than you thought was there',
    'whatever opposed you gives ground, without a sound',
    'your anger is spent before your strength is',
    'there is a scuffle, a gasp, and then only your own breathing',
    'you learn something about {your reach|your nerve} and something about your enemy',
    'in the end it is resolve that counts, and yours holds',
  ],
  think: [
    'the pieces lie a little closer together than before',
    'an old memory lifts its head, looks at you and lies down again',
    'you are surer of the question, if not of the answer',
    'something inside you comes to rest',
    'your own mind turns out to be good company',
    'one name keeps coming back, uncalled',
  ],
  hide: [
    'you make yourself as small as the space allows',
    'a shadow crosses the place where you stood a moment ago',
    'you learn how loud your own heart can be',
    'whatever was coming slows, considers and goes by',
    'from here you see more than you could out in the open',
  ],
  eat: [
    'the taste brings back a place you had forgotten',
    'warmth spreads through you by slow degrees',
    'there is a note in it that you cannot name, neither sweet nor bitter',
    'you had not known how much you needed it',
    'for a moment the world is no larger than this',
  ],
  any: [
    'nothing hurries to answer',
    'the whole place seems to {lean closer|pay attention|wait with you}',
    'something small, half asleep, shifts just out of sight',
    'a sound you had stopped hearing comes back',
    'what follows is gentler than you feared',
    'the first thing to change is the feel of the air',
    'it asks for less courage than you had set aside',
    'a little of the unease goes out of {the hour|your shoulders}',
    'you learn one thing that you did not know a minute ago',
    'the answer, if there is one, is slow to arrive',
    'your hands are steadier than you would have guessed',
    "something in the order of things gives way by a finger's breadth",
    'whoever came before you must have done the same',
    'you are {almost|quite} sure that it was noticed',
    'a pattern begins to show, faint as {pencil|breath on glass}',
    'one moment opens, as moments do, onto another',
    'you catch yourself smiling at how simple it was',
    'there is a change, though it would be hard to point to it',
    'the silence afterwards has a different shape',
    'a {soft|dull|clear} {click|tap} answers from not far off',
    'for once your luck and your judgement agree',
    'the hour seems to make room for it',
    'you cannot shake the idea that you have done it before',
    'nobody could say that you did not try',
  ],
}

/** The player's words. `$words` is a short quotation, `$who` is the listener. */
export const QUOTED: readonly Phrase[] = [
  '"$Words": your {voice|tone} is {steadier|softer} than you expected, and it carries.',
  'Your words, "$words," hang {for a moment|a little while} in the air before anyone takes them up.',
  '"$Words," you say, and it is heard by more ears than you can see.',
  'The words leave you easily: "$words." They do not go unheard.',
  'There is no taking it back now: "$words" has been said and heard.',
  '"$Words." It sounds {larger|plainer|braver} aloud than it did in your head.',
  'Somebody hears your "$words" and stops to think about it.',
  'You let "$words" stand by itself, and it is heard.',
]

export const UNQUOTED: readonly Phrase[] = [
  'Your words go out plainly, and they are heard to the end.',
  'You say your piece, and nobody interrupts you.',
  'It takes some breath to say all that, but every word is heard.',
  'What you say is {listened to|weighed} with more care than you expected.',
  'You speak, and the listening around you grows {deeper|closer}.',
  'Once you begin, the words find their own way out, and they are heard.',
  'When you have finished speaking, the pause is a {friendly|thoughtful} one.',
  'No word of it is lost; you can tell by the stillness that comes after.',
]

/** A question, asked aloud. */
export const ASKED: readonly Phrase[] = [
  '"$Words?" Your voice is {steadier|softer} than you expected, and it carries.',
  'You ask it aloud: "$Words?" Every ear near by has heard you.',
  '"$Words?" Once it has been asked and heard, it cannot be taken back.',
  'The question is out before you can soften it: "$Words?" It does not go unheard.',
  'Clear as a coin on a counter, your question lands: "$Words?"',
  '"$Words?" you ask, and somebody hears you and stops to think.',
]

/** Words about a thing in the story. */
export const ABOUT: readonly Phrase[] = [
  'At the mention of $thing there is a small, sharp silence.',
  'You have named $thing aloud, and that alone seems to change something.',
  'To speak of $thing here is bolder than you knew, and it is heard.',
  'It is the mention of $thing that is heard best; you see it land.',
  'You speak of $thing, and the listening around you grows closer.',
  'Word of $thing, it seems, has been waited for.',
]

export const ANSWERS = {
  greeting: [
    '"{Well met|Good to see you|There you are}," says $who, {and means it|with something like relief|making room for you}.',
    '"I hoped that somebody would come," says $who, "and I am glad that it is you."',
    '$Who looks up and smiles. "You sound like a friend. Sit down, if you can spare the time."',
    '"You are early," says $who, "or else I am late. It happens."',
    '$Who nods. "A good word to begin with. Most people begin with a question."',
  ],
  farewell: [
    '"Go well," says $who, "and come back by the same road if you can."',
    '$Who lifts a hand. "I will say nothing of this until you return."',
    '"So soon?" asks $who, but does not hold you back.',
    '$Who nods slowly. "Then take one thing with you: it is not over yet."',
  ],
  thanks: [
    '"It was little enough," says $who, {looking pleased|and looks away, pleased}.',
    '$Who waves it off. "Do the same for the next one who comes."',
    '"Thank me when it has worked," says $who.',
    '"You would have found it without me," says $who, "only later, and in worse weather."',
  ],
  question: [
    '"That depends," says $who, "on who else has asked you the same."',
    '$Who takes a while to answer. "I used to know. Ask me again when it is {dark|quieter}."',
    '"You are the {second|third} person to ask me that," says $who, "and the first to wait for the answer."',
    '"Not here," says $who in a lower voice. "Walk with me a little first."',
    '$Who shakes a head slowly. "The honest answer is that nobody knows. The other answer is longer."',
    '"Look for what does not belong," says $who. "It has been in plain sight since you came."',
    '"I can tell you half of it," says $who, "and the half I know is not the better one."',
    '$Who almost laughs. "If I could answer that, I should not still be here."',
    '"Some say one thing and some another," says $who. "I say, follow the {cold|draught|smell of smoke}."',
    '"Yes," says $who at last. "But not in the way you mean it."',
  ],
  statement: [
    '"So I have heard," says $who, {and seems to weigh it|without surprise}.',
    '$Who considers this. "Then we want the same thing, or nearly."',
    '"I believe you," says $who, "which is more than I expected to say today."',
    '"Say that once more," says $who, "slowly. I want to be sure of every word."',
    '$Who listens with a tilted head. "You are not the first. You may be the last, though."',
    '"Careful," says $who. "Things said here have a way of coming true."',
    '"Hm," says $who, and it is a friendly sort of sound.',
    '$Who says nothing at first, then nods. "Good. Then you should know the rest as well."',
    '"I had it from somebody else the other way round," says $who, frowning.',
  ],
} as const satisfies Record<string, readonly Phrase[]>

/** When nobody is near enough to reply. */
export const UNANSWERED: readonly Phrase[] = [
  'No voice comes back, and yet the silence has {the feel of an answer|turned its face to you}.',
  'An echo returns the last of it, {slightly changed|a shade too late}.',
  'Nobody replies in words, but something near by has stopped moving in order to listen.',
  'If there is a reply, it is the small {knock|creak} that follows.',
  'For a while it seems that no one will reply; then, well out of sight, somebody clears a throat.',
  'Only the hush replies, and it is a thoughtful hush.',
  'You get no reply but the sense of having been understood.',
  'Whoever heard you is not ready to be seen.',
]
