import { counted } from '../health/counted.ts'
import { failed, type HealthCheck, ok, warning } from '../health/finding.ts'
import type { Settings } from '../settings.ts'
import { askForReceivedRequest } from './received-request.ts'

/** An address that no machine has (RFC 5737). */
const FORGED = '192.0.2.1'

type ProxySettings = Pick<Settings, 'host' | 'publicUrl' | 'dataDir' | 'trustProxy' | 'isLocal'>

/** Requests arrive through the proxy with each buyer's own address, and no request can avoid it or forge an address. */
export function proxyCheck(settings: ProxySettings): HealthCheck {
  const { host, publicUrl, trustProxy, isLocal } = settings
  return {
    component: 'proxy',
    async check() {
      if (isLocal) return ok('None is needed on this machine.')
      if (publicUrl.startsWith('https:') && trustProxy === 0) {
        return failed(
          'The shop ignores the proxy’s X-Forwarded-For: all buyers share one rate limit.',
          'Set TRUST_PROXY=true.',
        )
      }
      const received = await askForReceivedRequest(settings, FORGED)
      if (!received) {
        return failed(
          `${publicUrl} does not lead to the shop with this data folder.`,
          'Compare PUBLIC_URL and DATA_DIR with the settings of the running shop, and the proxy’s configuration with deploy/.',
        )
      }
      return headersFinding(received.forwardedFor, trustProxy) ?? portFinding({ host, trustProxy })
    },
  }
}

/** Compares how many proxies have added an address with how many the shop trusts. */
function headersFinding(forwardedFor: string | null, trustProxy: number) {
  const entries = (forwardedFor ?? '').split(',').map((entry) => entry.trim())
  const added = entries.filter((entry) => entry !== '' && entry !== FORGED).length
  if (added === trustProxy) return null
  const proxies = added === 0 ? 'No proxy adds' : counted(added, 'proxy adds', 'proxies add')
  const message = `${proxies} an address to X-Forwarded-For, but the shop trusts ${trustProxy}`
  return added < trustProxy
    ? failed(
        `${message}: anyone can forge an address.`,
        added === 0 ? 'Let the proxy add X-Forwarded-For, as in deploy/.' : `Set TRUST_PROXY=${added}.`,
      )
    : failed(`${message}: all buyers share one rate limit.`, `Set TRUST_PROXY=${added}.`)
}

function portFinding({ host, trustProxy }: Pick<Settings, 'host' | 'trustProxy'>) {
  return trustProxy > 0 && host === '0.0.0.0'
    ? warning(
        'The shop’s own port is open beside the proxy, so anyone there can forge an address.',
        'Unset HOST, unless the proxy runs in another container.',
      )
    : ok('Requests arrive with the address of each buyer.')
}
