import { type Api, type Backend, createBackend, tryConsumeRateLimit } from '@saltfreak/backend'
import { offeredPictures } from '#domain/picture-sizes.ts'
import {
  createConfirmationPage,
  createStockAlertPage,
  createUnsubscribePage,
} from '#emails/outbox/mail-link-pages.ts'
import { CONFIRM_NEWS_PATH, STOCK_ALERTS_PATH, UNSUBSCRIBE_PATH } from '#emails/outbox/mail-paths.ts'
import { outboxDelivery } from '#emails/outbox/transport.ts'
import { functions } from '#functions/index.ts'
import { createPayments } from '#payments/create-payments.ts'
import { queueAccountMail } from './account-mail.ts'
import { alertTester } from './alerts/send-test-alert.ts'
import { createReceivedRequest, RECEIVED_REQUEST_PATH } from './doctor/received-request.ts'
import { setupReporter } from './doctor/setup-checks.ts'
import { systemReporter } from './system/system-report.ts'
import { phoneCodeSender } from './phone-codes.ts'
import { authSettings } from './auth-settings.ts'
import { mountDevelopment } from './development.ts'
import { createMetrics } from './metrics/create-metrics.ts'
import { createHealth } from './health/create-health.ts'
import { limitMailLinks } from './mail-link-limit.ts'
import { payfastAccount } from './payfast-account.ts'
import { limitCalls } from './call-limit.ts'
import {
  ANONYMOUS_LIMITS,
  callShares,
  concurrencyLimits,
  CUSTOMER_PATTERN_TIMEOUT_MS,
  shopLimits,
} from './limits.ts'
import type { ShopParts } from './shop-parts.ts'
import { CHECKOUT_PATHS, queueCheckouts } from './checkout-queue.ts'
import { OPTIONAL_WRITES, refuseOnFullDisk } from './optional-writes.ts'
import { publicSettings } from './public-settings.ts'
import { refuseUnavailable } from './unavailable-page.ts'
import { createWellKnown } from './well-known.ts'
import { createGalleryBudget } from './gallery-budget.ts'
import { limitResumableUploads, limitInsertedRows, limitUploads } from './visitor-limit.ts'

/** Adds the shop's own routes to the services, without the pages. */
export function createApi(
  parts: ShopParts,
  { api }: Pick<Backend, 'api'> = createServices(parts),
  metrics = createMetrics(parts),
): Api {
  const { settings, log } = parts
  api.route('/', createHealth(parts))
  api.route(RECEIVED_REQUEST_PATH, createReceivedRequest(settings))
  api.route('/', metrics.routes)
  mountPayments(api, parts)
  for (const path of [UNSUBSCRIBE_PATH, CONFIRM_NEWS_PATH, STOCK_ALERTS_PATH])
    api.use(`${path}/*`, limitMailLinks(parts.database.owner))
  api.route(UNSUBSCRIBE_PATH, createUnsubscribePage(parts.database.owner))
  api.route(CONFIRM_NEWS_PATH, createConfirmationPage(parts.database.owner))
  api.route(STOCK_ALERTS_PATH, createStockAlertPage(parts.database.owner))
  api.route('/.well-known', createWellKnown(settings))
  mountDevelopment(api, parts)
  api.onError(async (error, c) => {
    log.error({ err: error, id: c.get('requestId'), path: c.req.path }, 'a request failed')
    const refusal = refuseUnavailable(error, c.req.header('accept'))
    return refusal ?? c.json({ message: 'Internal Server Error' }, 500)
  })
  return api
}

/** Creates the backend with the shop's rules. */
export function createServices(parts: ShopParts): Backend {
  const { settings, database, files, log } = parts
  const { publicUrl } = settings
  const payfast = payfastAccount(parts)
  const shared = {
    deliver: outboxDelivery(settings),
    publicSettings: publicSettings(settings),
    checkSetup: setupReporter(settings),
    reportSystem: systemReporter(parts),
    testAlert: alertTester(settings),
  }
  const gallery = createGalleryBudget(database.owner, log)
  const shares = callShares({ connections: database.api.options.max, processes: settings.processes })
  const checkouts = queueCheckouts(shares.checkouts)
  return createBackend({
    ...parts,
    publicUrl,
    files,
    trustProxy: settings.trustProxy,
    legacySecret: settings.legacySecret ?? undefined,
    auth: {
      sendMail: queueAccountMail,
      phoneWebhookUrl: settings.phoneWebhookUrl,
      sendText: phoneCodeSender(settings),
      settings: authSettings(settings),
    },
    rest: {
      anonymous: ANONYMOUS_LIMITS,
      patternTimeoutMs: CUSTOMER_PATTERN_TIMEOUT_MS,
      privileged: 'select private.is_staff()',
      plainWrites: true,
      plainSelects: true,
    },
    concurrency: concurrencyLimits(shares),
    storage: {
      pictures: offeredPictures,
      guardFinish: gallery.guardFinish,
      mayMakePicture: (subject) => tryConsumeRateLimit(database.owner, { ...shopLimits.picture, subject }),
    },
    realtime: {
      endsWithSession: true,
      processes: settings.processes,
      features: { broadcast: settings.realtimeBroadcast, presence: settings.realtimePresence },
    },
    functions: {
      anonymousBodyBytes: ANONYMOUS_LIMITS.bodyBytes,
      functions,
      createContext: (caller) => ({ caller, database, publicUrl, payfast, ...shared }),
    },
    guard(api) {
      for (const path of CHECKOUT_PATHS) api.use(path, checkouts)
      for (const path of OPTIONAL_WRITES) api.use(path, refuseOnFullDisk(parts))
      for (const path of ['object/gallery', 'object/gallery-private', 'object/upload/sign'])
        api.use(`/storage/v1/${path}/*`, limitUploads(database.owner, gallery))
      api.use('/storage/v1/upload/resumable/*', limitResumableUploads(database.owner, gallery))
    },
    guardData: limitInsertedRows(),
    guardCalls: limitCalls(database.owner),
  })
}

function mountPayments(api: Api, parts: ShopParts): void {
  const account = payfastAccount(parts)
  const { owner } = parts.database
  const consumeBadSignatureLimit = (subject: string) =>
    tryConsumeRateLimit(owner, { ...shopLimits.refusedNotice, subject })
  api.route('/payments', createPayments({ owner, account, consumeBadSignatureLimit, log: parts.log }))
}
