import { readCrashes } from '@saltfreak/backend'
import type { Settings } from '../../settings.ts'
import { type HealthCheck, ok, warning } from '../finding.ts'

/** One may be a power cut; more have a cause that stays. */
const REPEATED = 3

/** The shop, its processes and PostgreSQL do not end again and again. They are restarted at once, so buyers may not notice. */
export function crashesCheck({ dataDir }: Pick<Settings, 'dataDir'>): HealthCheck {
  return {
    component: 'crashes',
    async check() {
      const crashes = await readCrashes(dataDir)
      if (crashes.length < REPEATED) return ok('The shop and its database have not ended unexpectedly.')
      const programs = [...new Set(crashes.map(({ program }) => program))].join(', ')
      return warning(
        `The shop or its database ended unexpectedly ${crashes.length} times within a day (${programs}).`,
        'Read the shop’s log and postgres.log in the data folder. Often the machine has too little memory.',
      )
    },
  }
}
