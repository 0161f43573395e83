import type { Pool } from 'pg'
import { z } from 'zod'
import { selectRow } from '@saltfreak/backend'
import { counted } from '../counted.ts'
import type { HealthCheck } from '../finding.ts'

const PAYMENTS = 'payments'
const NOTICES = 'payment notices'

const count = z.object({ count: z.coerce.number() })

/** No payment waits for the decision of a person. */
export function paymentsCheck(owner: Pool): HealthCheck {
  return {
    component: PAYMENTS,
    async check() {
      const { count: open } = await selectRow(owner, count, [
        'select count(*) from public.open_payment_issues',
      ])
      if (open === 0) return { component: PAYMENTS, state: 'ok', message: 'No payment needs you.' }
      return {
        component: PAYMENTS,
        state: 'warning',
        message: `${counted(open, 'payment needs', 'payments need')} a decision from you.`,
        action: 'Open Needs attention: each payment says what happened and what you can do.',
      }
    },
  }
}

/** PayFast confirms notices within three hours. */
export function noticesCheck(owner: Pool): HealthCheck {
  return {
    component: NOTICES,
    async check() {
      const { count: open } = await selectRow(owner, count, [
        'select private.count_unconfirmed_notices() as count',
      ])
      if (open === 0)
        return { component: NOTICES, state: 'ok', message: 'PayFast confirms payments without delay.' }
      return {
        component: NOTICES,
        state: 'failed',
        message: `PayFast has not confirmed ${counted(open, 'payment', 'payments')} for more than three hours, so paid orders are waiting.`,
        action: 'Test PayFast on the Settings page. The shop asks PayFast again by itself.',
      }
    },
  }
}
