import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { START_LATE } from './start-late.ts'

const STYLE_SHEET = /<link\b(?=[^>]* rel="stylesheet")[^>]* href="([^"#]+)#?"[^>]*\/>/g

const MODULE = ' type="module" async=""'

/** The style sheets of the build by their addresses, each read once. Their names carry hashes, so none ever changes. */
export type StyleSheets = (address: string) => Promise<Buffer>

export function styleSheetsIn(folder: string): StyleSheets {
  const read = new Map<string, Promise<Buffer>>()
  return (address) => {
    const known = read.get(address) ?? readFile(join(folder, address))
    read.set(address, known)
    return known
  }
}

interface Paint {
  nonce: string
  styleSheets: StyleSheets
}

/**
 * Orders a rendered page by what is seen first: its looks travel within it, so that one answer is enough to paint it, and its
 * scripts are not asked for until it is painted.
 *
 * React Router's elements stay where they are, because the browser's React looks for them when it wakes the page: a style sheet
 * whose rules are in the page is switched off, not taken out.
 */
export async function paintFirst(html: Buffer, { nonce, styleSheets }: Paint): Promise<Buffer> {
  const endOfHead = html.indexOf('</head>')
  const head = html.toString('utf8', 0, endOfHead)
  const addresses = [...head.matchAll(STYLE_SHEET)].map(([, address = '']) => address)
  const looks = await Promise.all(addresses.map((address) => styleSheets(address)))
  return Buffer.concat([
    Buffer.from(
      head
        .replace(STYLE_SHEET, (link) => link.replace('/>', ' disabled=""/>'))
        .replaceAll(' rel="modulepreload"', ' rel="late-modulepreload"'),
    ),
    Buffer.from(`<style nonce="${nonce}">`),
    ...looks,
    Buffer.from(`</style><script nonce="${nonce}">${START_LATE}</script>`),
    ...withLateModule(html.subarray(endOfHead)),
  ])
}

function withLateModule(body: Buffer): Buffer[] {
  const start = body.indexOf(MODULE)
  if (start < 0) return [body]
  return [body.subarray(0, start), Buffer.from(' type="late-module"'), body.subarray(start + MODULE.length)]
}
