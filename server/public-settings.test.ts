import { expect, it } from 'vitest'
import { parseSettings } from './settings.ts'
import { publicSettings } from './public-settings.ts'

const LIVE = {
  PUBLIC_URL: 'https://shop.example',
  PAYFAST_MODE: 'live',
  PAYFAST_MERCHANT_ID: '12345678',
  PAYFAST_MERCHANT_KEY: 'hiddenkey',
  PAYFAST_PASSPHRASE: 'hiddenphrase',
  SMTP_URL: 'smtps://shop:hiddenpassword@mail.example:465',
  DATABASE_URL: 'postgresql://shop:hiddenpassword@db.example/shop',
  JWT_SECRET: 'hidden-and-long-enough-for-a-signature',
  PHONE_WEBHOOK_URL: 'https://sms.example/hidden',
}

it('publishes e-mail and payment settings but no secrets', () => {
  const shown = publicSettings(parseSettings(LIVE, '/srv/shop'))

  expect(shown).toMatchObject({
    payfast: { mode: 'live', merchantId: '12345678', hasPassphrase: true },
    mail: { server: 'mail.example:465', isEncrypted: true, hasMailbox: false },
  })
  expect(JSON.stringify(shown)).not.toContain('hidden')
})
