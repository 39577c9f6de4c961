const swapped = (region: string) => ({ 'hx-select': region, 'hx-target': region, 'hx-swap': 'outerHTML' })

/** The attributes of what replaces a region of the page by the same one of another page. */
export function regionFrom(url: string, region: string): Record<string, string> {
  return { 'hx-get': url, ...swapped(region) }
}

/** The attributes of a form whose response is a page with another region. A page without script opens there. */
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

/** The attributes of a form whose response leads elsewhere or, when it is refused, says why: above the composer, or in `notice`. */
export function noticeForm(action: string, notice = '#notice'): Record<string, string> {
  return { method: 'post', action, 'hx-post': action, 'hx-target': notice, 'hx-swap': 'innerHTML' }
}
