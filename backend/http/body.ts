/** The request's body, or null when it is larger than allowed: nothing beyond the limit is kept in memory. */
export async function readBody(request: Request, limitBytes: number): Promise<Uint8Array | null> {
  const announced = Number(request.headers.get('content-length') ?? 0)
  if (announced > limitBytes) return null
  if (!request.body) return new Uint8Array()

  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body) {
    length += chunk.byteLength
    if (length > limitBytes) return null
    chunks.push(chunk)
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, length)
}
