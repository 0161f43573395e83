/**
 * The web server's Request only looks like one, and Node's constructor takes no look-alike: whoever hands a Request on in
 * a new one, as limits for bodies of unknown length and functions of others do, needs Node's own. It may get another address.
 */
export function genuineRequest(request: Request, url = request.url): Request {
  const { method, headers, signal, body } = request
  // Node wants `duplex` beside a stream; the DOM's types do not know it.
  const sent = { method, headers, signal, body, duplex: 'half' }
  return new Request(url, sent)
}
