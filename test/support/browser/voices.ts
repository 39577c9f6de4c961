/** A voice of a browser, as far as a page looks at it. */
interface Voice {
  name: string
  lang: string
  localService: boolean
  default?: boolean
}

/** What was said to a voice. */
export interface Spoken {
  words: string
  voice: string
  lang: string
  rate: number
}

/** Voices in the place of a browser's own, which has none where there is no screen. */
export interface Voices {
  /** All sentences so far. */
  spoken: Spoken[]
  /** Whether one is being said. */
  isSpeaking: () => boolean
  /** Ends the sentence that is being said. */
  finish: () => void
  /** Gives the browser other voices. */
  become: (voices: Voice[]) => void
}

export const REMOTE: Voice = { name: 'Cloud', lang: 'en-US', localService: false, default: true }
export const LOCAL: Voice = { name: 'Here', lang: 'en-GB', localService: true }
export const LOCAL_GERMAN: Voice = { name: 'Hier', lang: 'de_DE', localService: true }

/** Runs in a page: gives it these voices, and `window.voices` to see and end what they say. */
export function stubVoices(list: Voice[]): void {
  let voices = list
  let speaking: { onend?: () => void } | null = null
  const spoken: Spoken[] = []
  class Utterance {
    onend?: () => void
    voice = { name: 'the one that the browser chooses' }
    lang = ''
    rate = 1
    constructor(readonly text: string) {}
  }
  const { speechSynthesis } = window
  Object.assign(window, {
    SpeechSynthesisUtterance: Utterance,
    voices: {
      spoken,
      isSpeaking: () => speaking !== null,
      finish: () => {
        const said = speaking
        speaking = null
        said?.onend?.()
      },
      become: (other: Voice[]) => {
        voices = other
        speechSynthesis.dispatchEvent(new Event('voiceschanged'))
      },
    } satisfies Voices,
  })
  Object.assign(speechSynthesis, {
    getVoices: () => voices,
    speak: (utterance: Utterance) => {
      speaking = utterance
      const { text, voice, lang, rate } = utterance
      spoken.push({ words: text, voice: voice.name, lang, rate })
    },
    cancel: () => {
      speaking = null
    },
  })
  speechSynthesis.dispatchEvent(new Event('voiceschanged'))
}
