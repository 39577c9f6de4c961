/**
 * The attributes of a form in a panel, whose response redirects to a page with that panel. With script only the panel is
 * taken from it: a page that is left would end the turn that streams to it.
 */
export function panelForm(action: string): Record<string, string> {
  return {
    method: 'post',
    action,
    'hx-post': action,
    'hx-select': '#panel',
    'hx-target': '#panel',
    'hx-swap': 'outerHTML',
  }
}

/** The attributes of a form whose response leads elsewhere or, when it is refused, says why above the composer. */
export function noticeForm(action: string): Record<string, string> {
  return { method: 'post', action, 'hx-post': action, 'hx-target': '#notice', 'hx-swap': 'innerHTML' }
}
