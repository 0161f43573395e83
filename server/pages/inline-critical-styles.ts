import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DEFER_HYDRATION } from './defer-hydration.ts'

const STYLE_SHEET = /<link\b(?=[^>]* rel="stylesheet")[^>]* href="([^"#]+)#?"[^>]*\/>/g

const MODULE = ' type="module" async=""'

/** Returns a style sheet of the build by its address. File names carry a hash, so each is read once. */
export type StyleSheets = (address: string) => Promise<Buffer>

export function styleSheetsIn(folder: string): StyleSheets {
  const read = new Map<string, Promise<Buffer>>()
  return (address) => {
    const known = read.get(address) ?? readFile(join(folder, address))
    read.set(address, known)
    return known
  }
}

interface InlineOptions {
  nonce: string
  styleSheets: StyleSheets
}

/**
 * Inlines the style sheets of a rendered page, so that one response is enough to paint it, and defers its scripts.
 *
 * The style sheet links are disabled, not removed: React looks for them when it hydrates the page.
 */
export async function inlineCriticalStyles(
  html: Buffer,
  { nonce, styleSheets }: InlineOptions,
): Promise<Buffer> {
  const endOfHead = html.indexOf('</head>')
  const head = html.toString('utf8', 0, endOfHead)
  const addresses = [...head.matchAll(STYLE_SHEET)].map(([, address = '']) => address)
  const styles = await Promise.all(addresses.map((address) => styleSheets(address)))
  return Buffer.concat([
    Buffer.from(
      head
        .replace(STYLE_SHEET, (link) => link.replace('/>', ' disabled=""/>'))
        .replaceAll(' rel="modulepreload"', ' rel="deferred-modulepreload"'),
    ),
    Buffer.from(`<style nonce="${nonce}">`),
    ...styles,
    Buffer.from(`</style><script nonce="${nonce}">${DEFER_HYDRATION}</script>`),
    ...deferModule(html.subarray(endOfHead)),
  ])
}

function deferModule(body: Buffer): Buffer[] {
  const start = body.indexOf(MODULE)
  if (start < 0) return [body]
  return [
    body.subarray(0, start),
    Buffer.from(' type="deferred-module"'),
    body.subarray(start + MODULE.length),
  ]
}
