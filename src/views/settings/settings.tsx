import type { DevicesReport } from '../../app/devices/use-devices.ts'
import type { ConnectionTest } from '../../app/model/settings.ts'
import type { EmbeddingTest } from '../../app/model/test-embeddings.ts'
import type { PrivacyReport } from '../../domain/model/privacy-report.ts'
import { presetOf, type SamplingPreset, type SamplingSettings } from '../../domain/model/sampling-presets.ts'
import { CLIPPED, type ModelFacts } from '../../domain/prompt/model-facts.ts'
import type { ReaderPreferences } from '../../domain/reader-preferences.ts'
import { isModelMissing, type Settings, type SettingsView } from '../../domain/settings.ts'
import { currentVisitor } from '../../http/visitor.ts'
import { DevicesSection } from '../devices/devices.tsx'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { Notice, Page } from '../layout.tsx'
import { ReadingForm } from '../reading/reading-fields.tsx'
import { QuitForm } from '../storage/quit.tsx'
import { formatNumber } from '../ui/format-number.ts'
import { engineUrl, storageUrl } from '../urls.ts'
import { FindServers } from './found-servers.tsx'
import { PrivacySection } from './privacy.tsx'
import { ConnectionTestResult, EmbeddingTestResult, TestButton } from './server-tests.tsx'
import { SettingsFields } from './settings-fields.tsx'

export interface SettingsProps {
  settings: SettingsView
  notice?: Child
  did?: string
  typed?: Record<string, string> | undefined
  tested?: ConnectionTest | undefined
  testedEmbeddings?: EmbeddingTest | undefined
  found?: Child
  facts: ModelFacts
  /** The optional settings that the server supports; null for an unknown server. */
  takes: ReadonlySet<string> | null
  serverName: string
  privacy: PrivacyReport
  reading: ReaderPreferences
  devices: DevicesReport
  canQuit: boolean
}

/** Sections by the ids of their headings. */
const SECTIONS = [
  ['model', 'Model server'],
  ['telling', 'Story generation'],
  ['choosing', 'Sampling'],
  ['thinking', 'Reasoning'],
  ['numbers', 'Stats and memory'],
  ['reading-settings', 'Reading'],
  ['privacy', 'Privacy'],
  ['devices', 'Other devices'],
  ['storage', 'Storage'],
] as const

export function SettingsPage(props: SettingsProps): Markup {
  return currentVisitor() === null ? <AllSettingsPage {...props} /> : <DeviceSettingsPage {...props} />
}

function AllSettingsPage(props: SettingsProps): Markup {
  const { settings, notice, did, typed, tested, found, facts, privacy, reading, canQuit } = props
  const { takes, serverName, testedEmbeddings } = props
  const value = (name: keyof Settings): string => typed?.[name] ?? String(settings[name] ?? '')
  const fields = { value, takes, serverName }
  return (
    <Page title="Settings" place="/settings" did={did}>
      <div class="shelf settings">
        <h1>Settings</h1>
        <div class="jumps">
          <nav aria-label="Settings sections">
            {SECTIONS.map(([id, name]) => (
              <a href={`#${id}`}>{name}</a>
            ))}
          </nav>
          <button type="submit" form="settings" class="main">
            Save
          </button>
        </div>
        <div class="parts">
          <Notice>{notice}</Notice>
          {settings.practice ? (
            <p class="practice">
              No model is connected, so the <strong>practice narrator</strong> tells your stories. It follows
              simple rules and is not a language model.
            </p>
          ) : null}
          <h2 id="model">Model server</h2>
          <FindServers found={found} />
          <ModelFileLink file={settings.model_file} />
          <form id="settings" method="post" action="/settings" data-refused={typed !== undefined}>
            <SettingsFields group="server" {...fields} />
            {isModelMissing(settings) ? (
              <p class="bad">
                No model is chosen yet. Most servers need its name: test the connection to see what is there.
              </p>
            ) : null}
            <DetectedServer {...props} />
            <TestButton of="connection" />
            <ConnectionTestResult tested={tested} />
            <Folded words="Connection options" isOpen={typed !== undefined}>
              <SettingsFields group="connection" {...fields} />
            </Folded>
            <h2 id="telling">Story generation</h2>
            <ContextNote settings={settings} facts={facts} />
            <SettingsFields group="story" {...fields} />
            <h2 id="choosing">Sampling</h2>
            <PresetButtons settings={settings} />
            <Folded words="Sampling numbers" isOpen={typed !== undefined || presetOf(settings) === null}>
              <p class="about">
                Temperature is always sent. Other fields left empty are not sent, so the model server’s
                defaults apply.
              </p>
              <SettingsFields group="sampling" {...fields} />
            </Folded>
            <h2 id="thinking">Reasoning</h2>
            <SettingsFields group="reasoning" {...fields} />
            <h2 id="numbers">Stats and memory</h2>
            <SettingsFields group="stats" {...fields} />
            <Folded
              words="Models and limits for memory"
              isOpen={typed !== undefined || testedEmbeddings !== undefined}
            >
              <SettingsFields group="embeddings" {...fields} />
              <TestButton of="embeddings" />
              <EmbeddingTestResult tested={testedEmbeddings} />
              <SettingsFields group="memory" {...fields} />
            </Folded>
            <button type="submit" class="main">
              Save settings
            </button>
          </form>
          <h2 id="reading-settings">Reading</h2>
          <ReadingForm reading={reading} />
          <PrivacySection settings={settings} privacy={privacy} />
          <DevicesSection report={props.devices} />
          <h2 id="storage">Storage</h2>
          <p class="row">
            <a class="button" href={storageUrl()}>
              Storage and backups
            </a>
            <span class="about">How much disk space your library uses, and its backups.</span>
          </p>
          {canQuit ? <QuitForm /> : null}
        </div>
      </div>
    </Page>
  )
}

function Folded({ words, isOpen, children }: { words: string; isOpen: boolean; children?: Child }): Markup {
  return (
    <details open={isOpen}>
      <summary>{words}</summary>
      {children}
    </details>
  )
}

/** On another device, only the settings of reading. */
function DeviceSettingsPage({ reading, did, notice }: SettingsProps): Markup {
  return (
    <Page title="Settings" place="/settings" did={did}>
      <div class="shelf">
        <h1>Settings</h1>
        <Notice>{notice}</Notice>
        <ReadingForm reading={reading} />
        <p class="about">All other settings are on the machine that runs Inglenook.</p>
      </div>
    </Page>
  )
}

function ModelFileLink({ file }: { file: string }): Markup {
  return (
    <p class="row">
      <a class="button" href={engineUrl('')}>
        Use a model file on this machine
      </a>
      <span class="about">
        {file === '' ? (
          'Tells stories without a model server, from a GGUF file.'
        ) : (
          <>
            <code translate="no">{file}</code> tells your stories, in place of the model server below.
          </>
        )}
      </span>
    </p>
  )
}

function DetectedServer({ facts, serverName }: SettingsProps): Markup | null {
  if (facts.server === 'unknown') return null
  return (
    <p class="about">
      Server: {serverName}, detected from {facts.evidence}.
    </p>
  )
}

function ContextNote({ settings, facts }: Pick<SettingsProps, 'settings' | 'facts'>): Markup | null {
  const { window, window_from, factor, samples } = facts
  if (window === null && samples === 0) return null
  const source =
    window_from === CLIPPED ? 'the server cut off a longer prompt there' : `reported at ${window_from}`
  return (
    <p class="about">
      {window === null ? null : `This model’s context is ${formatNumber(window)} tokens (${source}). `}
      {window !== null && window < settings.context_token_budget
        ? 'It is smaller than the context size below, so it is used instead. '
        : null}
      {samples > 0 ? `Its token counts are ${factor.toFixed(2)} × our estimates.` : null}
    </p>
  )
}

const PRESETS: [name: SamplingPreset, label: string, about: string][] = [
  ['steady', 'Steady', 'Predictable, keeps to the story so far. Good for small models and for stats.'],
  ['balanced', 'Balanced', 'For most models and stories.'],
  ['wild', 'Wild', 'Surprising turns and words. Needs a capable model.'],
]

function PresetButtons({ settings }: { settings: SamplingSettings }): Markup {
  const chosen = presetOf(settings)
  return (
    <fieldset class="presets">
      <legend class="unseen">Sampling presets</legend>
      {PRESETS.map(([name, label, about]) => (
        <button type="submit" name="preset" value={name} aria-pressed={String(name === chosen)}>
          <strong>{label}</strong>
          <small>{about}</small>
        </button>
      ))}
      <p class="about">
        {chosen === null
          ? 'The numbers below are your own. A preset replaces them.'
          : 'A preset sets the numbers below.'}
      </p>
    </fieldset>
  )
}
