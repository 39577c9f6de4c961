import type { ActionView } from '../../../domain/action.ts'
import type { InterruptedReply } from '../../../domain/interrupted-reply.ts'
import type { ProseLanguage } from '../../../domain/text/language.ts'
import { noticeForm } from '../../form-attributes.ts'
import type { Child, Markup } from '../../jsx/jsx-runtime.ts'
import { ProseBlock } from '../../prose/prose.tsx'
import { storyUrl } from '../../urls.ts'

interface InterruptedProps {
  adventureId: number
  newest: ActionView | null
  interrupted: InterruptedReply
  /** The page says elsewhere why the turn ended. */
  isExplained: boolean
  language: ProseLanguage
}

export function Interrupted({
  adventureId,
  newest,
  interrupted,
  isExplained,
  language,
}: InterruptedProps): Markup {
  const { unsaved, reason } = interrupted
  const why = isExplained || reason === '' ? 'The turn was interrupted here.' : reason
  return (
    <section id="interrupted" aria-labelledby="interrupted-heading">
      <h2 id="interrupted-heading" class="unseen">
        Interrupted reply
      </h2>
      <ProseBlock text={interrupted.text} language={language} />
      <div class="cut row">
        <p class="about">{unsaved ? UNSAVED : `${why} ${SAVED}`}</p>
        <InterruptedForm adventureId={adventureId} newest={newest} operation="keep">
          <button type="submit" class="main" title="Make this text the narrator’s reply">
            Keep
          </button>
        </InterruptedForm>
        <button type="submit" form="composer" name="retry" value="1">
          Retry
        </button>
        <InterruptedForm adventureId={adventureId} newest={newest} operation="discard">
          <button type="submit" title="Delete this text">
            Discard
          </button>
        </InterruptedForm>
      </div>
    </section>
  )
}

const SAVED = 'Keep this or continue, and it becomes part of the story.'
const UNSAVED =
  'This could not be saved: the disk is full or failing. Free some space, then keep it. It is lost if Inglenook stops before that.'

/** A line whose turn ended before there was anything to keep of its reply. */
export function Unanswered(): Markup {
  return (
    <div id="interrupted" class="cut row">
      <p class="about">This line has no finished reply yet.</p>
      <button type="submit" form="composer" name="retry" value="1">
        Get the reply
      </button>
    </div>
  )
}

function InterruptedForm({
  adventureId,
  newest,
  operation,
  children,
}: Pick<InterruptedProps, 'adventureId' | 'newest'> & {
  operation: 'keep' | 'discard'
  children?: Child
}): Markup {
  const action = `${storyUrl(adventureId)}/${operation}`
  return (
    <form {...noticeForm(action)}>
      <input type="hidden" name="newest" value={String(newest?.id ?? 0)} />
      {children}
    </form>
  )
}
