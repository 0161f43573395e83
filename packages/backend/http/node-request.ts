/**
 * Converts the web server's Request look-alike into Node's own class, which is needed to construct another Request from it (body limits
 * and server functions do). `url` replaces its address.
 */
export function toNodeRequest(request: Request, url = request.url): Request {
  const { method, headers, signal, body } = request
  // Node requires `duplex` with a stream; the DOM's types lack it.
  const sent = { method, headers, signal, body, duplex: 'half' }
  return new Request(url, sent)
}
