import { text } from 'node:stream/consumers'
import { renderToString } from 'react-dom/server'
import {
  type HandleErrorFunction,
  isRouteErrorResponse,
  ServerRouter,
  type EntryContext,
  type RouterContextProvider,
} from 'react-router'
import { pageContext } from '#server/context.ts'
import { NonceContext } from './early-taps/nonce-context.ts'

/**
 * Renders the whole page at once, without streaming (decision 0010): pages are small, suspend nowhere, and need the right
 * status before the first byte is sent.
 */
// oxlint-disable-next-line max-params -- React Router's signature.
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  const { nonce, takePage } = loadContext.get(pageContext)
  await awaitData(routerContext)
  const page = renderToString(
    <NonceContext value={nonce}>
      <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
    </NonceContext>,
  )
  const html = Buffer.from(`<!DOCTYPE html>${page}`)
  takePage?.(html)

  headers.set('Content-Type', 'text/html; charset=utf-8')
  return new Response(takePage ? null : new Uint8Array(html), { status, headers })
}

export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted) return
  // A form sent to a page that takes none is no failure of the page; the request's own line has the status.
  if (isRouteErrorResponse(error) && error.status < 500) return
  const { noteError = console.error } = context.get(pageContext)
  noteError(error)
}

/** Reads the stream of loader data and puts the text where `ServerRouter` looks for streamed chunks. */
async function awaitData(context: EntryContext): Promise<void> {
  if (!context.serverHandoffStream) return
  const result = { done: true, value: await text(context.serverHandoffStream) }
  context.renderMeta = { streamCache: [Object.assign(Promise.resolve(), { result })] }
}
