/** The attack: on an unencrypted path, confirm a forged notice as `VALID` in PayFast's name. */
import { expect, it } from 'vitest'
import { InvalidSettings } from '@saltfreak/backend'
import { parseSettings } from '#server/settings.ts'

const LIVE = {
  PUBLIC_URL: 'https://shop.example',
  PAYFAST_MODE: 'live',
  PAYFAST_MERCHANT_ID: '10012345',
  PAYFAST_MERCHANT_KEY: 'abcdef0123456',
  PAYFAST_PASSPHRASE: 'a-long_pass/phrase',
}

it.each([
  ['PAYFAST_PROCESS_URL', 'http://www.payfast.co.za/eng/process'],
  ['PAYFAST_VALIDATE_URL', 'http://www.payfast.co.za/eng/query/validate'],
  ['PAYFAST_VALIDATE_URL', 'http://localhost:3000/eng/query/validate'],
  ['PHONE_WEBHOOK_URL', 'http://texts.example/send'],
])('does not start a live shop with %s=%s', (name, value) => {
  const start = () => parseSettings({ ...LIVE, [name]: value }, '.')

  expect(start).toThrow(InvalidSettings)
  expect(start).toThrow(new RegExp(`^${name} must be an https address when PAYFAST_MODE is live[^\n]*$`))
})

it('does not print the webhook URL, which may contain a key, at the start', () => {
  const env = { ...LIVE, PHONE_WEBHOOK_URL: 'http://texts.example/send?key=salt-water-42' }

  expect(() => parseSettings(env, '.')).not.toThrow(/salt-water-42/)
})

it.each([
  ['PAYFAST_VALIDATE_URL', 'https://www.payfast.co.za/eng/query/validate'],
  ['PHONE_WEBHOOK_URL', 'https://texts.example/send'],
  ['PHONE_WEBHOOK_URL', 'http://127.0.0.1:9000/send'],
])('starts a live shop with %s=%s', (name, value) => {
  expect(parseSettings({ ...LIVE, [name]: value }, '.').payfast.mode).toBe('live')
})
