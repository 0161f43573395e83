import type { StartedWith } from '#functions/_shared/given.ts'
import { hasMailbox } from './has-mailbox.ts'
import type { Settings } from './settings.ts'

/** What an admin may read of the process's environment. Chosen one by one: a new setting is secret until it is named here. */
export function startedWith(settings: Settings): StartedWith {
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
