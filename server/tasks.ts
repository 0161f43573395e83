import type { Backend, TaskList } from '@saltfreak/backend'
import { mailTasks } from '#emails/outbox/tasks.ts'
import { outboxDelivery } from '#emails/outbox/transport.ts'
import { paymentTasks } from '#payments/create-payments.ts'
import { simulatorTasks } from '#payments/simulator/create-simulator.ts'
import type { ShopParts } from './shop-parts.ts'
import { alertTasks } from './alerts/alert-channels.ts'
import { deleteUploads } from './delete-uploads.ts'
import { runRestoreTest } from './restore-test/run-restore-test.ts'
import { payfastAccount } from './payfast-account.ts'

export interface ShopTasks {
  tasks: TaskList
  /** Scheduled tasks, in graphile-worker's crontab format. */
  crontab: string
}

type Tasks = ReturnType<typeof tasksOf>

/** Replaced by the next one while it waits, and tried three times: the next run makes up for a failed one. */
const POLL = { jobKey: true, max: 3 }

/** Made up for once after the shop was off, however many runs were missed: the next run replaces a waiting one. */
const DAILY = { jobKey: true, fill: '2d' }

/** When each task runs: a crontab expression, and options; null for tasks that other code queues. The compiler asks for every task. */
const SCHEDULE: Record<keyof Tasks, { at: string; jobKey?: boolean; max?: number; fill?: string } | null> = {
  check_notice: null,
  send_refund: null,
  send_mail: null,
  send_alert: null,
  expire_orders: { at: '* * * * *', ...POLL },
  remind_unpaid_orders: { at: '*/10 * * * *', ...POLL },
  restart_lost_jobs: { at: '*/10 * * * *', ...POLL },
  reconcile_payments: { at: '20 2 * * *', ...DAILY },
  // No event marks the moment when a reservation expires and its colour is back in stock.
  queue_stock_alerts: { at: '* * * * *', ...POLL },
  queue_low_stock_alerts: { at: '* * * * *', ...POLL },
  publish_products: { at: '* * * * *', ...POLL },
  // Gallery photos without a submission.
  delete_unsent_photos: { at: '27 * * * *' },
  // Product pictures that were uploaded but not saved.
  delete_unused_pictures: { at: '50 3 * * *', ...DAILY },
  // Removes personal data after the periods of supabase/schema/people/retention.sql.
  erase_inactive_customers: { at: '30 3 * * *', ...DAILY },
  // Changes can be undone for thirty days; then personal data is removed from the history.
  delete_old_changes: { at: '40 3 * * *', ...DAILY },
  test_restore: { at: '10 4 * * 0', jobKey: true, max: 3, fill: '8d' },
}

/** Returns the handlers of the job queue by task name, and the schedule. */
export function createTasks(parts: ShopParts, backend: Omit<Backend, 'api'>): ShopTasks {
  return {
    tasks: {
      ...backend.tasks,
      ...tasksOf(parts, backend),
      ...(payfastAccount(parts).mode === 'simulator' && simulatorTasks(parts.database.owner)),
    },
    crontab: [
      backend.crontab,
      ...Object.entries(SCHEDULE).flatMap(([task, schedule]) =>
        schedule ? crontabLine(task, schedule) : [],
      ),
    ].join('\n'),
  }
}

function crontabLine(
  task: string,
  { at, jobKey, ...rest }: NonNullable<(typeof SCHEDULE)[keyof Tasks]>,
): string {
  const options = Object.entries({ ...(jobKey && { jobKey: task }), ...rest })
  const query = options.map(([name, value]) => `${name}=${value}`).join('&')
  return `${at} ${task}${query && ` ?${query}`}`
}

function tasksOf(parts: ShopParts, { deleteFiles }: Pick<Backend, 'deleteFiles'>) {
  const { settings, database, log } = parts
  const { owner } = database
  const { publicUrl, mailFrom, shopEmail } = settings
  return {
    delete_unsent_photos: () => deleteUploads('delete_unsent_photos', { deleteFiles }),
    delete_unused_pictures: () => deleteUploads('delete_unused_pictures', { deleteFiles }),
    erase_inactive_customers: async () =>
      void (await owner.query('select private.erase_inactive_customers()')),
    delete_old_changes: async () => void (await owner.query('select private.delete_old_changes()')),
    test_restore: (_, { abortSignal }) => runRestoreTest({ owner, settings }, abortSignal),
    publish_products: async () => void (await owner.query('select private.publish_products()')),
    ...paymentTasks({ owner, account: payfastAccount(parts), log }),
    ...alertTasks(settings),
    ...mailTasks({ owner, publicUrl, mailFrom, shopEmail, deliver: outboxDelivery(settings), log }),
  } satisfies TaskList
}
