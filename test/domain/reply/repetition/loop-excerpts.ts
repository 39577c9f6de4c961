/** A passage that people wrote, and that repeats for a reason. Public domain. */
export interface Excerpt {
  author: string
  work: string
  why: string
  text: string
  /** What stood before it. */
  earlier?: string
}

/** Repetition that is no loop. */
export const EXCERPTS: readonly Excerpt[] = [
  {
    author: 'Robert Louis Stevenson',
    work: 'Treasure Island',
    why: 'what a parrot says',
    text: `And the parrot would say, with great rapidity: “Pieces of eight! pieces of eight! pieces of eight!” till you wondered that it was not out of breath or till John threw his handkerchief over the cage.`,
  },
  {
    author: 'Lewis Carroll',
    work: 'Alice’s Adventures in Wonderland',
    why: 'the refrain of a song',
    text: `See how eagerly the lobsters and the turtles all advance!
They are waiting on the shingle—will you come and join the dance?

Will you, won’t you, will you, won’t you, will you join the dance?
Will you, won’t you, will you, won’t you, won’t you join the dance?`,
  },
  {
    author: 'Rudyard Kipling',
    work: 'Just So Stories',
    why: 'what happens three times in a tale',
    text: `“*Kun?*” said All-the-Cow-there-was.

“*Payah kun*,” said the Eldest Magician; and he breathed upon the bare patch where she had eaten, and upon the place where she had sat down, and one became the great Indian Desert, and the other became the Desert of Sahara, and you can look them out on the map.

He went West, and he found All-the-Beaver-there-was making a beaver-dam across the mouths of broad rivers that had been got ready for him.

“*Kun?*” said All-the-Beaver-there-was.

“*Payah kun*,” said the Eldest Magician; and he breathed upon the fallen trees and the still water, and they became the Everglades in Florida, and you may look them out on the map.`,
  },
  {
    author: 'The King James Bible',
    work: 'Genesis 1',
    why: 'a litany',
    text: `And God called the light Day, and the darkness he called Night. And the evening and the morning were the first day.

And God said, Let there be a firmament in the midst of the waters, and let it divide the waters from the waters.

And God made the firmament, and divided the waters which were under the firmament from the waters which were above the firmament: and it was so.

And God called the firmament Heaven. And the evening and the morning were the second day.`,
  },
  {
    author: 'Charles Dickens',
    work: 'A Tale of Two Cities',
    why: 'sentences with the same beginning',
    text: `It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness, it was the epoch of belief, it was the epoch of incredulity, it was the season of Light, it was the season of Darkness, it was the spring of hope, it was the winter of despair.`,
  },
  {
    author: 'The Brothers Grimm',
    work: 'The Goose-Girl',
    why: 'a spell that was said before',
    earlier: `She cried out quickly-- "Blow, breezes, blow! Let Curdken's hat go! Blow breezes, blow! Let him after it go!"`,
    text: `"Blow, breezes, blow! Let Curdken's hat go! Blow breezes, blow! Let him after it go!" And soon came a gale of wind, and carried away Curdken's hat, while the girl went on combing and curling her hair.`,
  },
]

/** What is no loop either, but repeats as much as one. */
export const TAKEN_FOR_LOOPS: readonly Excerpt[] = [
  {
    author: 'Rudyard Kipling',
    work: 'Just So Stories',
    why: 'the same is done to four animals',
    text: `He took the Elephant—All-the-Elephant-there-was—and said, “Play at being an Elephant,” and All-the-Elephant-there-was played. He took the Beaver—All-the-Beaver-there-was—and said, “Play at being a Beaver,” and All-the-Beaver-there-was played. He took the Cow—All-the-Cow-there-was—and said, “Play at being a Cow,” and All-the-Cow-there-was played. He took the Turtle—All-the-Turtle-there-was—and said, “Play at being a Turtle,” and All-the-Turtle-there-was played. One by one he took all the beasts and birds and fishes and told them what to play at.`,
  },
  {
    author: 'James Joyce',
    work: 'Ulysses',
    why: 'a list in one sentence',
    text: `And there sat with him the high sinhedrim of the twelve tribes of Iar, for every tribe one man, of the tribe of Patrick and of the tribe of Hugh and of the tribe of Owen and of the tribe of Conn and of the tribe of Oscar and of the tribe of Fergus and of the tribe of Finn and of the tribe of Dermot and of the tribe of Cormac and of the tribe of Kevin and of the tribe of Caolte and of the tribe of Ossian.`,
  },
]
