/** The marks around the thoughts of a family of models. */
interface ThoughtFamily {
  name: string
  open: readonly string[]
  close: readonly string[]
  /** The closing mark without an opening one counts too: the template had opened the thought in the prompt. */
  closesAlone?: boolean
}

/**
 * Marks that do not follow the common rule (`REGULAR_THOUGHT`). Where a family has no source of its own, it is that of
 * the reasoning parsers of vLLM (github.com/vllm-project/vllm, vllm/reasoning).
 */
export const THOUGHT_FAMILIES: readonly ThoughtFamily[] = [
  // https://cookbook.openai.com/articles/openai-harmony
  {
    name: 'gpt-oss',
    open: ['<|channel|>analysis<|message|>', '<|channel|>commentary<|message|>'],
    close: ['<|end|>', '<|return|>', '<|call|>', '<|start|>', '<|channel|>'],
  },
  // The same from a server that leaves its tokens out.
  { name: 'gpt-oss without tokens', open: [], close: ['assistantfinal'], closesAlone: true },
  // https://ai.google.dev/gemma/docs/core/prompt-formatting-gemma4
  { name: 'Gemma 4', open: ['<|channel>thought'], close: ['<channel|>'], closesAlone: true },
  // https://huggingface.co/google/medgemma-27b-text-it
  { name: 'MedGemma', open: ['<unused94>thought', '<unused94>'], close: ['<unused95>'], closesAlone: true },
  {
    name: 'Kimi K3',
    open: ['<|open|>think<|sep|>'],
    close: ['<|close|>think<|sep|>'],
    closesAlone: true,
  },
  { name: 'Solar', open: ['<|think|>'], close: ['<|/think|>', '<|end|>'] },
  // https://huggingface.co/swiss-ai/Apertus-8B-Instruct-2509
  { name: 'Apertus', open: ['<|inner_prefix|>'], close: ['<|inner_suffix|>'], closesAlone: true },
  { name: 'Pangu', open: ['[unused16]'], close: ['[unused17]'], closesAlone: true },
  {
    name: 'Granite 3.2',
    open: ['Here is my thought process:', "Here's my thought process:"],
    close: ['Here is my response:', "Here's my response:"],
  },
  {
    name: 'Apriel',
    open: ['Here are my reasoning steps:'],
    close: ['[BEGIN FINAL RESPONSE]'],
    closesAlone: true,
  },
]

/**
 * Marks named after thinking, with their brackets, the name and its parts: `<think>` and `</think>` (DeepSeek R1, Qwen 3, GLM and most
 * others), `<thinking>`, `<thought>` (EXAONE Deep), `<reasoning>`, `<seed:think>` (Seed-OSS), `<mm:think>` (MiniMax M3),
 * `<ifm|think>` (K2 Horizon), `<longcat_think>`, `<think:opensource>` (Hunyuan 3), `[THINK]` and `[/THINK]` (Magistral), `◁think▷` (Kimi
 * VL), `<|START_THINKING|>` and `<|END_THINKING|>` (Command A), `<|begin_of_thought|>` (Sky-T1), `<|think_start|>`.
 */
export const REGULAR_THOUGHT = /^(<\/?\|?\/?|\[\/?(?=[A-Z_]+\])|◁\/?)([\w:|-]{1,32}?)\|?[>\]▷]$/
export const THOUGHT_WORDS = new Set(
  'think thinking thought thoughts reason reasoning analysis reflection scratchpad'.split(' '),
)

/** Marks around the story itself, after thoughts. They are left out, and what they enclose is prose. */
export const WRAPPERS = [
  // Hunyuan, ERNIE, Marco-o1.
  ...['<answer>', '</answer>', '<response>', '</response>', '<output>', '</output>'],
  '[END FINAL RESPONSE]',
]

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
 * Without a source of its own, a family is that of llama.cpp's templates (github.com/ggml-org/llama.cpp,
 * src/llama-chat.cpp), and of its list of tokens that end a reply (src/llama-vocab.cpp).
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
    role: ['<start_of_turn>', '<|turn>', '<|channel>'],
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
  { name: 'Solar', role: ['<|begin|>'], mark: ['<|content|>'] },
  { name: 'EXAONE', narrator: ['[|assistant|]'], other: ['[|user|]', '[|system|]'], mark: ['[|endofturn|]'] },
  { name: 'GLM', mark: ['[gMASK]', '<sop>'] },
  { name: 'SmolVLM', mark: ['<end_of_utterance>'] },
  {
    name: 'Kimi',
    role: ['<|im_assistant|>', '<|im_user|>', '<|im_system|>', '<|open|>', '<|close|>'],
    mark: ['<|im_middle|>', '<|sep|>'],
  },
]

/** Headings of Alpaca (github.com/tatsu-lab/stanford_alpaca) and the first Vicuna, at the start of a line alone. */
export const ALPACA_HEADINGS = {
  narrator: ['### Response', '### Assistant', '### Output'],
  other: ['### Instruction', '### Input', '### User', '### Human', '### System'],
} as const

/** Role words that stand for the narrator, and those that stand for somebody else or for thoughts. */
export const ROLE_WORDS = {
  narrator: ['assistant', 'model', 'bot', 'chatbot', 'narrator', 'final', 'response'],
  other: [
    'user',
    'human',
    'player',
    'system',
    'developer',
    'tool',
    'analysis',
    'commentary',
    'thought',
    'think',
  ],
} as const
