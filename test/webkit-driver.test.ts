import { expect, it } from 'vitest'
import { SUBSTITUTES } from '../e2e/engines/webkit/substitutes.ts'

it('continues a request in WebKit with the command that a cancelled request does not crash', async () => {
  const sent: string[] = []
  const call = (method: string) => {
    sent.push(method)
    return Promise.resolve({})
  }
  const proceed = SUBSTITUTES['Network.interceptWithRequest']

  await proceed?.({ requestId: '0.1' }, call)
  await proceed?.({ requestId: '0.2', headers: { accept: 'text/html' } }, call)

  expect(sent).toEqual(['Network.interceptContinue', 'Network.interceptWithRequest'])
})
