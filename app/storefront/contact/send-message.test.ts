import { createClient } from '@supabase/supabase-js'
import { beforeEach, expect, it, vi } from 'vitest'
import { browser } from '#test/browser-backend.ts'
import { limitSentence } from '#app/data/limit-sentence.ts'
import type { ShopDatabase } from '#database'
import { sendMessage } from './send-message.ts'

vi.mock('#app/data/backend.ts', async () => (await import('#test/browser-backend.ts')).browserBackend)

/** The bodies of the requests, by the last part of their paths. */
let sent: Map<string, unknown>
let status: { contact_submissions: number; 'send-contact-notification': number }
/** Ids of the messages that the shop has saved. */
let saved: Set<unknown>
let losesResponses: boolean
let answer: object

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
  sent = new Map()
  saved = new Set()
  losesResponses = false
  answer = { message: 'down' }
  status = { contact_submissions: 201, 'send-contact-notification': 200 }
  browser.client = createClient<ShopDatabase>('https://shop.example', 'key', {
    global: {
      fetch: async (input, init) => {
        const request = new Request(input, init)
        const isSaving = request.url.includes('contact_submissions')
        const name = isSaving ? 'contact_submissions' : 'send-contact-notification'
        const body = await request.json()
        sent.set(name, body)
        if (isSaving && status[name] === 201) {
          if (saved.has(body.id))
            return Response.json(
              { code: '23505', message: 'duplicate', details: '', hint: null },
              { status: 409 },
            )
          saved.add(body.id)
        }
        if (losesResponses) throw new TypeError('fetch failed')
        return Response.json(answer, { status: status[name] })
      },
    },
  })
})

const message = { name: 'Sipho', email: 'sipho@example.com', subject: 'Hooks', message: 'Which size?' }

it('saves a message of the contact form and notifies the shop', async () => {
  await sendMessage(message)

  expect(sent.get('contact_submissions')).toMatchObject(message)
  expect(sent.get('send-contact-notification')).toEqual(message)
})

it('counts a saved message as sent although the notification fails', async () => {
  status['send-contact-notification'] = 500

  await expect(sendMessage(message)).resolves.toBeUndefined()
})

it('reports a message that was not saved, and does not mail it to the shop', async () => {
  status.contact_submissions = 500

  await expect(sendMessage(message)).rejects.toThrow('Failed to save contact submission')
  expect(sent.has('send-contact-notification')).toBe(false)
})

it('keeps what the shop says about a message that is refused at its limit', async () => {
  const sentence = 'Too many requests. Please try again later.'
  status.contact_submissions = 429
  answer = { code: 'PT429', message: sentence, details: 'too_many_sent', hint: null }

  expect(limitSentence(await sendMessage(message).catch((error: unknown) => error))).toBe(sentence)
})

it('saves a message once when it is sent again after a lost response', async () => {
  losesResponses = true
  await expect(sendMessage(message)).rejects.toThrow('Failed to save contact submission')
  losesResponses = false

  await sendMessage(message)

  expect(saved.size).toBe(1)
  expect(sent.get('send-contact-notification')).toEqual(message)
})

it('saves a message again when a visitor writes the same text a second time', async () => {
  await sendMessage(message)
  await sendMessage(message)

  expect(saved.size).toBe(2)
})
