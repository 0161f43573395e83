import { createHash } from 'node:crypto'

export interface SealedPage {
  html: string
  /** The sources a content security policy names for the page's own inline scripts and styles. */
  allowed: { scripts: string[]; styles: string[] }
}

/**
 * Replaces the nonce of a rendered page by the hashes of what carried it, so that the same bytes can go to everybody.
 *
 * Only elements with this rendering's nonce are hashed: markup that found its way into the page without knowing it is
 * allowed by no hash, as it would have been by no nonce.
 */
export function sealPage(html: string, nonce: string): SealedPage {
  const carried = new RegExp(`<(script|style)\\b[^>]* nonce="${nonce}"[^>]*>([^]*?)</\\1>`, 'g')
  const found = { script: new Set<string>(), style: new Set<string>() }
  for (const [, element, content = ''] of html.matchAll(carried)) {
    if (content) found[element === 'style' ? 'style' : 'script'].add(hashSource(content))
  }
  return {
    html: html.replaceAll(` nonce="${nonce}"`, ''),
    allowed: { scripts: [...found.script], styles: [...found.style] },
  }
}

function hashSource(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`
}
