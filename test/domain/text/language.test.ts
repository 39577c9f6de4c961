import { describe, expect, test } from 'bun:test'
import { languageOf, proseLanguage } from '../../../src/domain/text/language.ts'

describe('the language of a text', () => {
  test.each([
    ['en', 'The rain has stopped, and the street is quiet. You can hear the bell from here.'],
    ['de', 'Der Regen hat aufgehört, und die Straße ist still. Du hörst die Glocke nicht.'],
    [
      'fr',
      'La pluie a cessé et la rue est calme. Tu entends les cloches dans le matin, et vous ne dites rien.',
    ],
    ['es', 'La lluvia ha parado y la calle está en calma. Oyes las campanas por el puerto, pero no las ves.'],
    [
      'it',
      'La pioggia è finita e il vicolo non fa rumore. Senti le campane della chiesa, ma non sono vicine.',
    ],
    ['pt', 'A chuva parou e a rua não faz um som. Você ouve os sinos da igreja, mas ela está longe.'],
    ['nl', 'De regen is opgehouden en het is stil. Je hoort een klok, maar niet van deze kerk.'],
    ['pl', 'Deszcz już nie pada i jest cicho. Ty to słyszysz, ale nie wiesz, jak się to stało.'],
    ['ru', 'Дождь кончился, и на улице тихо. Ты не слышишь его, но это не так, как вы думали.'],
    ['uk', 'Дощ скінчився, і на вулиці тихо. Ти не чуєш його, але це не так, як ви думали.'],
    ['ja', '雨がやんで、通りは静かだ。鐘の音が聞こえる。'],
    ['zh', '雨停了，街上很安静。你听见钟声。'],
    ['ko', '비가 그치고 거리는 조용하다. 종소리가 들린다.'],
    ['th', 'ฝนหยุดแล้ว ถนนเงียบสงบ'],
    ['el', 'Η βροχή σταμάτησε και ο δρόμος είναι ήσυχος.'],
    ['he', 'הגשם פסק והרחוב שקט.'],
    ['und', 'Lorem ipsum dolor sit amet consectetur'],
    ['und', 'Dusk. Rain. Snow.'],
    ['und', ''],
    ['und', '1234 … !!!'],
  ])('is %s: %s', (language, text) => expect(languageOf(text)).toBe(language))

  test('is that of most of it', () => {
    expect(
      languageOf(
        `The keeper nods. "雨" is all that he says, and he is not sure of that. ${'You go on with him. '.repeat(9)}`,
      ),
    ).toBe('en')
  })
})

test.each([
  ['en', 'Dusk. "Who is there?"'],
  ['en', 'Dusk — “Who is there?”'],
  ['en', ''],
  ['und', 'Hämärä. "Kuka siellä?"'],
  ['und', 'يطلع القمر. "من هناك؟"'],
  ['und', 'Lorem ipsum dolor sit amet. '.repeat(6)],
  ['de', 'Der Regen hat aufgehört, und die Straße ist still. Du hörst die Glocke nicht.'],
])('the marks of a text whose language does not tell are those of %s: %s', (marks, text) =>
  expect(proseLanguage(text, '')).toEqual({ language: languageOf(text), marks }),
)
