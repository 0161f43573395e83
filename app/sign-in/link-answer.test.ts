import { expect, it } from 'vitest'
import { readAnswer } from './link-answer.ts'

it.each([
  ['', { kind: 'none' }],
  ['#content', { kind: 'none' }],
  ['#error=access_denied&error_code=otp_expired&error_description=Email+link&sb=', { kind: 'refused' }],
  ['#message=Confirmation+link+accepted&sb=', { kind: 'half-done' }],
  ['#followed=email_change', { kind: 'done', type: 'email_change' }],
  ['#access_token=a.b.c&refresh_token=r&type=email_change', { kind: 'none' }],
])('reads the result of a mailed link from the fragment %j', (hash, answer) => {
  expect(readAnswer(hash)).toEqual(answer)
})
