import type { EngineMessage } from '../protocol.ts'
import type { EngineLibrary, Model, TemplateClass } from './library.ts'

const CHATML = `{%- for message in messages -%}{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}{%- endfor -%}
{%- if add_generation_prompt -%}{{ '<|im_start|>assistant\\n' }}{%- endif -%}`

/** Placeholder of a message in a rendered template, in private-use characters. */
const PLACEHOLDER = /\uE0F0(\d+)\uE0F1/

export class PromptTokens {
  private readonly template: InstanceType<TemplateClass>

  constructor(
    private readonly library: EngineLibrary,
    private readonly model: Model,
    Template: TemplateClass,
  ) {
    const own = model.fileInfo.metadata.tokenizer?.chat_template
    this.template = new Template(typeof own === 'string' && own !== '' ? own : CHATML)
  }

  /** Throws errors raised by the template, such as "System role not supported". */
  of(prompt: readonly EngineMessage[] | string, values: Record<string, unknown>): number[] {
    const parts = typeof prompt === 'string' ? [prompt] : this.render(prompt, values)
    const tokens = this.library.LlamaText(parts).tokenize(this.model.tokenizer)
    const { bos, shouldPrependBosToken } = this.model.tokens
    const lacksStart = shouldPrependBosToken && bos !== null && tokens[0] !== bos
    return lacksStart ? [bos, ...tokens] : tokens
  }

  // The template gets placeholders, so that its special tokens in a message stay plain text.
  private render(messages: readonly EngineMessage[], values: Record<string, unknown>): (string | object)[] {
    const last = messages.at(-1)
    // The model continues its own last message.
    const begun = last?.role === 'assistant' ? [last.content] : []
    const before = messages.slice(0, messages.length - begun.length)
    const text = this.template.render({
      ...values,
      messages: before.map(({ role }, i) => ({ role, content: `\uE0F0${i}\uE0F1` })),
      add_generation_prompt: true,
      bos_token: this.model.tokens.bosString ?? '',
      eos_token: this.model.tokens.eosString ?? '',
    })
    const parts = text
      .split(PLACEHOLDER)
      .map((part, i) =>
        i % 2 === 1 ? (before[Number(part)]?.content ?? '') : new this.library.SpecialTokensText(part),
      )
    return [...parts, ...begun]
  }
}
