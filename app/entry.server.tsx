import { text } from 'node:stream/consumers'
import { renderToString } from 'react-dom/server'
import { ServerRouter, type EntryContext, type RouterContextProvider } from 'react-router'
import { pageContext } from '#server/context.ts'
import { NonceContext } from './early-taps/nonce-context.ts'

/**
 * The whole page at once: it is small, and its status must be right before the first byte leaves. Nothing in it waits for anything,
 * so it needs none of what React does to stream one (decision 0010).
 */
// oxlint-disable-next-line max-params -- React Router calls it so.
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

/** What the browser gets of the loaders' data, put where `ServerRouter` would put it bit by bit while a page streams. */
async function awaitData(context: EntryContext): Promise<void> {
  if (!context.serverHandoffStream) return
  const result = { done: true, value: await text(context.serverHandoffStream) }
  context.renderMeta = { streamCache: [Object.assign(Promise.resolve(), { result })] }
}
