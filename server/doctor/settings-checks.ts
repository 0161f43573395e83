import { access, constants, stat } from 'node:fs/promises'
import type { Finding, HealthCheck } from '../health/finding.ts'
import type { Settings } from '../settings.ts'

const FILES = 'files'
const PAYMENTS = 'PayFast'
const PROXY = 'proxy'

/** The shop may write its data folder, and other users of the machine cannot read the settings. */
export function filesCheck({
  dataDir,
  settingsFile,
}: Pick<Settings, 'dataDir' | 'settingsFile'>): HealthCheck {
  return {
    component: FILES,
    async check() {
      try {
        await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
      } catch {
        return failed(
          FILES,
          `This user cannot write the data folder ${dataDir}.`,
          'Run this as the shop’s user, or give DATA_DIR a folder that it owns.',
        )
      }
      const file = await stat(settingsFile).catch(() => null)
      if (file?.isFile() && (file.mode & 0o004) !== 0) {
        return failed(
          FILES,
          `Every user of this machine can read the passwords in ${settingsFile}.`,
          `chmod o= ${settingsFile}`,
        )
      }
      return {
        component: FILES,
        state: 'ok',
        message: 'The data folder is writable, and the settings are private.',
      }
    },
  }
}

/** Buyers can pay with real money. */
export function payfastCheck({ payfast, isLocal }: Pick<Settings, 'payfast' | 'isLocal'>): HealthCheck {
  return {
    component: PAYMENTS,
    async check() {
      if (payfast.mode === 'live') return { component: PAYMENTS, state: 'ok', message: 'Payments are live.' }
      if (isLocal)
        return {
          component: PAYMENTS,
          state: 'ok',
          message: 'This shop is for trying out: payments are not real.',
        }
      return {
        component: PAYMENTS,
        state: 'warning',
        message: `PayFast is in the mode ${payfast.mode}: nobody pays real money.`,
        action: 'When you have tried it, set PAYFAST_MODE=live, and your merchant id, key and passphrase.',
      }
    },
  }
}

/** Only the proxy reaches the shop, and the shop knows that the proxy is there. */
export function proxyCheck({
  host,
  publicUrl,
  trustProxy,
  isLocal,
}: Pick<Settings, 'host' | 'publicUrl' | 'trustProxy' | 'isLocal'>): HealthCheck {
  return {
    component: PROXY,
    async check() {
      if (isLocal) return { component: PROXY, state: 'ok', message: 'None is needed on this machine.' }
      if (publicUrl.startsWith('https:') && trustProxy === 0) {
        return failed(
          PROXY,
          'The shop ignores the proxy’s X-Forwarded-For: all buyers share one rate limit.',
          'Set TRUST_PROXY=true.',
        )
      }
      if (trustProxy > 0 && host === '0.0.0.0') {
        return {
          component: PROXY,
          state: 'warning',
          message: 'The shop’s own port is open beside the proxy, so anyone there can forge an address.',
          action: 'Unset HOST, unless the proxy runs in another container.',
        }
      }
      return { component: PROXY, state: 'ok', message: 'Only the proxy reaches the shop.' }
    },
  }
}

function failed(component: string, message: string, action: string): Finding {
  return { component, state: 'failed', message, action }
}
