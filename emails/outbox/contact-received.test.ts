import { afterAll, beforeAll, expect, it } from 'vitest'

import { startMailServer, type TestMailServer } from '#test/mail-server.ts'
import { openShop, type TestShop } from '#test/shop.ts'

let shop: TestShop
let room: TestMailServer

beforeAll(async () => {
  room = await startMailServer()
  shop = await openShop({ smtpUrl: room.url })
})
afterAll(async () => {
  await shop.close()
  await room.close()
})

it('confirms a sender’s contact messages once a day without repeating the text', async () => {
  const message = {
    name: 'Buy Cheap Watches',
    email: 'Victim@example.com',
    subject: 'Click http://evil.example',
    message: 'Win a prize at http://evil.example today',
  }
  const write = async () => shop.client().from('contact_submissions').insert(message)

  await Promise.all([write(), write(), write()])
  await shop.runJobs()

  const received = await room.received()
  const [answer, ...more] = received.filter(({ to }) => to?.[0]?.address === 'victim@example.com')
  expect(more).toEqual([])
  expect(answer?.subject).toBe('We have your message')
  for (const part of [answer?.html, answer?.text]) {
    expect(part).not.toMatch(/evil|Watches|prize/)
  }
  // The shop is notified of each message.
  expect(received.filter(({ subject }) => subject?.includes('Click'))).toHaveLength(3)
})

it('accepts a contact message from an e-mail address that does not exist', async () => {
  const { error } = await shop.client().from('contact_submissions').insert({
    name: 'Sipho',
    email: 'sipho@nowhere.invalid',
    subject: 'Hooks',
    message: 'Which hooks fit it?',
  })

  expect(error).toBeNull()
})
