/** What a template token means at the start of a reply: `role` stands before the name of the one who speaks. */
export type TokenKind = 'role' | 'narrator' | 'other' | 'mark'

/** The tokens of one family of chat templates. */
interface TokenFamily {
  name: string
  /** Tokens before a role word: `<|im_start|>assistant`. */
  role?: readonly string[]
  /** Tokens that give the word to the narrator. */
  narrator?: readonly string[]
  /** Tokens that give the word to somebody else: the player, the system, a tool. */
  other?: readonly string[]
  /** All others: ends, separators, beginnings of text. */
  mark?: readonly string[]
}

/**
 * Where a family has no source of its own, it is that of llama.cpp's templates (github.com/ggml-org/llama.cpp,
 * src/llama-chat.cpp), and its list of tokens that end a reply (src/llama-vocab.cpp).
 */
export const TOKEN_FAMILIES: readonly TokenFamily[] = [
  // Also Qwen, Yi, Hermes, SmolLM, Phi 4.
  { name: 'ChatML', role: ['<|im_start|>'], mark: ['<|im_end|>', '<|im_sep|>', '<|endoftext|>'] },
  // https://huggingface.co/blog/llama2#how-to-prompt-llama-2
  {
    name: 'Llama 2',
    narrator: ['[/INST]'],
    other: ['[INST]', '<<SYS>>', '<</SYS>>'],
    // `<s>assistant` is that of Monarch.
    role: ['<s>'],
    mark: ['</s>'],
  },
  // https://www.llama.com/docs/model-cards-and-prompt-formats/meta-llama-3/
  {
    name: 'Llama 3',
    role: ['<|start_header_id|>'],
    mark: ['<|begin_of_text|>', '<|end_header_id|>', '<|eot_id|>', '<|eom_id|>', '<|end_of_text|>'],
  },
  { name: 'Llama 4', role: ['<|header_start|>'], mark: ['<|header_end|>', '<|eot|>'] },
  // github.com/mistralai/cookbook, concept-deep-dive/tokenization/templates.md
  {
    name: 'Mistral',
    other: ['[SYSTEM_PROMPT]', '[/SYSTEM_PROMPT]', '[AVAILABLE_TOOLS]', '[TOOL_CALLS]', '[TOOL_RESULTS]'],
    mark: ['[/AVAILABLE_TOOLS]', '[/TOOL_RESULTS]'],
  },
  // https://ai.google.dev/gemma/docs/core/prompt-structure
  {
    name: 'Gemma',
    role: ['<start_of_turn>', '<|turn>'],
    mark: ['<end_of_turn>', '<turn|>', '<bos>', '<eos>'],
  },
  // Also Zephyr, Falcon 3, GLM; https://huggingface.co/microsoft/Phi-3-mini-4k-instruct
  {
    name: 'Phi',
    narrator: ['<|assistant|>'],
    other: ['<|user|>', '<|system|>', '<|tool|>'],
    mark: ['<|end|>'],
  },
  {
    name: 'DeepSeek',
    narrator: ['<｜Assistant｜>'],
    other: ['<｜User｜>'],
    mark: ['<｜begin▁of▁sentence｜>', '<｜end▁of▁sentence｜>', '<|EOT|>'],
  },
  // https://docs.cohere.com/docs/command-r-hf
  {
    name: 'Command R',
    narrator: ['<|CHATBOT_TOKEN|>'],
    other: ['<|USER_TOKEN|>', '<|SYSTEM_TOKEN|>'],
    mark: ['<BOS_TOKEN>', '<EOS_TOKEN>', '<|START_OF_TURN_TOKEN|>', '<|END_OF_TURN_TOKEN|>'],
  },
  // https://cookbook.openai.com/articles/openai-harmony
  {
    name: 'Harmony',
    role: ['<|start|>', '<|channel|>'],
    mark: ['<|message|>', '<|return|>', '<|call|>', '<|constrain|>'],
  },
  { name: 'Granite', role: ['<|start_of_role|>'], mark: ['<|end_of_role|>'] },
  { name: 'OpenChat', mark: ['<|end_of_turn|>'] },
  { name: 'EXAONE', narrator: ['[|assistant|]'], other: ['[|user|]', '[|system|]'], mark: ['[|endofturn|]'] },
  { name: 'GLM', mark: ['[gMASK]', '<sop>'] },
  { name: 'SmolVLM', mark: ['<end_of_utterance>'] },
  { name: 'Kimi', role: ['<|im_assistant|>', '<|im_user|>', '<|im_system|>'], mark: ['<|im_middle|>'] },
]

/**
 * The headings of Alpaca, which has no tokens (github.com/tatsu-lab/stanford_alpaca, README.md), and of the first Vicuna.
 * They count at the start of a line alone.
 */
export const ALPACA_HEADINGS = {
  narrator: ['### Response', '### Assistant', '### Output'],
  other: ['### Instruction', '### Input', '### User', '### Human', '### System'],
} as const

/** Role words that stand for the narrator, and those that stand for somebody else or for thoughts. */
export const ROLE_WORDS = {
  narrator: ['assistant', 'model', 'bot', 'chatbot', 'narrator', 'final'],
  other: ['user', 'human', 'player', 'system', 'developer', 'tool', 'analysis', 'commentary', 'thought'],
} as const
