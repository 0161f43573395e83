import { createHash } from 'node:crypto'

export interface SealedPage {
  html: Buffer
  /** The sources a content security policy names for the page's own inline scripts and styles. */
  allowed: { scripts: string[]; styles: string[] }
}

/**
 * Replaces the nonce of a rendered page by the hashes of what carried it, so that the same bytes can go to everybody.
 *
 * Only elements with this rendering's nonce are hashed: markup that found its way into the page without knowing it is
 * allowed by no hash, as it would have been by no nonce.
 */
export function sealPage(html: Buffer, nonce: string): SealedPage {
  const pieces = split(html, ` nonce="${nonce}"`)
  const found = { script: new Set<string>(), style: new Set<string>() }
  for (const [index, afterNonce] of pieces.slice(1).entries()) {
    const element = carrierOf(pieces[index])
    const content = element && contentOf(afterNonce, element)
    if (element && content?.length) found[element].add(hashSource(content))
  }
  return {
    html: Buffer.concat(pieces),
    allowed: { scripts: [...found.script], styles: [...found.style] },
  }
}

function split(html: Buffer, separator: string): Buffer[] {
  const pieces: Buffer[] = []
  let start = 0
  for (let end = html.indexOf(separator); end >= 0; end = html.indexOf(separator, start)) {
    pieces.push(html.subarray(start, end))
    start = end + separator.length
  }
  return [...pieces, html.subarray(start)]
}

/** The element whose opening tag ends what stands before its nonce. */
function carrierOf(beforeNonce: Buffer | undefined): 'script' | 'style' | null {
  const tag = beforeNonce?.toString('latin1', beforeNonce.lastIndexOf('<')) ?? ''
  if (/^<script\b/.test(tag)) return 'script'
  return /^<style\b/.test(tag) ? 'style' : null
}

function contentOf(afterNonce: Buffer, element: string): Buffer {
  return afterNonce.subarray(afterNonce.indexOf('>') + 1, afterNonce.indexOf(`</${element}>`))
}

function hashSource(content: Buffer): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`
}
