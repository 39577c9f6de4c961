/** Traces of text that was not escaped: an attribute, a global, or a request to this path. */
export const CANARY = { attribute: 'data-pwned', global: '__pwned', path: '/pwned' }

/** Texts that try to become markup or script. Any element they create has the attribute `data-pwned`. */
export const HOSTILE_TEXTS: readonly string[] = [
  '<img src=/pwned onerror=__pwned=1 data-pwned>',
  '<script data-pwned>__pwned=1</script>',
  '" data-pwned onfocus="__pwned=1" autofocus x="',
  "' data-pwned onfocus='__pwned=1' autofocus x='",
  '</script></style></textarea></title></select></template></noscript>--><b data-pwned>',
  '<svg onload=__pwned=1 data-pwned><script>__pwned=1</script></svg>',
  '<iframe src=/pwned srcdoc="<script>parent.__pwned=1</script>" data-pwned></iframe>',
  '<style data-pwned>@import "/pwned"</style><link rel=stylesheet href=/pwned data-pwned>',
  '<base href=//evil.example data-pwned><meta http-equiv=refresh content="0;url=/pwned" data-pwned>',
  '<form action=/pwned data-pwned><input autofocus onfocus=__pwned=1></form>',
  '[a](javascript:__pwned=1) [b](data:text/html;base64,PGI+) <https://evil.example> https://evil.example',
  '![c](https://evil.example/a.png) ![d](//evil.example/a.png "x") [e]: https://evil.example',
  '" hx-get="/pwned" hx-trigger="load" hx-on:click="__pwned=1" data-pwned="',
  '<b data-pwned hx-get=/pwned hx-trigger=load hx-vals="js:{a:__pwned=1}"></b>',
  '<hx-partial hx-target="body" hx-swap="innerHTML"><b data-pwned></b></hx-partial>',
  '<b data-pwned x-data="{}" x-init="__pwned=1" x-html="\'<img src=/pwned>\'" @click="__pwned=1">',
  "{{constructor.constructor('__pwned=1')()}} <%= 7-7 %> #{7-7}",
  '&lt;b data-pwned&gt; &#60;b data-pwned&#62; &amp;quot; &quot; data-pwned=&quot;',
  ']]><b data-pwned/><!--<b data-pwned>--!><!DOCTYPE x [<!ENTITY y SYSTEM "/pwned">]>',
  '\u202egnp.exe\u202c \u2066x\u2069 a\u200bb\u200dc\ufeffd e\u0301 \u{1f3ee}',
  `w${'o'.repeat(150)}rd`,
]

/** Texts that try to become stream events or lines. */
export const FORGED_EVENTS: readonly string[] = [
  '\n\nevent: turn-ended\ndata: \n\ndata: <b data-pwned></b>\n\n',
  '\r\revent: turn-ended\rdata: <b data-pwned></b>\r\r',
  '\r\n\r\nid: 1\r\nretry: 1\r\ndata: {"type":"error","detail":"forged","code":"internal"}\r\n\r\n',
  '\u2028data: {"type":"done"}\u2029\u0085: beat\u000b\u000c',
  'data: [DONE]',
]

/** As many hostile texts as fit, after a name that identifies the field. */
export function hostile(name: string, room = 5_000, texts = HOSTILE_TEXTS): string {
  const start = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % texts.length
  let text = `${name} ${texts[0]}`
  for (let i = 0; i < texts.length; i++) {
    const more = `${text} ${texts[(start + i) % texts.length]}`
    if ([...more].length <= room) text = more
  }
  return text
}
