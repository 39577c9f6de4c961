import type { RecallTrial } from '../../app/prompt/prompt-view.ts'
import { regionForm } from '../form-attributes.ts'
import { RecalledMemory, RecalledPassage } from '../insights/recalled.tsx'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { Field } from '../ui/field.tsx'
import { storyUrl } from '../urls.ts'

export interface RecallTest extends RecallTrial {
  line: string
}

interface RecallTestProps {
  adventureId: number
  tried: RecallTest | undefined
}

export function TryRecall({ adventureId, tried }: RecallTestProps): Markup {
  return (
    <details open={tried !== undefined} id="try-recall">
      <summary>Try recall</summary>
      <form {...regionForm(`${storyUrl(adventureId)}/recall`, '#recalled')}>
        <Field
          label="Your line"
          name="line"
          value={tried?.line ?? ''}
          rows={2}
          hint="Shows which memories and earlier passages the model would be reminded of. The story stays as it is."
        />
        <button type="submit">Try</button>
      </form>
      <RecallTestResult adventureId={adventureId} tried={tried} />
    </details>
  )
}

function RecallTestResult({ adventureId, tried }: RecallTestProps): Markup {
  if (!tried) return <div id="recalled" role="status" />
  const { memories, passages } = tried
  return (
    <div id="recalled" role="status">
      {memories.length + passages.length === 0 ? (
        <p>Nothing would be recalled. Passages that are still in the prompt need no recall.</p>
      ) : null}
      <ul>
        {memories.map((memory) => (
          <li>
            Memory: <RecalledMemory memory={memory} />
          </li>
        ))}
        {passages.map((passage) => (
          <li>
            <RecalledPassage adventureId={adventureId} passage={passage} />
          </li>
        ))}
      </ul>
    </div>
  )
}
