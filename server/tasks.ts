import type { Backend, TaskList } from '@saltfreak/backend'
import { MAIL_CRONTAB, mailTasks } from '#emails/outbox/tasks.ts'
import { outboxDelivery } from '#emails/outbox/transport.ts'
import { PAYMENT_CRONTAB, paymentTasks } from '#payments/create-payments.ts'
import { simulatorTasks } from '#payments/simulator/create-simulator.ts'
import type { ShopParts } from './shop-parts.ts'
import { deleteUploads } from './delete-uploads.ts'
import { payfastAccount } from './payfast-account.ts'

export interface ShopTasks {
  tasks: TaskList
  /** Scheduled tasks, in graphile-worker's crontab format. */
  crontab: string
}

/** Gallery photos without a submission. */
const PHOTOS_CRONTAB = '27 * * * * delete_unsent_photos'

/** Product pictures that were uploaded but not saved. */
const PICTURES_CRONTAB = '50 3 * * * delete_unused_pictures'

/** Publishes scheduled products. */
const CATALOGUE_CRONTAB = '* * * * * publish_products ?jobKey=publish_products&max=3'

/** Removes personal data from orders of closed accounts after the legal retention period. */
const BOOKS_CRONTAB = '30 3 1 * * erase_inactive_customers'

/** Changes can be undone for thirty days; then personal data is removed from the history. */
const CHANGES_CRONTAB = '40 3 * * * delete_old_changes'

/** Returns the handlers of the job queue by task name, and the schedule. */
export function createTasks(parts: ShopParts, backend: Omit<Backend, 'api'>): ShopTasks {
  const { settings, database, log } = parts
  const { owner } = database
  const { publicUrl, mailFrom, shopEmail } = settings
  const account = payfastAccount(parts)
  return {
    tasks: {
      ...backend.tasks,
      delete_unsent_photos: () =>
        deleteUploads('delete_unsent_photos', { owner, deleteFiles: backend.deleteFiles }),
      delete_unused_pictures: () =>
        deleteUploads('delete_unused_pictures', { owner, deleteFiles: backend.deleteFiles }),
      erase_inactive_customers: async () =>
        void (await owner.query('select private.erase_inactive_customers()')),
      delete_old_changes: async () => void (await owner.query('select private.delete_old_changes()')),
      publish_products: async () => void (await owner.query('select private.publish_products()')),
      ...paymentTasks({ owner, account, log }),
      ...(account.mode === 'simulator' && simulatorTasks(owner)),
      ...mailTasks({ owner, publicUrl, mailFrom, shopEmail, deliver: outboxDelivery(settings), log }),
    },
    crontab: [
      PAYMENT_CRONTAB,
      MAIL_CRONTAB,
      backend.crontab,
      PHOTOS_CRONTAB,
      PICTURES_CRONTAB,
      BOOKS_CRONTAB,
      CHANGES_CRONTAB,
      CATALOGUE_CRONTAB,
    ].join('\n'),
  }
}
