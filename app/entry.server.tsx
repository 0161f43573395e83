import { Writable } from 'node:stream'
import type { ReactNode } from 'react'
import { renderToPipeableStream, type RenderToPipeableStreamOptions } from 'react-dom/server'
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
  const { nonce, takePage } = loadContext.get(pageContext)
  const page = { status }
  const html = await renderToBytes(
    <NonceContext value={nonce}>
      <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
    </NonceContext>,
    {
      nonce,
      onError(error) {
        page.status = 500
        console.error(error)
      },
    },
  )
  takePage?.(html)

  headers.set('Content-Type', 'text/html; charset=utf-8')
  return new Response(takePage ? null : new Uint8Array(html), { status: page.status, headers })
}

/**
 * Not given the request's signal: React listens to it for good, and Node keeps a signal with a listener, and with it all that was
 * rendered, until the next collection of everything.
 */
function renderToBytes(page: ReactNode, options: RenderToPipeableStreamOptions): Promise<Buffer> {
  return new Promise((settle, fail) => {
    const { pipe } = renderToPipeableStream(page, {
      ...options,
      onAllReady: () => void pipe(gather(settle)),
      onShellError: fail,
    })
  })
}

function gather(settle: (bytes: Buffer) => void): Writable {
  const chunks: Buffer[] = []
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    },
    final(done) {
      settle(Buffer.concat(chunks))
      done()
    },
  })
}
