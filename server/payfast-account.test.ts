import { expect, it } from 'vitest'
import { payfastAccount } from './payfast-account.ts'
import { parseSettings } from './settings.ts'

const settings = parseSettings({}, '/srv/shop')
const keys = { publishable: 'sb_publishable_1', secret: 'sb_secret_1' }

it('derives the simulator’s passphrase from the secret key, not from the key that browsers know', () => {
  const { passphrase } = payfastAccount({ settings, keys })

  expect(passphrase).toMatch(/^[\da-f]{32}$/)
  expect(payfastAccount({ settings, keys: { ...keys, publishable: 'sb_publishable_2' } }).passphrase).toBe(
    passphrase,
  )
  expect(payfastAccount({ settings, keys: { ...keys, secret: 'sb_secret_2' } }).passphrase).not.toBe(
    passphrase,
  )
})

it('uses the passphrase of the settings where there is one', () => {
  const given = parseSettings({ PAYFAST_PASSPHRASE: 'our-own' }, '/srv/shop')

  expect(payfastAccount({ settings: given, keys }).passphrase).toBe('our-own')
})
