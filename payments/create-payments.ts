import { Hono } from 'hono'
import { z } from 'zod'

import type { TaskList } from '@saltfreak/backend'

import { checkNotice, type CheckParts } from './payfast/check-notice.ts'
import { reconcile } from './payfast/reconcile.ts'
import { createNoticeEndpoint, type NoticeParts } from './payfast/notice-endpoint.ts'
import { sendRefund } from './payfast/send-refund.ts'

/** Returns the app for `/payments`, which receives the providers' notices. */
export function createPayments(parts: NoticeParts): Hono {
  return new Hono().route('/payfast/notice', createNoticeEndpoint(parts))
}

const noticeSchema = z.object({ noticeId: z.uuid() })
const refundSchema = z.object({ refundId: z.uuid() })

export function paymentTasks(parts: CheckParts) {
  return {
    check_notice: (payload) => checkNotice(noticeSchema.parse(payload).noticeId, parts),
    send_refund: (payload) => sendRefund(refundSchema.parse(payload).refundId, parts),
    expire_orders: async () => {
      await parts.owner.query('select private.expire_orders()')
    },
    remind_unpaid_orders: async () => {
      await parts.owner.query('select private.remind_unpaid_orders()')
    },
    reconcile_payments: () => reconcile(parts),
    restart_lost_jobs: async () => {
      await parts.owner.query('select private.restart_lost_jobs()')
    },
  } satisfies TaskList
}
