import { expect, it } from 'vitest'
import { failureText } from './failure-text.ts'
import { NoResponseError } from './query-backend.ts'

it('does not say that nothing has changed when the response to a change is lost', () => {
  const textOf = failureText({
    refused: 'No codes were created.',
    lost: 'Older codes may no longer work.',
  })

  expect(textOf(new NoResponseError())).toBe('Older codes may no longer work.')
  expect(textOf(new Error('AAL2 required'))).toBe('No codes were created.')
})
