const swapped = (region: string) => ({ 'hx-select': region, 'hx-target': region, 'hx-swap': 'outerHTML' })

/** Replaces a region of the page by the same one of another page. */
export function regionFrom(url: string, region: string): Record<string, string> {
  return { 'hx-get': url, ...swapped(region) }
}

/** Without script the response opens as a page at this region. */
export function regionForm(action: string, region: string): Record<string, string> {
  return { method: 'post', action: action + region, 'hx-post': action, ...swapped(region) }
}

/**
 * The attributes of a form in a panel, whose response redirects to a page with that panel. With script only the panel is
 * taken from it: the reader stays where they are.
 */
export function panelForm(action: string): Record<string, string> {
  return { method: 'post', action, 'hx-post': action, ...swapped('#panel') }
}

/** A refusal shows in `notice`; otherwise the response leads elsewhere. */
export function noticeForm(action: string, notice = '#notice'): Record<string, string> {
  return { method: 'post', action, 'hx-post': action, 'hx-target': notice, 'hx-swap': 'innerHTML' }
}
