import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'

import { confirmWithPayfast } from './confirmation.ts'

it('does not take the word of another address that PayFast’s answer redirects to', async () => {
  const asked: (string | undefined)[] = []
  const server = createServer(({ url }, response) => {
    asked.push(url)
    if (url === '/validate') response.writeHead(302, { Location: '/elsewhere' }).end()
    else response.end('VALID')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0

  const confirmation = await confirmWithPayfast(`http://127.0.0.1:${port}/validate`, 'm_payment_id=1')

  expect(confirmation).toMatchObject({ answer: 'unknown', detail: expect.stringContaining('HTTP 302') })
  expect(asked).toEqual(['/validate'])
})
