import { failed, type HealthCheck, ok } from '../health/finding.ts'
import type { Settings } from '../settings.ts'
import { clockProblem } from './clock-check.ts'
import { codeOf } from './error-code.ts'

const ANSWER_MS = 10_000
const AGREES = ok('The address leads to the shop, and the clock agrees with the proxy’s.')

/** `PUBLIC_URL` leads to the running shop with a certificate that browsers accept, and this machine's clock is right. */
export function addressCheck({ publicUrl }: Pick<Settings, 'publicUrl'>, now = Date.now): HealthCheck {
  return {
    component: 'address and clock',
    async check() {
      try {
        const answer = await fetch(`${publicUrl}/healthz`, { signal: AbortSignal.timeout(ANSWER_MS) })
        await answer.body?.cancel()
        return answer.ok
          ? (clockProblem(answer.headers.get('Date'), { of: 'the address’s', now: now() }) ?? AGREES)
          : failed(
              `${publicUrl} answers ${answer.status} instead of the shop.`,
              'Start the shop, then compare the proxy’s configuration with deploy/.',
            )
      } catch (error) {
        return unreachable(publicUrl, error)
      }
    },
  }
}

function unreachable(publicUrl: string, error: unknown) {
  const code = codeOf(error)
  const { hostname } = new URL(publicUrl)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return failed(
      `The name ${hostname} has no address.`,
      'Create an A record for it at the domain’s provider, and wait until it is visible.',
    )
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(code)) {
    return failed(
      `Browsers do not accept the certificate of ${hostname} (${code}).`,
      'Get one with certbot, including its chain (fullchain.pem), or let Caddy do it.',
    )
  }
  return failed(
    `${publicUrl} does not answer${code && ` (${code})`}.`,
    'Start the proxy, and open the ports 80 and 443 in the firewall. If a phone opens the shop, only its own machine cannot: then its network does not lead back to it.',
  )
}
