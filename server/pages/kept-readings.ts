import { textOf, TextResponse } from '#backend/http/text-response.ts'
import type { KeptUntilNews } from './kept-until-news.ts'

/** What the API answered a visitor. */
export interface Reading {
  status: number
  headers: Record<string, string>
  text: string
  bytes: number
}

/** By these the API decides what the same address answers. Who asks is not among them: it is always a visitor. */
const DECIDES = ['accept', 'accept-profile', 'prefer', 'range']

/**
 * What pages read, kept as they are: several show the same lures, and all the same shipping costs. A page that is rendered for one
 * visitor alone, such as a search, then asks the database for nothing.
 */
export function keepReadings(
  kept: KeptUntilNews<Reading>,
  ask: (request: Request) => Response | Promise<Response>,
): typeof fetch {
  return async (input, init) => {
    const url = typeof input === 'string' ? input : null
    if (url === null || (init?.method ?? 'GET') !== 'GET') return ask(new Request(input, init))

    const headers = new Headers(init?.headers)
    const address = [url, ...DECIDES.map((name) => headers.get(name))].join(' ')
    const { text, ...answer } = await kept.find(address, async () =>
      readingOf(address, await ask(new Request(url, init))),
    )
    return new TextResponse(text, answer)
  }
}

async function readingOf(address: string, answer: Response): Promise<Reading> {
  const text = String(textOf(answer) ?? (await answer.text()))
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    text,
    bytes: (address.length + text.length) * 2,
  }
}
