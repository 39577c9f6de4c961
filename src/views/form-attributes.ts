/** The attributes of what replaces a region of the page by the same one of another page. */
export function regionFrom(url: string, region: string): Record<string, string> {
  return { 'hx-get': url, 'hx-select': region, 'hx-target': region, 'hx-swap': 'outerHTML' }
}

/** The attributes of a form whose response replaces a region of the page. A page without script opens there. */
export function regionForm(action: string, region: string): Record<string, string> {
  return {
    method: 'post',
    action: action + region,
    'hx-post': action,
    'hx-target': region,
    'hx-swap': 'outerHTML',
  }
}

/** The same where the response is the whole page. */
export function pageRegionForm(action: string, region: string): Record<string, string> {
  return { ...regionForm(action, region), 'hx-select': region }
}

/**
 * The attributes of a form in a panel, whose response redirects to a page with that panel. With script only the panel is
 * taken from it: the reader stays where they are.
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

/** The attributes of a form whose response leads elsewhere or, when it is refused, says why: above the composer, or in `notice`. */
export function noticeForm(action: string, notice = '#notice'): Record<string, string> {
  return { method: 'post', action, 'hx-post': action, 'hx-target': notice, 'hx-swap': 'innerHTML' }
}
