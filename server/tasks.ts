import { rotateSigningKey } from '#backend/auth/keys/signing-keys.ts'
import { textTasks } from '#backend/auth/text-webhook.ts'
import type { TaskList } from '#backend/jobs/run-jobs.ts'
import { storageDisk } from '#backend/storage/create-storage.ts'
import { sweepFiles } from '#backend/storage/sweep-files.ts'
import { MAIL_CRONTAB, mailTasks } from '#emails/outbox/tasks.ts'
import { deliveryFor } from '#emails/outbox/transport.ts'
import { PAYMENT_CRONTAB, paymentTasks } from '#payments/create-payments.ts'
import { simulatorTasks } from '#payments/simulator/create-simulator.ts'
import type { ShopParts } from './api.ts'
import { forgetFiles } from './forget-files.ts'
import { payfastAccount } from './payfast-account.ts'

export interface ShopTasks {
  tasks: TaskList
  /** What runs by the clock, in graphile-worker's crontab form. */
  crontab: string
}

/** What uploads left that a killed process could not finish. */
const FILES_CRONTAB = '17 * * * * sweep_files'

/** Photos for the gallery that nobody handed in. */
const PHOTOS_CRONTAB = '27 * * * * delete_unsent_photos'

/** Pictures of lures that were uploaded and never saved. */
const PICTURES_CRONTAB = '50 3 * * * delete_unused_pictures'

/** Tokens get a new key on the first of each month; the old one is published for as long as they may live. */
const KEYS_CRONTAB = '0 3 1 * * rotate_signing_key'

/** Lures that wait for their hour. */
const CATALOGUE_CRONTAB = '* * * * * publish_products ?jobKey=publish_products&max=3'

/** Orders whose account is gone lose their person once the law no longer asks for it. */
const BOOKS_CRONTAB = '30 3 1 * * erase_inactive_customers'

/** A slip may be taken back for thirty days; then what the log knows of people goes. */
const CHANGES_CRONTAB = '40 3 * * * delete_old_changes'

/** Everything the shop does later: work that waits in the database's job queue, by name. */
export function createTasks(parts: ShopParts): ShopTasks {
  const { settings, database, log } = parts
  const { owner } = database
  const { publicUrl, mailFrom, shopEmail } = settings
  const account = payfastAccount(parts)
  const disk = storageDisk(settings.dataDir)
  return {
    tasks: {
      rotate_signing_key: async () => void (await rotateSigningKey(owner)),
      sweep_files: () => sweepFiles({ owner, disk }),
      delete_unsent_photos: () => forgetFiles('delete_unsent_photos', { owner, disk }),
      delete_unused_pictures: () => forgetFiles('delete_unused_pictures', { owner, disk }),
      erase_inactive_customers: async () =>
        void (await owner.query('select private.erase_inactive_customers()')),
      delete_old_changes: async () => void (await owner.query('select private.delete_old_changes()')),
      publish_products: async () => void (await owner.query('select private.publish_products()')),
      ...paymentTasks({ owner, account, log }),
      ...(account.mode === 'simulator' && simulatorTasks(owner)),
      ...(settings.phoneWebhookUrl && textTasks(settings.phoneWebhookUrl)),
      ...mailTasks({ owner, publicUrl, mailFrom, shopEmail, deliver: deliveryFor(settings), log }),
    },
    crontab: [
      PAYMENT_CRONTAB,
      MAIL_CRONTAB,
      KEYS_CRONTAB,
      FILES_CRONTAB,
      PHOTOS_CRONTAB,
      PICTURES_CRONTAB,
      BOOKS_CRONTAB,
      CHANGES_CRONTAB,
      CATALOGUE_CRONTAB,
    ].join('\n'),
  }
}
