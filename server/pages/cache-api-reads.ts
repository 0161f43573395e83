import { textOfResponse, TextResponse } from '@saltfreak/backend'
import type { PageCache } from './page-cache.ts'

/** The request headers that change the API's response. Authorization is not one of them: pages always read as a visitor. */
const VARY = ['accept', 'accept-profile', 'prefer', 'range']

/**
 * Returns a `fetch` that caches GET responses. Pages share reads such as the shipping rates, so a page that is rendered for
 * one request, such as a search, rarely queries the database.
 */
export function cacheApiReads(
  cache: PageCache,
  callApi: (request: Request) => Response | Promise<Response>,
): typeof fetch {
  return async (input, init) => {
    const url = typeof input === 'string' ? input : null
    if (url === null || (init?.method ?? 'GET') !== 'GET') return callApi(new Request(input, init))

    const headers = new Headers(init?.headers)
    const key = [url, ...VARY.map((name) => headers.get(name))].join(' ')
    const { text, ...read } = await cache.getOrMake(key, async () =>
      readOf(await callApi(new Request(url, init))),
    )
    return new TextResponse(text, read)
  }
}

async function readOf(response: Response) {
  const text = String(textOfResponse(response) ?? (await response.text()))
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text,
    bytes: text.length * 2,
  }
}
