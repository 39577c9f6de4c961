/** Replies of each kind of server, byte for byte, and the expected result; '' for no error. */
export const BODIES: [server: string, body: string, thinking: string, text: string, error: string][] = [
  [
    'llama.cpp with progress',
    `data: {"choices":[{"finish_reason":null,"index":0,"delta":{"role":"assistant","content":null}}],"created":1760000000,"id":"chatcmpl-x","model":"m","system_fingerprint":"b6500","object":"chat.completion.chunk","prompt_progress":{"total":13400,"cache":100,"processed":2100,"time_ms":812}}

: ping

data: {"choices":[{"finish_reason":null,"index":0,"delta":{"reasoning_content":"Hm, a door"}}],"id":"chatcmpl-x","object":"chat.completion.chunk"}

data: {"choices":[{"finish_reason":null,"index":0,"delta":{"content":"The dör "}}],"id":"chatcmpl-x","object":"chat.completion.chunk"}

data: {"choices":[{"finish_reason":null,"index":0,"delta":{"content":"opens 🌲."}}],"id":"chatcmpl-x","object":"chat.completion.chunk"}

data: {"choices":[{"finish_reason":"length","index":0,"delta":{}}],"id":"chatcmpl-x","object":"chat.completion.chunk"}

data: {"choices":[],"usage":{"completion_tokens":9,"prompt_tokens":13400,"total_tokens":13409},"timings":{"cache_n":100,"prompt_n":13300,"predicted_n":9}}

data: [DONE]

`,
    'Hm, a door',
    'The dör opens 🌲.',
    '',
  ],
  [
    'llama.cpp with an error',
    `data: {"choices":[{"finish_reason":null,"index":0,"delta":{"content":"The "}}]}

error: {"code":500,"message":"Context size has been exceeded.","type":"server_error"}

`,
    '',
    'The ',
    'Context size has been exceeded.',
  ],
  [
    'Ollama’s native API',
    '{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"","thinking":"Hm, a dö"},"done":false}\n{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"","thinking":"or"},"done":false}\n{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"The dör opens 🌲."},"done":false}\n{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","total_duration":4883583458,"load_duration":1334875,"prompt_eval_count":26,"prompt_eval_duration":342546000,"eval_count":282,"eval_duration":4535599000}\n',
    'Hm, a döor',
    'The dör opens 🌲.',
    '',
  ],
  [
    'Ollama with an error',
    '{"model":"m","message":{"role":"assistant","content":"The "},"done":false}\n{"error":"an error was encountered while running the model: CUDA error"}\n',
    '',
    'The ',
    'CUDA error',
  ],
  [
    'Ollama, whole',
    '{"model":"m","message":{"role":"assistant","content":"The dör opens."},"done_reason":"stop","done":true,"prompt_eval_count":34,"eval_count":12}',
    '',
    'The dör opens.',
    '',
  ],
  [
    'LM Studio with tags',
    `data: {"id":"chatcmpl-x","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":"<thi"},"logprobs":null,"finish_reason":null}]}

data: {"id":"chatcmpl-x","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"nk>Hm</think>"},"finish_reason":null}]}

data: {"id":"chatcmpl-x","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"The door opens."},"finish_reason":null}]}

data: {"id":"chatcmpl-x","object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

data: [DONE]

`,
    'Hm',
    'The door opens.',
    '',
  ],
  [
    'LM Studio with an error',
    'event: error\ndata: {"error":{"message":"The model has crashed without additional information. (Exit code: 6)"}}\n\n',
    '',
    '',
    'The model has crashed',
  ],
  [
    'KoboldCpp',
    'event: message\r\ndata: {"id": "koboldcpp", "object": "chat.completion.chunk", "created": 1, "model": "koboldcpp/m", "choices": [{"index": 0, "finish_reason": null, "delta": {"role": "assistant", "content": "The d\\u00f6r "}}]}\r\n\r\nevent: message\r\ndata: {"choices": [{"index": 0, "finish_reason": "stop", "delta": {"content": "opens."}}]}\r\n\r\nevent: message\r\ndata: [DONE]\r\n\r\n',
    '',
    'The dör opens.',
    '',
  ],
  [
    'vLLM with an error',
    'data: {"object":"error","message":"EngineCore encountered an issue.","type":"InternalServerError","param":null,"code":500}\n\ndata: [DONE]\n\n',
    '',
    '',
    'EngineCore encountered an issue.',
  ],
  [
    'TabbyAPI, whose template opened the reasoning',
    `data: {"choices":[{"index":0,"delta":{"content":"Hm, a door."}}]}

: ping - 2026-01-01 00:00:00

data: {"choices":[{"index":0,"delta":{"content":"</think>\\n\\nThe door opens."}}]}

data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

`,
    'Hm, a door.',
    '\n\nThe door opens.',
    '',
  ],
  [
    'text-generation-webui with an error',
    '{"detail":[{"type":"missing","loc":["body","messages"],"msg":"Field required","input":{"model":"m"}}]}',
    '',
    '',
    'Field required',
  ],
  [
    'GPT4All, whole',
    '{\n    "choices": [\n        {\n            "finish_reason": "stop",\n            "index": 0,\n            "message": {\n                "content": "The dör\\nopens.",\n                "role": "assistant"\n            }\n        }\n    ],\n    "usage": {\n        "completion_tokens": 5,\n        "prompt_tokens": 20\n    }\n}\n',
    '',
    'The dör\nopens.',
    '',
  ],
  ['a web server', '<!doctype html>\n<html>\n<body>It works! 🌲</body>\n</html>\n', '', '', 'It works!'],
  [
    'content parts, with a byte order mark and without an end',
    '\uFEFFdata: {"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm"}]},{"type":"text","text":"The "}]}}]}\n\ndata: {"choices":[{"delta":\ndata: {"content":[{"type":"text","text":"dör"}]}}]}',
    'Hm',
    'The dör',
    '',
  ],
]
