import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { START_LATE } from './start-late.ts'

const STYLE_SHEET = /<link\b(?=[^>]* rel="stylesheet")[^>]* href="([^"#]+)#?"[^>]*\/>/g

/** The style sheets of the build by their addresses, each read once. Their names carry hashes, so none ever changes. */
export type StyleSheets = (address: string) => Promise<string>

export function styleSheetsIn(folder: string): StyleSheets {
  const read = new Map<string, Promise<string>>()
  return (address) => {
    const known = read.get(address) ?? readFile(join(folder, address), 'utf8')
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
export async function paintFirst(html: string, { nonce, styleSheets }: Paint): Promise<string> {
  const addresses = [...html.matchAll(STYLE_SHEET)].map(([, address = '']) => address)
  const looks = await Promise.all(addresses.map((address) => styleSheets(address)))
  const inline = `<style nonce="${nonce}">${looks.join('')}</style><script nonce="${nonce}">${START_LATE}</script>`
  return html
    .replace(STYLE_SHEET, (link) => link.replace('/>', ' disabled=""/>'))
    .replaceAll(' rel="modulepreload"', ' rel="late-modulepreload"')
    .replace(' type="module" async=""', ' type="late-module"')
    .replace('</head>', () => `${inline}</head>`)
}
