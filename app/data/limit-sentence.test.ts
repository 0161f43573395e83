import { expect, it } from 'vitest'
import { limitSentence } from './limit-sentence.ts'
import { UploadRejected } from './resumable-upload.ts'

const SENTENCE = 'Too many requests. Please try again later.'

/** An error of `queryBackend`. */
const refusal = (code: string) =>
  new Error(SENTENCE, { cause: { code, message: SENTENCE, details: null, hint: null } })

it.each([
  ['a rate limit', refusal('PT429')],
  ['a full disk', refusal('insufficient_storage')],
  ['a rate limit behind another error', new Error('not saved', { cause: refusal('PT429') })],
  ['the limit of uploads', new UploadRejected(429, SENTENCE)],
  ['a disk too full for an upload', new UploadRejected(507, SENTENCE)],
])('returns the shop’s sentence about %s', (_case, error) => {
  expect(limitSentence(error)).toBe(SENTENCE)
})

it.each([
  ['another refusal', refusal('23514')],
  ['a file that is too large', new UploadRejected(413, SENTENCE)],
  ['a page of a proxy', new UploadRejected(429, '')],
  ['a lost connection', new Error('no answer')],
])('returns no sentence about %s', (_case, error) => {
  expect(limitSentence(error)).toBeNull()
})
