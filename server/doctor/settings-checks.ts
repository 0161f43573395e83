import { access, constants, stat } from 'node:fs/promises'
import type { Finding, HealthCheck } from '../health/finding.ts'
import type { Settings } from '../settings.ts'

const FILES = 'files'
const PAYMENTS = 'PayFast'

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
        message: `PayFast is in the mode ${payfast.mode}: no real money is paid.`,
        action: 'When you have tried it, set PAYFAST_MODE=live, and your merchant id, key and passphrase.',
      }
    },
  }
}

function failed(component: string, message: string, action: string): Finding {
  return { component, state: 'failed', message, action }
}
