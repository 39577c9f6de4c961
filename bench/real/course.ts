/** The stories of a run: `main` has the long course, `other` is opened in between. */
export type StoryName = 'main' | 'other'

export type TurnType = 'do' | 'say' | 'story' | 'continue'

/** One thing that the player does. */
export type Step = { in: StoryName } & (
  | { kind: TurnType; text: string }
  | { kind: 'retry' | 'undo' | 'switch' | 'edit newest' | 'edit old' }
)

const play = (kind: TurnType, text = '', story: StoryName = 'main'): Step => ({ in: story, kind, text })
const change = (kind: 'retry' | 'undo' | 'switch' | 'edit newest' | 'edit old'): Step => ({
  in: 'main',
  kind,
})

/** Forty actions. The main story is the starter scenario with every kind of stat. */
export const LONG: Step[] = [
  play('do', 'take the key from Brisa and thank her'),
  play('say', 'Which of the towers is the nearest?'),
  play('continue'),
  play('do', 'climb the stairs of the first tower'),
  play('story', 'A pigeon lands on the rail with a scrap of grey cloth in its beak.'),
  change('retry'),
  play('do', 'look for the part that is missing from the works'),
  play('say', 'Brisa, who paid you to steal the key?'),
  change('edit newest'),
  play('do', 'oil the great wheel and turn it by hand'),
  play('continue'),
  play('do', 'ring the first bell'),
  change('undo'),
  play('do', 'wait for the wardens to pass, then ring the first bell'),
  play('say', 'Come with me to the second tower, Brisa.'),
  change('retry'),
  change('switch'),
  play('do', 'cross the rooftops towards the second tower'),
  play('story', 'Far below, the Chancellor looks up and shades his eyes.'),
  play('continue'),
  play('do', 'feed the cat and light the lamp', 'other'),
  play('say', 'Who is there?', 'other'),
  play('do', 'hide behind the chimney until the street is quiet'),
  change('edit old'),
  play('do', 'eat the bread from the pocket and rest'),
  play('say', 'What sleeps under the hill?'),
  play('do', 'mend the broken tooth of the small wheel'),
  play('continue'),
  change('undo'),
  change('undo'),
  play('do', 'open the door to the second tower with the spanner'),
  play('say', 'Chancellor, why do you want the bells silent?'),
  change('retry'),
  play('do', 'show the Chancellor the keepsake'),
  play('story', 'Under the hill something turns over, and every window hums.'),
  play('continue'),
  play('do', 'wind the second bell until the spring holds'),
  play('say', 'Brisa, do you trust me now?'),
  play('do', 'go down to the quarter where everybody knows me'),
  play('continue'),
]

/** The same in a dozen actions. The main story has no stats; the other one has a few. */
export const SHORT: Step[] = [
  play('do', 'open the green book at the blue ribbon'),
  play('story', 'The clock strikes six, though it is nearly eight.'),
  play('story', 'On the stairs lies a wet glove that was not there before.'),
  change('retry'),
  play('say', 'Marmalade, who is upstairs?'),
  change('edit newest'),
  play('story', 'Rain drums on the roof, and the lantern grows a little brighter.'),
  play('do', 'light the lamp', 'other'),
  play('continue'),
  change('undo'),
  play('story', 'Somebody knocks on the door of the shop, twice and then once.'),
  play('do', 'open the door'),
  play('story', 'A letter falls out of the green book.'),
  change('edit old'),
  play('do', 'read the letter by the window'),
]
