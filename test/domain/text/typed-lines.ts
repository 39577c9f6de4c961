/** Lines as players type them under Do, and how each is stored. */
export const TYPED_LINES = table(`
open the door  →  > You open the door.
Open the door  →  > You open the door.
I open my bag  →  > You open your bag.
I open my bag and look at myself  →  > You open your bag and look at yourself.
i open my bag  →  > You open your bag.
I'm going to the tavern  →  > You're going to the tavern.
Im going to the tavern  →  > You're going to the tavern.
im going home  →  > You're going home.
i'm not afraid  →  > You're not afraid.
I've got a plan, so I'll wait  →  > You've got a plan, so you'll wait.
I'd rather run  →  > You'd rather run.
ill wait here  →  > You'll wait here.
id rather not  →  > You'd rather not.
ive had enough  →  > You've had enough.
I am tired  →  > You are tired.
I was never here  →  > You were never here.
I really am sorry  →  > You really are sorry.
I never was brave  →  > You never were brave.
I wasn't looking  →  > You weren't looking.
am I dead?  →  > Are you dead?
was I asleep?  →  > Were you asleep?
Where am I?  →  > Where are you?
What do I see?  →  > What do you see?
wind it as far as I can  →  > You wind it as far as you can.
look at my hands  →  > You look at your hands.
ask her to follow me  →  > You ask her to follow you.
I tell him I love him  →  > You tell him you love him.
I say I am king  →  > You say you are king.
I do nothing  →  > You do nothing.
we go to the inn  →  > You go to the inn.
We're leaving, and our horses with us  →  > You're leaving, and your horses with you.
let's go  →  > You go.
Let's split up and search  →  > You split up and search.
I sell what is mine  →  > You sell what is yours.
The ring is mine  →  > The ring is yours.
enter the mine  →  > You enter the mine.
I walk into the mine  →  > You walk into the mine.
I mine the ore  →  > You mine the ore.
take a friend of mine along  →  > You take a friend of mine along.
Carefully, I open the door  →  > Carefully, you open the door.
carefully I open the door  →  > Carefully you open the door.
Then I run  →  > Then you run.
First I look around, then I run  →  > First you look around, then you run.
And I shout at my brother  →  > And you shout at your brother.
So I open it  →  > So you open it.
While he sleeps I take the key  →  > While he sleeps you take the key.
As quietly as I can, I open the door  →  > As quietly as you can, you open the door.
With my sword I attack the orc  →  > With your sword you attack the orc.
Using my knife, I cut the rope  →  > Using your knife, you cut the rope.
My hand reaches for the sword  →  > Your hand reaches for the sword.
My friend and I go home  →  > Your friend and you go home.
John and I go to the inn  →  > John and you go to the inn.
me and John go to the inn  →  > You and John go to the inn.
The door creaks as I open it  →  > The door creaks as you open it.
The guard falls asleep  →  > The guard falls asleep.
He opens the door  →  > He opens the door.
she smiles at me  →  > She smiles at you.
You open the door  →  > You open the door.
you open the door  →  > You open the door.
YOU run  →  > You run.
You're running  →  > You're running.
Your sword glows  →  > Your sword glows.
you  →  > You.
youth  →  > You youth.
I hug you  →  > I hug you.
I look into your eyes  →  > I look into your eyes.
> look around  →  > You look around.
*opens the door*  →  > You open the door.
*I open the door*  →  > You open the door.
/me looks around  →  > You look around.
"Marmalade!" I call  →  > You call, "Marmalade!"
"Marmalade!" I call.  →  > You call, "Marmalade!"
"Come here," I whisper to the cat.  →  > You whisper to the cat, "Come here."
"Yes" and "no"  →  > You say "Yes" and "no".
"Hello" she says  →  > You say "Hello" she says.
"Hi!"  →  > You say "Hi!"
“Hi”  →  > You say "Hi."
“Hi,” I say  →  > You say "Hi."
'Hello,' I say  →  > You say "Hello."
say "hello"  →  > You say "hello".
I say "I'm your father"  →  > You say "I'm your father".
I say, "I am here."  →  > You say, "I am here."
I shout "my sword!" and draw my sword  →  > You shout "my sword!" and draw your sword.
read Henry I and World War I  →  > You read Henry you and World War you.
look at chapter I  →  > You look at chapter you.
I leave at 8 am  →  > You leave at 8 am.
I think I am lost. I sit down. My legs hurt  →  > You think you are lost. You sit down. Your legs hurt.
I go to the café  →  > You go to the café.
I order crème brûlée at the café  →  > You order crème brûlée at the café.
kill the guard!  →  > You kill the guard!
look…  →  > You look…
wait...  →  > You wait...
I wait...  →  > You wait...
Tired, I sit down  →  > Tired, you sit down.
Exhausted I sit down  →  > Exhausted you sit down.
Singing, I walk home  →  > Singing, you walk home.
Sing a song I know  →  > You sing a song you know.
follow me  →  > Follow me.
heal me  →  > Heal me.
I I don't know  →  > You you don't know.
I-I run  →  > You-you run.
I lie to him about us  →  > You lie to him about you.
I think of the US  →  > You think of the US.
I'ma go home  →  > You're gonna go home.
I can't, I won't!  →  > You can't, you won't!
"Stop  →  > You say "Stop."
I'm "fine"  →  > You're "fine".
To my surprise I win  →  > To your surprise you win.
in my bag I find a coin  →  > In your bag you find a coin.
Only I can do this  →  > Only you can do this.
I, Tamsin, swear it  →  > You, Tamsin, swear it.
Maybe I should run  →  > Maybe you should run.
When I wake, I am cold  →  > When you wake, you are cold.
If I'm lucky, I find it  →  > If you're lucky, you find it.
hug Zoë  →  > You hug Zoë.
attack Éowyn with my axe  →  > You attack Éowyn with your axe.
I try to pick the lock with my hairpin  →  > You try to pick the lock with your hairpin.
I walk over to the bar, sit down and order myself a beer  →  > You walk over to the bar, sit down and order yourself a beer.
I put my hand on her shoulder  →  > You put your hand on her shoulder.
I don't trust him  →  > You don't trust him.
I can't move my legs  →  > You can't move your legs.
I couldn't help myself  →  > You couldn't help yourself.
I’m done  →  > You’re done.
I’ve seen this before  →  > You’ve seen this before.
I’d like to buy a horse  →  > You’d like to buy a horse.
I wonder if I am alone  →  > You wonder if you are alone.
I check if I'm alone  →  > You check if you're alone.
I have no idea where I was  →  > You have no idea where you were.
I wish I were home  →  > You wish you were home.
i take the torch and i light it  →  > You take the torch and you light it.
i am the king of this land  →  > You are the king of this land.
i.e. nothing  →  > You i.e. nothing.
look around  →  > You look around.
look  →  > You look.
attack  →  > You attack.
search the room for traps  →  > You search the room for traps.
Search my pockets  →  > You search your pockets.
cast fireball at the goblins  →  > You cast fireball at the goblins.
go to sleep  →  > You go to sleep.
run away as fast as I can  →  > You run away as fast as you can.
do what I do best  →  > You do what you do best.
eat the last of my rations  →  > You eat the last of your rations.
hide under my cloak  →  > You hide under your cloak.
ask the innkeeper about my father  →  > You ask the innkeeper about your father.
tell her that I'm sorry  →  > You tell her that you're sorry.
ask him if I may sit down  →  > You ask him if you may sit down.
pray to my god  →  > You pray to your god.
call my dog to me  →  > You call your dog to you.
wipe the blood off me  →  > You wipe the blood off you.
take it with me  →  > You take it with you.
keep the rest for myself  →  > You keep the rest for yourself.
think about what I have done  →  > You think about what you have done.
steal the map while the captain sleeps  →  > You steal the map while the captain sleeps.
talk to myself  →  > You talk to yourself.
kill myself  →  > You kill yourself.
We attack at dawn  →  > You attack at dawn.
we rest until our wounds have healed  →  > You rest until your wounds have healed.
We've made it  →  > You've made it.
let’s hide  →  > You hide.
Our ship sails on  →  > Your ship sails on.
we ourselves built it  →  > You yourselves built it.
the victory is ours  →  > The victory is yours.
nobody sees us  →  > Nobody sees you.
My name is Tamsin  →  > Your name is Tamsin.
my stomach growls, so I eat  →  > Your stomach growls, so you eat.
Mine is the red one  →  > Yours is the red one.
Me and my dog sleep  →  > You and your dog sleep.
Nervously I laugh  →  > Nervously you laugh.
Slowly, I turn around  →  > Slowly, you turn around.
Quietly looking around, I enter  →  > Quietly looking around, you enter.
Next I climb the wall  →  > Next you climb the wall.
Finally I sleep  →  > Finally you sleep.
Instead I bow  →  > Instead you bow.
But I refuse  →  > But you refuse.
However, I stay  →  > However, you stay.
Meanwhile I sharpen my knife  →  > Meanwhile you sharpen your knife.
After that I rest  →  > After that you rest.
If he attacks me, I run  →  > If he attacks you, you run.
Since I'm hungry, I eat  →  > Since you're hungry, you eat.
Because I am afraid I hide  →  > Because you are afraid you hide.
Without a word I leave  →  > Without a word you leave.
From my pocket I take a coin  →  > From your pocket you take a coin.
String my bow  →  > You string your bow.
What is my name?  →  > What is your name?
Who am I?  →  > Who are you?
How do I get out?  →  > How do you get out?
Can I see the tower?  →  > Can you see the tower?
Do I know her?  →  > Do you know her?
Is my sword sharp?  →  > Is your sword sharp?
there is nothing I can do  →  > There is nothing you can do.
Everyone looks at me  →  > Everyone looks at you.
They follow us  →  > They follow you.
It was mine  →  > It was yours.
this is my house  →  > This is your house.
No one sees me, so I leave  →  > No one sees you, so you leave.
You look at your hands  →  > You look at your hands.
you're tired  →  > You're tired.
You’ll never take me  →  > You’ll never take me.
You and I go home  →  > You and I go home.
Your hands shake  →  > Your hands shake.
YOU OPEN THE DOOR  →  > You OPEN THE DOOR.
> I look  →  > You look.
>look  →  > You look.
> You look  →  > You look.
>> look  →  > You look.
/me waves  →  > You wave.
*smiles*  →  > You smile.
*watches the door*  →  > You watch the door.
*tries the lock*  →  > You try the lock.
*waves my hand*  →  > You wave your hand.
"Hello!"  →  > You say "Hello!"
"Hello," I say.  →  > You say "Hello."
"Who are you?" I ask him  →  > You ask him, "Who are you?"
"Get down!" I shout at my men.  →  > You shout at your men, "Get down!"
"I am your father," I say  →  > You say "I am your father."
"Yes," I whisper, "I know."  →  > You whisper, "Yes, I know."
"Follow me!"  →  > You say "Follow me!"
"Follow me!" I yell and run  →  > You yell and run, "Follow me!"
‘Run!’ I shout  →  > You shout, "Run!"
'Run!' I shout.  →  > You shout, "Run!"
«Run!» I shout  →  > You shout, "Run!"
"Run!" she shouts  →  > You say "Run!" she shouts.
"Run!" I shout. I kick the door.  →  > You shout, "Run!" You kick the door.
"Are you  →  > You say "Are you."
I say "hello"  →  > You say "hello".
say "I am here" to my brother  →  > You say "I am here" to your brother.
I ask: "Do you know me?"  →  > You ask: "Do you know me?"
I sing “My heart is mine” to her  →  > You sing “My heart is mine” to her.
I read the sign: "I AM A SIGN"  →  > You read the sign: "I AM A SIGN".
whisper "follow me" and go  →  > You whisper "follow me" and go.
I walk. I sit. I sleep  →  > You walk. You sit. You sleep.
I stop! My hand hurts  →  > You stop! Your hand hurts.
I nod…  →  > You nod…
I think...  →  > You think...
I leave at 10 am, I think  →  > You leave at 10 am, you think.
(I look around)  →  > (You look around).
I *really* want my sword  →  > You *really* want your sword.
I **hate** my job  →  > You **hate** your job.
I open the door 🚪  →  > You open the door 🚪.
`)

/** Lines in languages that are not understood. */
export const LEFT_AS_TYPED = [
  'Ich öffne meine Tasche',
  'ich gehe nach Hause',
  'Je prends mon épée',
  'Abro la puerta',
  'Yo abro la puerta con mi llave',
  'Apro i cassetti',
  'Otwieram drzwi i wchodzę',
  '我打开门',
  'ドアを開ける',
  'Я открываю дверь',
  'أفتح الباب',
  'Ich bin müde',
  'ich will in den Wald',
  'gehe in das Haus',
  'Öffne die Tür in der Nacht',
  "J'ouvre mon sac",
  'je suis fatigué',
  "Prends l'épée à la main",
  'ouvrir la porte et entrer',
  'Eu abro a minha bolsa',
  'abrir a porta com a chave e não olhar',
  'yo miro la puerta',
  'io apro la mia borsa',
  'prendo il coltello e la lampada',
  'ik open mijn tas',
  'jag öppnar dörren',
  'jeg åpner døren',
  'avaan oven ja katson ympärille',
  'ja otwieram drzwi',
  'Otevřu dveře a vejdu',
  'kapıyı açıyorum ve giriyorum',
  'kinyitom az ajtót és bemegyek',
  'saya membuka pintu',
  'Tôi mở cửa',
  'αφήνω το σπαθί μου',
  'я беру свой меч',
  'ja беру меч',
  '나는 문을 연다',
  '剣を抜く',
  '我拿起我的剑。',
  'मैं दरवाज़ा खोलता हूँ',
  'ฉันเปิดประตู',
  'אני פותח את הדלת',
]

function table(rows: string): [typed: string, stored: string][] {
  return rows
    .trim()
    .split('\n')
    .map((row) => row.split('  →  ') as [string, string])
}
