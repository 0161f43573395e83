import { connect } from 'node:tls'
import type { Settings } from '../../settings.ts'
import { counted } from '../counted.ts'
import { failed, type HealthCheck, ok, warning } from '../finding.ts'

const DAY_MS = 24 * 3_600_000
const WARN_DAYS = 14
/** Shorter than the time limit of a check. */
const CONNECT_MS = 2500

/** The certificate of `PUBLIC_URL` is valid for more than two weeks. Looked up once a day while it is; none for plain http. */
export function certificateChecks({ publicUrl }: Pick<Settings, 'publicUrl'>): HealthCheck[] {
  const url = new URL(publicUrl)
  if (url.protocol !== 'https:') return []
  let newest: { at: number; expiresAt: Date | null } | undefined
  return [
    {
      component: 'certificate',
      async check() {
        const isValid = certificateFinding(newest?.expiresAt ?? null, new Date()).state === 'ok'
        // One that is about to end is looked up each time: its renewal ends the alert.
        const isFresh = newest?.expiresAt && isValid && Date.now() - newest.at < DAY_MS
        // A machine may be unable to reach its own public address; whether buyers can is for `npm run doctor`.
        if (!isFresh) {
          const former = newest?.expiresAt ?? null
          newest = { at: Date.now(), expiresAt: await expiryOf(url).catch(() => former) }
        }
        return certificateFinding(newest?.expiresAt ?? null, new Date())
      },
    },
  ]
}

export function certificateFinding(expiresAt: Date | null, now: Date) {
  if (!expiresAt) return ok('The certificate of the shop’s address cannot be read from this machine.')
  const days = Math.floor((expiresAt.getTime() - now.getTime()) / DAY_MS)
  if (days >= WARN_DAYS) return ok(`The certificate is valid for ${days} more days.`)
  const action =
    'Renew it: Caddy and certbot do so by themselves, so read their log, and check that port 80 is open.'
  return days < 0
    ? failed('The certificate has expired, so browsers warn buyers away from the shop.', action)
    : warning(
        `The certificate expires in ${counted(days, 'day', 'days')}. After that, browsers warn buyers away from the shop.`,
        action,
      )
}

/** Returns when the certificate that this address shows expires. Accepts any certificate: only its date counts here. */
function expiryOf({ hostname, port }: URL): Promise<Date> {
  return new Promise((settle, fail) => {
    const socket = connect(
      {
        host: hostname,
        port: Number(port) || 443,
        servername: hostname,
        rejectUnauthorized: false,
        timeout: CONNECT_MS,
      },
      () => {
        settle(new Date(socket.getPeerCertificate().valid_to))
        socket.destroy()
      },
    )
    socket.once('error', fail)
    socket.once('timeout', () => socket.destroy(new Error('no answer')))
  })
}
