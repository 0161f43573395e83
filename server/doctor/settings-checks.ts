import { access, constants, stat } from 'node:fs/promises'
import { failed, type HealthCheck, ok, warning } from '../health/finding.ts'
import type { Settings } from '../settings.ts'

/** The shop may write its data folder, and other users of the machine cannot read the settings. */
export function filesCheck({
  dataDir,
  settingsFile,
}: Pick<Settings, 'dataDir' | 'settingsFile'>): HealthCheck {
  return {
    component: 'files',
    async check() {
      try {
        await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
      } catch {
        return failed(
          `This user cannot write the data folder ${dataDir}.`,
          'Run this as the shop’s user, or give DATA_DIR a folder that it owns.',
        )
      }
      const file = await stat(settingsFile).catch(() => null)
      if (file?.isFile() && (file.mode & 0o004) !== 0) {
        return failed(
          `Every user of this machine can read the passwords in ${settingsFile}.`,
          `chmod o= ${settingsFile}`,
        )
      }
      return ok('The data folder is writable, and the settings are private.')
    },
  }
}

/** Buyers can pay with real money. */
export function payfastCheck({ payfast, isLocal }: Pick<Settings, 'payfast' | 'isLocal'>): HealthCheck {
  return {
    component: 'PayFast',
    async check() {
      if (payfast.mode === 'live') return ok('Payments are live.')
      if (isLocal) return ok('This shop is for trying out: payments are not real.')
      return warning(
        `PayFast is in the mode ${payfast.mode}: no real money is paid.`,
        'When you have tried it, set PAYFAST_MODE=live, and your merchant id, key and passphrase.',
      )
    },
  }
}
