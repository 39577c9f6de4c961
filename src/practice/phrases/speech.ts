import type { Phrase } from '../phrase.ts'

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
