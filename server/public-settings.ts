import type { PublicSettings } from '#domain/function-results.ts'
import { hasMailbox } from './has-mailbox.ts'
import type { Settings } from './settings.ts'

/** The settings that admins may read. An allow-list, so that a new setting stays secret until it is added here. */
export function publicSettings(settings: Settings): PublicSettings {
  const { payfast, smtpUrl } = settings
  const mailServer = smtpUrl ? new URL(smtpUrl) : null
  return {
    publicUrl: settings.publicUrl,
    payfast: {
      mode: payfast.mode,
      merchantId: payfast.merchantId,
      hasPassphrase: payfast.passphrase !== null,
    },
    mail: {
      server: mailServer && `${mailServer.hostname}${mailServer.port && `:${mailServer.port}`}`,
      isEncrypted: mailServer?.protocol === 'smtps:',
      hasMailbox: hasMailbox(settings),
      from: settings.mailFrom,
      shopEmail: settings.shopEmail,
    },
    database: settings.databaseUrl ? 'its own server (DATABASE_URL)' : 'embedded, in the data folder',
    confirmsSignUps: settings.confirmSignUps,
    trustedProxies: settings.trustProxy,
  }
}
