import { expect, it } from 'vitest'

import { inPieces } from './pieces.ts'

const LIMITS = { bytes: 10, waitMs: 20 }

async function* chunksOf(...texts: (string | Error | Promise<string>)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) {
    if (text instanceof Error) throw text
    yield Buffer.from(await text)
  }
}

/** Returns the pieces that arrive before the end or an error, and the error. */
async function piecesOf(content: AsyncIterable<Uint8Array>) {
  const pieces: string[] = []
  try {
    for await (const piece of inPieces(content, LIMITS)) pieces.push(piece.toString())
    return { pieces, error: null }
  } catch (error) {
    return { pieces, error }
  }
}

it('joins the small chunks of an upload to parts of the wanted size', async () => {
  expect(await piecesOf(chunksOf('aaaa', 'bbbb', 'cccc', 'dddd'))).toEqual({
    pieces: ['aaaabbbbcccc', 'dddd'],
    error: null,
  })
})

it('stores the bytes that arrived before an upload broke off', async () => {
  const broken = new Error('broken')

  expect(await piecesOf(chunksOf('aaaa', broken))).toEqual({ pieces: ['aaaa'], error: broken })
})

it('stores the bytes of an upload that pauses', async () => {
  const late = Promise.withResolvers<string>()
  const pieces = inPieces(chunksOf('aaaa', late.promise), LIMITS)

  expect(String((await pieces.next()).value)).toBe('aaaa')
  late.resolve('bbbb')
  expect(String((await pieces.next()).value)).toBe('bbbb')
  expect((await pieces.next()).done).toBe(true)
})

it('yields nothing for an upload without bytes', async () => {
  expect(await piecesOf(chunksOf())).toEqual({ pieces: [], error: null })
})
