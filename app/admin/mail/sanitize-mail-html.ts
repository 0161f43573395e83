/** Elements that load, run, or violate the page's content security policy. */
const UNSAFE_ELEMENTS = 'style, script, link, meta, base, iframe, object, embed, form'

/** Removes unsafe elements and pictures from other origins; text and inline styles stay. */
export function sanitizeMailHtml(html: string): string {
  // The browser applies the policy while it parses, so style elements go before.
  const mail = new DOMParser().parseFromString(html.replace(/<style[\s\S]*?<\/style>/gi, ''), 'text/html')
  for (const element of mail.querySelectorAll(UNSAFE_ELEMENTS)) element.remove()
  for (const picture of mail.querySelectorAll('img')) {
    if (new URL(picture.src, location.href).origin !== location.origin) picture.remove()
  }
  return mail.documentElement.outerHTML
}
