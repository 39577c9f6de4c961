/** The vocabulary of the practice narrator. It knows no grammar beyond these lists and a few rules. */

const list = (...lines: string[]): ReadonlySet<string> => new Set(lines.join(' ').split(' '))

/** The kind of an action. */
export type Manner =
  | 'look'
  | 'go'
  | 'open'
  | 'take'
  | 'talk'
  | 'listen'
  | 'wait'
  | 'touch'
  | 'give'
  | 'make'
  | 'light'
  | 'fight'
  | 'think'
  | 'hide'
  | 'eat'
  | 'any'

const VERBS_BY_MANNER: Record<Manner, string> = {
  look: 'look see watch examine inspect study search peer gaze glance check observe read scan stare survey spot investigate explore find admire count view',
  go: 'go walk run climb enter follow cross step head leave return descend approach move travel wander creep sneak swim jump march ride sail drive row flee escape crawl turn hurry continue proceed fly back come stroll slip dive circle board pass land',
  open: 'open unlock unfold untie unwrap uncover unroll unpack unseal unbar pry break force',
  take: 'take grab pick lift collect steal gather pocket catch keep carry hold snatch seize pluck borrow draw remove fetch raise retrieve',
  talk: 'say ask tell talk speak call whisper shout greet answer reply explain thank beg promise warn invite introduce mention apologize apologise chat confess complain argue cry yell joke insist suggest agree question beckon bargain persuade convince comfort reassure interrupt',
  listen: 'listen hear eavesdrop',
  wait: 'wait rest sleep sit stand stay pause breathe relax lie lean kneel stop nap doze settle linger camp',
  touch:
    'touch push pull press use knock tap feel rub shake ring turn twist move drag roll wipe brush poke prod pat stroke pet hug kick squeeze slide close shut lock dig sweep clean polish wash drop lower throw toss place put set hang wear tie insert try test fasten bar wind hammer scratch stir fill empty pour',
  give: 'give hand offer show pay return share lend send bring help feed deliver trade sell buy present',
  make: 'make write draw build fix repair cook bake carve paint sew craft mend sketch knit prepare brew mix copy mark sign plant forge solve decipher translate play sing dance hum whistle cast perform',
  light: 'light ignite kindle burn extinguish douse illuminate',
  fight:
    'attack fight hit strike kill stab shoot punch slash fire wrestle threaten smash destroy defend block parry swing charge cut chop bite shove',
  think:
    'think remember recall consider wonder imagine ponder decide plan dream pray hope guess reflect forget trust believe know meditate concentrate focus smile laugh nod frown shrug bow wave sigh blink cry weep grin wink shiver yawn curtsy',
  hide: 'hide crouch duck conceal bury cover shelter disguise',
  eat: 'eat drink taste sip swallow chew smell sniff bite nibble devour',
  any: 'do begin start finish wake live learn teach visit meet join need want choose get dress undress change work race chase hunt fish trap track measure weigh compare name claim accept refuse ignore avoid attempt practice practise rescue save free release guard protect hand lead guide summon activate operate steer tune point aim lay let allow spend toast celebrate howl bark float fall trip stumble tiptoe signal drum clap tidy arrange sort stretch reach undo spread scatter bend fold lend aid accompany balance pack load unload leap hop skip launch sneeze cough spin dust skim flip peel press',
}

/** Verbs in their base form and the kind of action. The first mention wins. */
export const VERBS: ReadonlyMap<string, Manner> = (() => {
  const verbs = new Map<string, Manner>()
  for (const [manner, line] of Object.entries(VERBS_BY_MANNER))
    for (const verb of line.split(' ')) if (!verbs.has(verb)) verbs.set(verb, manner as Manner)
  return verbs
})()

/** Verbs with two objects, so that their sentences cannot be cut after the first. */
export const NEEDS_MORE = list(
  'put place set give hand lay hang insert return bring show offer send tie compare lend pour',
)

/** Verbs of intention: "try to open the door" counts as opening. */
export const PLANS = list('try attempt decide begin start want need go plan continue hope stop')

/** Verbs that double their last letter before -ing. */
export const DOUBLING = list(
  'run sit get put cut hit stop grab dig swim hug nod step set let knit tap rub drag drop slip spin trap tug wrap pat shut',
  'chat hop skip begin plan rip snap bar stab chop pet hum sip flip trip forget bat mop',
)

export const DETERMINERS = list('the a an my your his her their our its this that these those')

/** Words that end a noun phrase. */
export const BOUNDARY = list(
  'of in on at by with from to into onto over under behind beside between through across against around along near for about',
  'and or but as that which who whose where when while if than then so because before after until beyond beneath below above',
  'is are was were has have had will would can could may might must should do does did be been being not no never',
  'up down out off away back again here there now still just only even too very once upon inside outside within without toward towards',
  'it he she they you we i him them me us this these those your his her their my our its the a an',
  'says asks nods smiles waits turns looks stands sits opens closes comes goes walks runs lies hangs holds keeps seems gives takes falls',
  'moves rises shines glows rests leads begins ends stops makes shows tells calls answers remains creaks ticks hums burns leans speaks',
  'carefully slowly quickly quietly gently softly closely together everything something anything nothing everyone someone anyone',
  'today tonight tomorrow yesterday more also slightly first next again please both each every another other',
)

/** English function words: a sentence with two of them is taken to be English. */
export const ENGLISH = list(
  'the and to of in with at on my your for from is was are it this that you he she they his her',
)

/** Nouns that are too vague to return to. */
export const VAGUE = list(
  'way time moment while rest thing things bit lot one ones other others place end side part kind sort hour minute second day night',
  'world air light dark darkness silence quiet sound shadow shadows dust breath heartbeat edge edges distance middle rest same last first',
  'word words eye eyes hand hands foot feet mind thought thoughts shoulder shoulders life story person people someone question answer',
  'morning evening afternoon noon midnight dusk dawn week month year instant pause point matter case fact idea feeling sense reason few little',
  'cold warm heat chill hush stillness step steps turn look glance while width length half two three four five several many most pair',
  'detail details spot view order shape shapes sky ground face head heart voice body start chance trouble truth change',
)

/** Things that a story can return to. Only these are extracted from prose, where the end of a phrase is hard to find. */
export const THINGS = list(
  'door gate key lock window lamp lantern candle fire hearth stove table chair bench desk drawer shelf cupboard chest box crate barrel',
  'basket bag sack purse coin letter note book page map chart diary journal ledger scroll paper parcel envelope photograph picture painting',
  'portrait mirror clock watch bell whistle flute fiddle violin piano drum horn music rope chain hook knife sword dagger axe bow arrow',
  'shield helmet armour armor staff wand ring necklace locket pendant crown jewel gem stone crystal orb bottle cup mug glass jar bowl plate',
  'spoon kettle pot teapot pan bread apple cake pie soup coat cloak hat scarf glove gloves boot boots shoe shoes dress ribbon thread needle cloth',
  'blanket pillow bed cradle curtain carpet rug stair stairs staircase ladder step hall hallway corridor passage tunnel room kitchen attic',
  'cellar tower roof chimney wall floor ceiling arch pillar statue fountain well bridge road path lane trail street alley square market',
  'shop inn tavern station platform train tram cart wagon carriage bicycle ship boat ferry raft sail mast anchor oar deck cabin hull',
  'harbour harbor quay pier dock lighthouse beach shore island cave cliff hill mountain valley meadow field garden orchard hedge forest',
  'wood woods tree oak willow pine branch leaf leaves root flower rose moss mushroom river stream lake pond waterfall marsh bog snow ice',
  'storm fog mist rain wind moon star stars sun tide wave cat dog horse crow raven owl gull fox wolf bear deer mouse rat spider bee moth',
  'fish bird dragon ghost spirit mask puppet doll toy robot machine engine lever switch button console panel screen hatch airlock module',
  'reactor antenna radio telescope lens compass sextant wheel gear spring hammer nail saw shovel spade bucket broom brush ink pen pencil',
  'inkwell quill seal stamp ticket card dice chessboard puzzle riddle symbol sign inscription carving tapestry banner flag tent campfire',
  'ember embers ash smoke bone bones skull feather shell pearl footprint footprints track tracks trail scratch drawing notebook suitcase trunk crib',
  'village town city castle palace temple church chapel tomb grave graveyard library school mill bakery smithy forge workshop greenhouse',
  'windowsill doorway doorstep threshold handle latch keyhole hinge banister rail railing fence post doorbell knocker tin vial phial potion',
  'herb herbs seed seeds acorn nut berry honey salt sugar tea coffee wine milk water cheese telegram newspaper poster receipt keyring watchtower',
  'man woman boy girl child keeper captain sailor guard soldier knight king queen prince princess wizard witch priest monk merchant innkeeper',
  'baker smith farmer fisherman hunter thief stranger traveller traveler messenger librarian gardener teacher doctor nurse cook servant butler',
  'mother father sister brother aunt uncle grandmother grandfather lady lord mayor sheriff pilot engineer conductor postman shopkeeper',
  'spyglass satchel pouch hourglass matches matchbox twine wire cord saucer tray thimble marble pebble rowboat postcard songbook gatepost signpost',
)

/** The things that can reply. */
export const PERSONS = list(
  'man woman boy girl child keeper captain sailor guard soldier knight king queen prince princess wizard witch priest monk merchant innkeeper',
  'baker smith farmer fisherman hunter thief stranger traveller traveler messenger librarian gardener teacher doctor nurse cook servant butler',
  'mother father sister brother aunt uncle grandmother grandfather lady lord mayor sheriff pilot engineer conductor postman shopkeeper ghost',
)

/** Mass nouns, which take no article. */
export const MASS = list(
  'water tea coffee wine milk honey salt sugar bread soup cheese music snow ice rain fog mist smoke ash ink fish',
)

/** Things that are always present, so the story never returns to them. */
export const BACKDROP = list(
  'wall floor ceiling glass curtain step hall stair wind star stars sun moon root boot boots wood leaf leaves salt wave path world',
)

export type Setting = 'house' | 'town' | 'wild' | 'sea' | 'space'

/** Words that indicate the setting. */
export const SETTING_WORDS: Record<Setting, ReadonlySet<string>> = {
  house: list(
    'room hall stair stairs kitchen ceiling hearth fireplace house library attic cellar shop inn tavern bedroom corridor desk shelf shelves bookshop parlour study',
  ),
  town: list(
    'street streets square market town city alley tram station crowd cafe rooftops pavement shopfronts traffic lamppost canal',
  ),
  wild: list(
    'forest wood woods tree trees hill hills mountain river field moor valley meadow cave snow stream leaves grass moss trail orchard',
  ),
  sea: list(
    'sea ship harbour harbor wave waves tide shore beach island boat deck sail lighthouse gull gulls quay ferry rowboat pier',
  ),
  space: list(
    'airlock hull orbit planet reactor module console cockpit spaceship starship asteroid gravity shuttle spacesuit galaxy',
  ),
}
