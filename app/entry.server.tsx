import { renderToReadableStream } from 'react-dom/server'
import { ServerRouter, type EntryContext, type RouterContextProvider } from 'react-router'
import { pageContext } from '#server/context.ts'
import { NonceContext } from './early-taps/nonce-context.ts'

/** The whole page at once: it is small, and its status must be right before the first byte leaves. */
// oxlint-disable-next-line max-params -- React Router calls it so.
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  const { nonce } = loadContext.get(pageContext)
  const page = { status }
  const body = await renderToReadableStream(
    <NonceContext value={nonce}>
      <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
    </NonceContext>,
    {
      nonce,
      signal: request.signal,
      onError(error) {
        page.status = 500
        console.error(error)
      },
    },
  )
  await body.allReady

  headers.set('Content-Type', 'text/html; charset=utf-8')
  return new Response(request.method === 'HEAD' ? null : body, { status: page.status, headers })
}
