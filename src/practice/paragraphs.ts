/** Text with slots: `$words`, or `$Words` for the same with a capital letter. */
export type Template = string

/** Openings of a reply, by kind of turn. `$did` fits after "you"; `$words` has no final punctuation. */
export const LEADS = {
  begin: lines(`
    It begins, as such things do, a little before you are ready.
    You have come farther than you meant to today, and this is the place.
    A long road lies behind you, and an open question ahead.`),
  continue: lines(`
    You let the moment run on.
    For now you only watch.
    You hold your peace, and things go on without you.
    A while goes by, and it feels longer than it is.
    There is nothing to be said just yet.
    You keep still, and let the next thing come to you.
    Before you have made up your mind, the next moment is already here.
    You give it time, since time is what it seems to want.`),
  deed: lines(`
    As you $did, you can feel the moment take an interest in you.
    You $did, and for once nothing gets in the way.
    Nothing stops you when you $did, though you had half expected that something would.
    You take a breath before you $did, and another one after.
    It is only when you $did that you notice how still everything has become.
    Once you $did, there is no going back, and you find that you do not mind.
    When you $did, it feels less like a choice than like the next step.
    Before you can talk yourself out of it, you $did.
    So you $did, and nobody tells you not to.
    You $did because it has to be done, and because nobody else is going to do it.
    You had thought about it for too long already; now you $did, and that is that.
    While you $did, your hands are steadier than your thoughts.`),
  attempt: lines(`
    This is where it counts: $words.
    Everything you have goes into it: $words.
    There is no half doing of this: $words.`),
  speech: lines(`
    "$Words," you say, and it comes out plainer than it sounded in your head.
    Your words, "$words," stay in the air a little longer than words usually do.
    You hear yourself say it, "$words," and there is no taking it back.
    It is said now: "$words."
    "$Words." You had not planned to say it, but it was on its way out all along.
    You let "$words" stand by itself, and add nothing.
    With "$words" you have the ear of whoever is listening.
    "$Words," you say, and mean it, which surprises you a little.`),
  question: lines(`
    You ask it aloud: "$words?" It is a better question than you knew.
    "$Words?" It is out before you can make it sound any smaller.
    So there it is, "$words?" For a moment it seems to be the only question in the world.
    "$Words?" You keep your voice level, and it carries farther than you meant it to.
    Your question hangs there: "$words?" You do not help it along.
    "$Words?" You have wanted to ask that for longer than you knew.
    There is no clever way to put it, so you put it plainly: "$words?"
    "$Words?" The words are simple enough, and yet they take some saying.`),
  story: lines(`
    So it is, and from here on there is $thing to reckon with.
    That changes matters. You take it in piece by piece, $thing last of all.
    It happens just so, and there is no looking past $thing now.
    No plan had room for $thing, yet here you are.
    Everything narrows to $thing for a moment, and then opens out again.
    Of all that has just happened, it is $thing that you will remember.`),
  word: lines(`
    For a moment "$word" is the only word in your head.
    It comes down to "$word" in the end, whatever else may be said of it.
    You turn the word over, "$word," and it has more sides than you thought.
    If anyone asks you about this later, you will begin with "$word."
    Out of everything, it is "$word" that stays with you.
    You hold on to one thing, "$word," and let the rest go by.`),
  wordless: lines(`
    What you do then is hard to put into words.
    It is a small and private gesture, and no one here has a name for it.
    Some things need no words, and this is one of them.
    It is over before you can say what it was.`),
} as const

export const OUTCOMES = lines(`
  For a breath it could go either way. Then it is decided: $outcome.
  You feel it tip, and there is no arguing with where it comes to rest: $outcome.
  It hangs in the balance, and then it does not: $outcome.
  When you dare to look, the matter is settled: $outcome.
  Skill has its say, and then luck has the last word: $outcome.`)

export const LORE_LEADS = lines(`
  You remember what you were told. $Lore
  Something you once heard comes back to you. $Lore
  You know this much already. $Lore
  What you know of it is soon said. $Lore
  Anyone from these parts could have told you. $Lore
  A piece of old knowledge falls into place. $Lore
  It would be foolish to forget it now. $Lore
  Here, at last, is something that you are sure of. $Lore
  Your memory supplies the rest. $Lore
  One thing everybody agrees on. $Lore`)

export const AFTER_DEED = paragraphs(`
  - There is resistance, and then there is none. You are left with the small, exact feeling of having shifted
    something that had not been shifted for a long time.
  - It goes well enough. What you notice afterwards is not what has changed but how carefully everything else
    pretends to be the same.
  - Nothing dramatic comes of it, at least not yet. But you have begun, and beginnings have a way of being
    noticed.
  - It takes longer than it should and less courage than you had set aside. When it is over you feel lighter, and
    a little more awake.
  - Halfway through you almost stop. Then you go on, and it turns out that the second half was the easy one.
  - The result is not quite the one that you had in mind, but it is a result, and there is something in it that
    you can use.
  - You have the odd impression of having done this before, in the same light and with the same doubts. This time
    you pay attention.
  - A little of the tension goes out of the moment, the way it does in a room when somebody finally opens a
    window.`)

export const AFTER_SPEECH = paragraphs(`
  - The words are heard; you can tell by how normally everything goes on afterwards. Somewhere, an opinion of you
    has just been changed, and not for the worse.
  - There is no reply at first, only a kind of settling, as when a guest decides to stay. Whatever listens here
    has made up its mind to go on listening.
  - It changes less than you hoped and more than you feared. Whatever is said next will have to begin from there.
  - You are not contradicted, which is not the same as being believed. But the air is clearer, and it was you who
    cleared it.
  - What comes back is not quite agreement. It is closer to the small nod that a player gives to a card that
    nobody had expected.
  - For as long as a breath lasts, it is the truest thing that has been said today. Then the moment closes over it
    and moves on, carrying it along.`)

/** Suitable with or without another person in the scene. */
export const AFTER_QUESTION = paragraphs(`
  - An answer begins, stops, and begins again from another side. It comes to this: part of what you want to know
    is true, part of it used to be, and the two have grown together.
  - The silence after it is not a refusal. It is the silence of something being looked for, at the back of a
    drawer, by the light of a match.
  - You get half an answer, and it is the half that you already had. The other half is in what is left out, and
    you make a note of the shape of the gap.
  - If there is an answer, it is not in words. It is in a pause that goes on a little too long, and in what the
    pause is careful to avoid.
  - Nothing answers you straight away. Then, a good deal later than is polite, you understand that you have been
    given a hint, and that it was kindly meant.
  - It is the kind of question to which everyone has an answer, and no two are the same. You will have to find out
    by going to see.
  - The question does its work even without an answer. Something that was about to be hidden stays where it is,
    and something else comes half a step closer.
  - You learn at least this much: you are not the first to ask, and whoever asked before you went away thoughtful.`)

/** Paragraphs for any scene, more than a story needs in twenty turns. */
export const MEANWHILE = paragraphs(`
  - The air has the feel of weather about to turn. You find that you are holding yourself a little straighter, as
    people do when they think that they may be watched.
  - Somewhere near, a small thing keeps time: tick, and pause, and tick. You try not to count, and by the time you
    notice that you are counting you have reached nine.
  - Nothing hurries. The light goes on doing what it was doing, and the shadows lie where you would expect them,
    all but one.
  - A thread of cold finds the back of your neck and is gone again. It might have been a draught. You decide, for
    the time being, that it was a draught.
  - You catch a smell of rain, and beneath it something sweeter that you cannot name. It belongs to another day
    entirely, one that you have not thought of in years.
  - For a moment everything has the stillness of a page about to be turned. Then the page turns, and the world is
    almost, but not exactly, the same.
  - Far off, something sounds twice, low and clear, and leaves it at that. You wait for the third time much longer
    than you need to.
  - Little by little your eyes get used to what is there. There is more of it than you thought, and somebody
    patient has been looking after it.
  - The quiet here has layers, and you are only in the first. Below it there is another one, in which something
    breathes, or flows, or simply goes on.
  - You become aware of how long you have been holding your breath, and let it go. Nothing has happened. Nothing
    has happened very carefully.
  - A sound that you had stopped hearing comes back. It was there all along, patient as a pulse, and now you
    cannot stop hearing it.
  - Colours look deeper than they did, as they do after rain or a long sleep. You could draw all of it from
    memory, and you think that one day you might.
  - It comes to you that somebody has taken care here: a thing put back in its place, a mark rubbed out, but not
    quite rubbed out.
  - One thing leads to another, as it will. You follow it with half your mind, while the other half goes back to
    what you were told and finds that it does not quite add up.
  - There is a pattern in this, faint as breath on glass. When you look straight at it, it goes; when you look
    away, it is there again, and larger.
  - The hour feels later than it is. You could swear that the last few minutes were longer than the ones before,
    and that something has used them to come closer.
  - You think of what you would say if someone asked you, right now, what you are doing here. The answer is
    shorter than you expected, and it pleases you.
  - Just out of sight, something small shifts in its sleep. You do not turn your head. There will be time to meet
    it, and it will be better company when it has had its rest.
  - It is warmer than it ought to be, and there is no saying why. You feel, without any good reason, that you have
    been expected.
  - Luck has had a hand in this, and so have you; the proportions are hard to judge. For once the two of you seem
    to agree about what ought to happen next.
  - You notice what is missing before you notice what is there. Someone was here not long ago, and left in the
    middle of something.
  - The moment passes, and asks for nothing. Only when it has gone do you see that it was important, and that you
    did not do badly.
  - An old memory lifts its head, looks at you and lies down again. It has something to do with all this, but it
    is not ready to say what.
  - You have the sense of a much larger space beyond what you can see, and of something at the far end of it that
    has just turned round.`)

/** Closings that hand over to the player, more than a story needs in twenty turns. */
export const ENDINGS = paragraphs(`
  - A small noise comes from close by, the kind that stops the moment you listen for it. You could look for it, or
    you could let it think that it has not been heard.
  - Something has been left where you could not have missed it: a scrap of paper, folded very small, with one
    corner torn away. Do you open it?
  - From where you are there are two ways to go on. One is the sensible one. The other has just become much more
    interesting.
  - Two voices go by at a distance, speaking low, and you catch only the words "before morning." What do you do?
  - Your pocket holds something that was not in it before: a smooth white pebble, still warm. Whoever put it there
    was very close to you.
  - There is time to choose, though not all the time in the world. What is nearest to you is also what puzzles you
    most. Where do you begin?
  - At the edge of sight a figure raises one hand, in greeting or in warning, and is gone when you look. It would
    be easy to go on. It would be just as easy to follow.
  - Marks in white chalk lead away from here, five short strokes and a circle. They are fresh, and they were made
    by someone in a hurry.
  - You feel eyes on you, curious rather than unkind. If you mean to act, this is as good a time as any.
  - Someone begins to hum, hesitantly, a tune that you almost know, and breaks off in the middle of a line. Do you
    know how it goes on?
  - Then a voice says your name, not loudly, as one might try out a word in a foreign language. It does not say
    anything else. It seems to be your turn.
  - Three knocks come from somewhere below you, evenly spaced, like a question. What would you answer, if you
    answered?
  - You have one good idea and one bad one, and from here they look alike. There is nobody to tell you which is
    which, and perhaps that is just as well.
  - Something rolls out of the shadows and stops in front of you: a glass marble, green as deep water. It did not
    get there by itself.
  - A name has been scratched here twice and crossed out once. It is not yours, but it is only a letter away from
    it. Do you leave it as it is?
  - What was shut a moment ago is open now, by an inch. A little light comes through the gap, and a little warmth.
    Will you take the chance while it lasts?
  - The way forward is clear. So, for now, is the way back, though it looks narrower than it did.
  - You come upon a thread of red wool, tied at the height of your knee and leading on ahead. Somebody wanted to
    be found, or wanted to find the way home.
  - Not far off, someone laughs, softly and not at you. You are almost sure that it is not at you. How much would
    you give to be certain?
  - There is a fresh scratch here, as long as your finger, and it points. You look where it is pointing, and
    understand why nobody else has looked there.
  - You are being offered something; that much is plain, even if it is not plain by whom. You may take it, or
    bargain, or pretend that you have not noticed.
  - The moment holds still, politely, to let you make up your mind. It will not do so twice.
  - A braver person would already have moved, and a wiser one would have asked first. You have a breath in which
    to decide which of the two you are today.
  - One word reaches you from somewhere, quite clearly, and it sounds like "soon." Whatever you decide, you had
    better decide it before then.
  - You find a ribbon, tied in a bow, with no dust on it at all. It was not put there to be pretty. It marks
    something; but what?
  - For a second you have the whole of it in your mind, clear and simple. Then it is gone, and only the first step
    is left. It would be a pity to waste it.`)

/** Suggestions in the player's words. `$thing` is something named in the story. */
export const SUGGESTIONS = {
  careful: lines(`
    wait a moment and listen
    look around once more before going on
    ask what happened here
    look more closely at $thing
    keep my distance from $thing for now`),
  bold: lines(`
    go straight on, whatever is there
    call out and see who answers
    say aloud what everyone is thinking
    find out what $thing is good for
    put $thing to the test, here and now`),
  unexpected: lines(`
    hum a tune and wait for somebody to join in
    turn around and go back the way I came
    tell a joke to nobody in particular
    speak to $thing as if it could hear
    make up a story about $thing`),
} as const

function lines(text: string): Template[] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.trim())
}

function paragraphs(text: string): Template[] {
  const [, ...items] = text.split(/\n +- /)
  return items.map((item) => item.replace(/\s+/g, ' ').trim())
}
