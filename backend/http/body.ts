/** The request's body, or null when it is larger than allowed: nothing beyond the limit is kept in memory. */
export async function readBody(request: Request, limitBytes: number): Promise<Uint8Array | null> {
  const announced = request.headers.get('content-length')
  if (Number(announced) > limitBytes) return null
  // The web server holds a client to the length it announced, and has a short way for bodies that are wanted whole.
  if (announced !== null) return new Uint8Array(await request.arrayBuffer())
  return request.body ? readStream(request.body, limitBytes) : new Uint8Array()
}

async function readStream(body: ReadableStream<Uint8Array>, limitBytes: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.byteLength
    if (length > limitBytes) return null
    chunks.push(chunk)
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, length)
}
