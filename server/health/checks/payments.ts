import type { Pool } from 'pg'
import { z } from 'zod'
import { selectRow } from '@saltfreak/backend'
import { counted } from '../counted.ts'
import { failed, type HealthCheck, ok, warning } from '../finding.ts'

const count = z.object({ count: z.coerce.number() })

/** No payment waits for the decision of a person. */
export function paymentsCheck(owner: Pool): HealthCheck {
  return {
    component: 'payments',
    async check() {
      const { count: open } = await selectRow(owner, count, [
        'select count(*) from public.open_payment_issues',
      ])
      if (open === 0) return ok('No payment needs you.')
      return warning(
        `${counted(open, 'payment needs', 'payments need')} a decision from you.`,
        'Open Needs attention: each payment says what happened and what you can do.',
      )
    },
  }
}

/** PayFast confirms notices within three hours. */
export function noticesCheck(owner: Pool): HealthCheck {
  return {
    component: 'payment notices',
    async check() {
      const { count: open } = await selectRow(owner, count, [
        'select private.count_unconfirmed_notices() as count',
      ])
      if (open === 0) return ok('PayFast confirms payments without delay.')
      return failed(
        `PayFast has not confirmed ${counted(open, 'payment', 'payments')} for more than three hours, so paid orders are waiting.`,
        'Test PayFast on the Settings page. The shop asks PayFast again by itself.',
      )
    },
  }
}
