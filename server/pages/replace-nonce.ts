import { createHash } from 'node:crypto'

interface HashedPage {
  html: Buffer
  /** Content security policy sources of the page's inline scripts and styles. */
  allowed: { scripts: string[]; styles: string[] }
}

/**
 * Replaces the nonce of a rendered page with content hashes, so that one page can be cached for all visitors.
 *
 * Only elements with this rendering's nonce are hashed: injected markup does not know the nonce, so the policy blocks it.
 */
export function replaceNonceWithHashes(html: Buffer, nonce: string): HashedPage {
  const pieces = split(html, ` nonce="${nonce}"`)
  const sources = { script: new Set<string>(), style: new Set<string>() }
  for (const [index, afterNonce] of pieces.slice(1).entries()) {
    const element = elementOf(pieces[index])
    const content = element && contentOf(afterNonce, element)
    if (element && content?.length) sources[element].add(hashSource(content))
  }
  return {
    html: Buffer.concat(pieces),
    allowed: { scripts: [...sources.script], styles: [...sources.style] },
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

/** Returns the element whose opening tag is cut off before its nonce. */
function elementOf(beforeNonce: Buffer | undefined): 'script' | 'style' | null {
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
