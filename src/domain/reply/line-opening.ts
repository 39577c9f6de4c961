import { NOTE_NAMES, NOTE_OPENINGS, ROLE_LABELS, SUBJECT_OPENINGS } from './note-openings.ts'

/** What a line begins with. `more` may still become one of the others. */
type LineOpening = 'prose' | 'more' | 'note' | 'narrator' | 'player'

/** Marks that may stand before an opening: quotes and emphasis of Markdown. */
const DECORATION = /[\s>*_#]/
const MAX_MARKS = 8

/** A quotation mark that may open a sentence. */
const QUOTE = /["“]/

const AFTER_NOTE = [...NOTE_OPENINGS, ...SUBJECT_OPENINGS]

/** A role label, with the marks of emphasis that may follow its word, and what follows its colon. */
const LABEL = /^([a-z]+(?: [a-z]+)?)[*_]{0,3} ?(?:(:)[\s*_]{0,8})?$/

/** An emphasised label of the model's own, whole or not yet, and what follows it: `**At the moment:** World lore:`. */
const OWN_LABEL = /^[a-z' ]{1,24}[*_]{0,3}(?::[*_]{0,3} ?(.*))?$/

/** What may stand before the name of a note in the model's own words: `[Fix the state_delta`, `[End of World state`. */
const OWN_WORDS = /^\[(?:[a-z']{1,12} ){0,4}$/
/** What may still become such a note. */
const OWN_NOTE_BEGUN = /^\[(?:[a-z']{1,12} ){0,6}[a-z_']{0,12}$/

/** Reads the beginning of a line character by character, until it is clear whether it is one of ours. */
export class OpeningReader {
  opening: LineOpening = 'more'
  /** The beginning without decoration, folded. */
  private text = ''
  private marks = ''
  private readonly notes: readonly string[]

  /** `names` are those of the story's people, folded: what they say is prose. */
  constructor(
    private readonly names: ReadonlySet<string>,
    isAfterNote: boolean,
  ) {
    this.notes = isAfterNote ? AFTER_NOTE : NOTE_OPENINGS
  }

  /** Marks of emphasis that were opened before a label and are still to be closed after it. */
  get openMarks(): number {
    const opened = this.marks.replace(/[^*_]/g, '').length
    return Math.max(0, opened - this.text.replace(/[^*_]/g, '').length)
  }

  /** Whether the line, if it ends here, is only the label of the player. */
  get isBareLabel(): boolean {
    const { role, isWhole } = this.label
    return isWhole && role === 'bare'
  }

  feed(character: string): void {
    if (this.opening !== 'more') return
    if (this.text === '' && DECORATION.test(character)) {
      if (/\S/.test(character)) this.marks += character
      if (this.marks.length > MAX_MARKS) this.opening = 'prose'
      return
    }
    // Live values as a list of texts: `["You: warmth 20/40"]`.
    if (this.text === '[' && QUOTE.test(character)) return
    this.text += character === '’' ? "'" : character.toLowerCase()
    this.opening = this.read()
  }

  private read(): LineOpening {
    if (this.notes.includes(this.text)) return 'note'
    if (this.isOwnNote()) return 'note'
    const label = this.readLabel()
    if (label !== 'prose') return label
    if (OWN_NOTE_BEGUN.test(this.text) || this.mayBecomeNote(this.text)) return 'more'
    return /[*_]/.test(this.marks) ? this.readOwnLabel() : 'prose'
  }

  private isOwnNote(): boolean {
    const name = NOTE_NAMES.find((one) => this.text.endsWith(one))
    return name !== undefined && OWN_WORDS.test(this.text.slice(0, -name.length))
  }

  private readOwnLabel(): LineOpening {
    const [whole, rest = ''] = OWN_LABEL.exec(this.text) ?? []
    if (whole === undefined || !this.mayBecomeNote(rest)) return 'prose'
    return this.notes.includes(rest) ? 'note' : 'more'
  }

  private mayBecomeNote(text: string): boolean {
    return this.notes.some((opening) => opening.startsWith(text))
  }

  private readLabel(): LineOpening {
    const { role, isWhole } = this.label
    if (role !== null) return isWhole && role !== 'bare' ? role : 'more'
    return ROLES.keys().some((word) => word.startsWith(this.text.replace('[', ''))) ? 'more' : 'prose'
  }

  /** The role that the text is a label of, and whether its colon was read. Only the player's may be in brackets. */
  private get label(): { role: Role | null; isWhole: boolean } {
    const text = this.text.replace(/^\[([a-z]+)\]/, '$1')
    const [, word = '', colon] = LABEL.exec(text) ?? []
    const role = this.names.has(word) ? null : (ROLES.get(word) ?? null)
    const counts = text === this.text || role === 'player'
    return { role: counts ? role : null, isWhole: colon !== undefined }
  }
}

type Role = keyof typeof ROLE_LABELS

const ROLES = new Map<string, Role>(
  (Object.keys(ROLE_LABELS) as Role[]).flatMap((role) =>
    ROLE_LABELS[role].map((word) => [word, role] as const),
  ),
)
