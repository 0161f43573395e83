/** The callers that a route accepts; it rejects all others. */
export type AcceptedCaller =
  | 'anyone'
  | 'publishable key'
  | 'session'
  | 'staff'
  | 'admin'
  | 'secret key'
  | 'policy of the row'
  | 'policy of the file'
  | 'who began the upload'
  | 'mailed link'
  | 'signed address'
  | 'PayFast'
  | 'this machine'
  | 'holder of a token'

export interface RouteGroup {
  caller: AcceptedCaller
  /** Names of rows of the table of limits, or why there is none. */
  limits: string[] | string
  routes: string[]
}

const READ_ONLY = 'none: cached or cheap'
const REFUSED = 'none: always refused'
const STAFF = 'none: trusted'
const KEPT_UPLOADS = [
  'upload',
  'uploadsPerAddress',
  'uploadedKilobytesPerAddress',
  'uploadsPerShop',
  'uploadedKilobytesPerShop',
]
const LIMITED_BY_SESSION = 'none: needs a session'

/** Every route of every service. The test beside this file fails until a new route is listed here with its caller and limits. */
export const routeGroups: RouteGroup[] = [
  {
    caller: 'anyone',
    limits: READ_ONLY,
    routes: [
      'GET /healthz',
      'GET /readyz',
      'GET /auth/v1/health',
      'GET /auth/v1/.well-known/jwks.json',
      'GET /.well-known/change-password',
      'GET /.well-known/security.txt',
      'GET /storage/v1/status',
      'OPTIONS /storage/v1/upload/resumable/*',
    ],
  },
  { caller: 'publishable key', limits: READ_ONLY, routes: ['GET /auth/v1/settings'] },
  {
    caller: 'publishable key',
    limits: [
      'attemptsPerAddress',
      'mailsPerAccount',
      'mailsPerAccountAndHour',
      'mailsPerAccountAndDay',
      'anonymousBody',
    ],
    routes: ['POST /auth/v1/recover', 'POST /auth/v1/resend'],
  },
  {
    caller: 'publishable key',
    limits: [
      'attemptsPerAddress',
      'signUpsPerAddress',
      'mailsPerAccount',
      'mailsPerAccountAndHour',
      'mailsPerAccountAndDay',
      'anonymousBody',
    ],
    routes: ['POST /auth/v1/signup'],
  },
  {
    caller: 'publishable key',
    limits: [
      'switches',
      'attemptsPerAddress',
      'signUpsPerAddress',
      'mailsPerAccount',
      'mailsPerAccountAndHour',
      'mailsPerAccountAndDay',
    ],
    routes: ['POST /auth/v1/otp', 'POST /auth/v1/magiclink'],
  },
  {
    caller: 'publishable key',
    limits: [
      'attemptsPerAddress',
      'passwordsPerAccountAndAddress',
      'passwordsPerAccount',
      'refreshesPerSession',
      'refreshesPerAddress',
      'wrongSecretsPerAddress',
    ],
    routes: ['POST /auth/v1/token'],
  },
  {
    caller: 'publishable key',
    limits: ['attemptsPerAddress', 'wrongSecretsPerAddress', 'failuresPerAccount', 'wrongCodesPerAccount'],
    routes: ['POST /auth/v1/verify'],
  },
  {
    caller: 'mailed link',
    limits: ['attemptsPerAddress', 'wrongSecretsPerAddress'],
    routes: ['GET /auth/v1/verify', 'POST /auth/v1/confirm'],
  },
  {
    caller: 'mailed link',
    limits: 'none: the page does not look at the link',
    routes: ['GET /auth/v1/confirm'],
  },
  {
    caller: 'session',
    limits: [
      'failuresPerAccount',
      'wrongCodesPerAccount',
      'wrongSecretsPerAddress',
      'mailsPerAccount',
      'mailsPerAccountAndHour',
      'mailsPerAccountAndDay',
      'addressChangesPerAccount',
    ],
    routes: ['PUT /auth/v1/user'],
  },
  {
    caller: 'session',
    limits: ['mailsPerAccount', 'mailsPerAccountAndHour', 'mailsPerAccountAndDay'],
    routes: ['GET /auth/v1/reauthenticate'],
  },
  {
    caller: 'session',
    limits: [
      'failuresPerAccount',
      'factorGuessesPerNetwork',
      'factorGuessesPerAccount',
      'wrongSecretsPerAddress',
    ],
    routes: ['POST /auth/v1/factors/:factorId/verify'],
  },
  {
    caller: 'session',
    limits: ['recoveryGuessesPerNetwork', 'recoveryGuessesPerAccount', 'wrongSecretsPerAddress'],
    routes: ['POST /auth/v1/factors/recovery-codes/verify'],
  },
  {
    caller: 'session',
    limits: [
      'attemptsPerAddress',
      'textsPerPhone',
      'textsPerAccount',
      'textsPerAddress',
      'textsPerShop',
      'setupTextsPerShop',
    ],
    routes: ['POST /auth/v1/factors/:factorId/challenge'],
  },
  {
    caller: 'session',
    limits: LIMITED_BY_SESSION,
    routes: [
      'GET /auth/v1/user',
      'POST /auth/v1/factors',
      'DELETE /auth/v1/factors/:factorId',
      'POST /auth/v1/factors/recovery-codes',
      'GET /auth/v1/factors/recovery-codes',
      'POST /auth/v1/logout',
      'GET /auth/v1/sessions',
      'DELETE /auth/v1/sessions/:sessionId',
    ],
  },
  {
    caller: 'publishable key',
    limits: REFUSED,
    routes: [
      'POST /auth/v1/sso',
      'GET /auth/v1/user/identities/authorize',
      'DELETE /auth/v1/user/identities/authorize',
      'GET /auth/v1/user/identities/:id',
      'DELETE /auth/v1/user/identities/:id',
    ],
  },
  {
    caller: 'secret key',
    limits: STAFF,
    routes: [
      'POST /auth/v1/invite',
      'GET /auth/v1/admin/users',
      'POST /auth/v1/admin/users',
      'GET /auth/v1/admin/users/:id',
      'PUT /auth/v1/admin/users/:id',
      'DELETE /auth/v1/admin/users/:id',
      'GET /auth/v1/admin/users/:id/factors',
      'DELETE /auth/v1/admin/users/:id/factors/:factorId',
      'POST /auth/v1/admin/generate_link',
    ],
  },
  {
    caller: 'policy of the row',
    limits: ['concurrency', 'anonymousBody', 'anonymousUrl', 'searchTerm', 'statementTimeout', 'overload'],
    routes: ['ALL /rest/v1/:name', 'ALL /rest/v1/rpc/:name', 'ALL /rest/v1/:table'],
  },
  {
    caller: 'policy of the row',
    limits: ['checkoutQueue', 'concurrency', 'overload'],
    routes: ['ALL /rest/v1/rpc/place_order', 'ALL /rest/v1/rpc/merge_cart', 'ALL /rest/v1/cart_items'],
  },
  {
    caller: 'policy of the row',
    limits: ['fullDisk', 'concurrency', 'overload'],
    routes: [
      'ALL /rest/v1/contact_submissions',
      'ALL /rest/v1/gallery_submissions',
      'ALL /rest/v1/newsletter_signups',
      'ALL /rest/v1/rpc/request_stock_alert',
      'ALL /rest/v1/rpc/import_catalogue',
      'ALL /rest/v1/rpc/email_buyers',
    ],
  },
  { caller: 'publishable key', limits: REFUSED, routes: ['ALL /rest/v1/:path{.+}'] },
  {
    caller: 'publishable key',
    limits: ['functionByAccount', 'functionByAddress', 'anonymousBody', 'overload'],
    routes: ['ALL /functions/v1/:name/*'],
  },
  {
    caller: 'publishable key',
    limits: ['switches'],
    routes: [
      'POST /realtime/v1/api/broadcast',
      'POST /realtime/v1/api/broadcast/*',
      'POST /realtime/v1/api/broadcast/:topic/events/:event',
    ],
  },
  {
    caller: 'anyone',
    limits: 'none: file or 304',
    routes: ['GET /storage/v1/object/public/:bucket/:path{.+}'],
  },
  {
    caller: 'anyone',
    limits: ['overload'],
    routes: ['GET /storage/v1/object/info/public/:bucket/:path{.+}'],
  },
  {
    caller: 'anyone',
    limits: ['pictureSizes', 'picture'],
    routes: ['GET /storage/v1/render/image/public/:bucket/:path{.+}'],
  },
  {
    caller: 'signed address',
    limits: ['picture'],
    routes: ['GET /storage/v1/render/image/sign/:bucket/:path{.+}'],
  },
  {
    caller: 'signed address',
    limits: 'none: file or 304',
    routes: ['GET /storage/v1/object/sign/:bucket/:path{.+}'],
  },
  {
    caller: 'signed address',
    limits: [...KEPT_UPLOADS],
    routes: ['PUT /storage/v1/object/upload/sign/:bucket/:path{.+}'],
  },
  {
    caller: 'signed address',
    limits: ['upload', 'unfinishedUploads'],
    routes: ['POST /storage/v1/upload/resumable/sign'],
  },
  {
    caller: 'signed address',
    limits: 'none: takes the bytes that a counted upload announced',
    routes: [
      'GET /storage/v1/upload/resumable/sign/:id',
      'PATCH /storage/v1/upload/resumable/sign/:id',
      'POST /storage/v1/upload/resumable/sign/:id',
      'DELETE /storage/v1/upload/resumable/sign/:id',
    ],
  },
  {
    caller: 'policy of the file',
    limits: ['upload', 'unfinishedUploads', 'concurrency'],
    routes: ['POST /storage/v1/upload/resumable'],
  },
  {
    caller: 'who began the upload',
    limits: 'none: takes the bytes that a counted upload announced',
    routes: [
      'GET /storage/v1/upload/resumable/:id',
      'PATCH /storage/v1/upload/resumable/:id',
      'POST /storage/v1/upload/resumable/:id',
      'DELETE /storage/v1/upload/resumable/:id',
    ],
  },
  {
    caller: 'policy of the file',
    limits: ['picture', 'concurrency'],
    routes: ['GET /storage/v1/render/image/authenticated/:bucket/:path{.+}'],
  },
  {
    caller: 'policy of the file',
    limits: [...KEPT_UPLOADS, 'concurrency'],
    routes: [
      'POST /storage/v1/object/:bucket/:path{.+}',
      'PUT /storage/v1/object/:bucket/:path{.+}',
      'POST /storage/v1/object/upload/sign/:bucket/:path{.+}',
    ],
  },
  {
    caller: 'policy of the file',
    limits: ['concurrency'],
    routes: [
      'GET /storage/v1/object/:bucket/:path{.+}',
      'GET /storage/v1/object/authenticated/:bucket/:path{.+}',
    ],
  },
  {
    caller: 'policy of the file',
    limits: ['concurrency', 'overload'],
    routes: [
      'GET /storage/v1/object/info/:bucket/:path{.+}',
      'GET /storage/v1/object/info/authenticated/:bucket/:path{.+}',
      'POST /storage/v1/object/sign/:bucket',
      'POST /storage/v1/object/sign/:bucket/:path{.+}',
      'POST /storage/v1/object/list/:bucket',
      'POST /storage/v1/object/list-v2/:bucket',
      'POST /storage/v1/object/move',
      'POST /storage/v1/object/copy',
      'DELETE /storage/v1/object/:bucket',
      'DELETE /storage/v1/object/:bucket/:path{.+}',
      'GET /storage/v1/bucket',
      'POST /storage/v1/bucket',
      'GET /storage/v1/bucket/:bucket',
      'PUT /storage/v1/bucket/:bucket',
      'DELETE /storage/v1/bucket/:bucket',
      'POST /storage/v1/bucket/:bucket/empty',
    ],
  },
  {
    caller: 'PayFast',
    limits: ['refusedNotice'],
    routes: ['POST /payments/payfast/notice'],
  },
  {
    caller: 'mailed link',
    limits: ['wrongMailLink'],
    routes: [
      'POST /mail/confirm/:id{[0-9a-f-]{36,64}}',
      'POST /mail/unsubscribe/:id{[0-9a-f-]{36,64}}',
      'POST /mail/stock-alerts/:id{[0-9a-f-]{36,64}}',
    ],
  },
  {
    caller: 'mailed link',
    limits: 'none: the page does not look at the link',
    routes: [
      'GET /mail/confirm/:id{[0-9a-f-]{36,64}}',
      'GET /mail/unsubscribe/:id{[0-9a-f-]{36,64}}',
      'GET /mail/stock-alerts/:id{[0-9a-f-]{36,64}}',
    ],
  },
  {
    caller: 'holder of a token',
    limits: 'none: each call uses up a token that a program of this machine wrote to the data folder',
    routes: ['GET /healthz/received/:token'],
  },
  {
    caller: 'holder of a token',
    limits: 'none: answers this machine, and elsewhere only the token of the settings',
    routes: ['GET /metrics'],
  },
  {
    caller: 'this machine',
    limits: 'none: answers calls from this machine only',
    routes: [
      'GET /dev/mail',
      'GET /dev/mail/:id{[0-9a-f-]{36}}',
      'GET /dev/mail/:id{[0-9a-f-]{36}}/html',
      'GET /dev/mail/:id{[0-9a-f-]{36}}/text',
      'GET /dev/mail/previews',
      'GET /dev/mail/previews/:name',
      'POST /simulator/eng/process',
      'GET /simulator/eng/process/payment/:id',
      'POST /simulator/eng/process/payment/:id',
      'POST /simulator/eng/query/validate',
    ],
  },
]

/** Served beside the Hono routes: the web server's upgrade, and the pages, which take no forms. */
export const otherRoutes: RouteGroup[] = [
  {
    caller: 'publishable key',
    limits: ['sockets', 'frames', 'heldFrames', 'joins', 'switches'],
    routes: ['GET /realtime/v1/websocket'],
  },
  {
    caller: 'anyone',
    limits: 'none: cached, or rendered through a queue (server/pages/render-queue.ts)',
    routes: ['GET every page (app/routes.ts)'],
  },
]

/** `/functions/v1/<name>`; each also checks the row it is called for. */
export const functionCallers: Record<string, AcceptedCaller> = {
  'check-setup': 'admin',
  'generate-payfast-payment': 'session',
  'preview-own-mail': 'staff',
  'preview-shipping-mail': 'staff',
  'send-admin-email': 'staff',
  'send-contact-notification': 'publishable key',
  'send-gallery-notification': 'publishable key',
  'send-newsletter-signup': 'publishable key',
  'send-order-confirmation': 'session',
  'send-order-notification': 'session',
  'send-order-status-update': 'staff',
  'send-test-mail': 'admin',
  'show-settings': 'admin',
  'show-system': 'admin',
  'send-test-alert': 'admin',
  'test-payfast': 'admin',
  'update-order-status': 'session',
}

/** Tables that visitors may insert into; each insert counts by rows. docs/access.md has all other table rights. */
export const visitorInserts = ['contact_submissions', 'gallery_submissions', 'newsletter_signups']

/** Database functions that visitors may call, with the limits that count them. */
export const visitorFunctions: Record<string, string[]> = {
  find_former_address: ['rpcByAddress'],
  search_products: ['rpcByAddress', 'searchTerm'],
  catalogue_filters: ['rpcByAddress'],
  request_stock_alert: ['visitor'],
  shop_terms: ['rpcByAddress'],
  suggest_products: ['rpcByAddress', 'searchTerm'],
}

/** Database functions that need an account; those for staff check the role themselves. */
export const accountFunctions = [
  'accept_late_payment',
  'accept_short_payment',
  'adjust_stock',
  'answer_message',
  'cancel_own_order',
  'change_delivery',
  'close_account',
  'count_attention',
  'dismiss_refund_task',
  'duplicate_product',
  'erase_client',
  'export_client',
  'export_my_data',
  'setup_steps',
  'grant_role',
  'guess_courier',
  'has_verified_mailbox',
  'import_catalogue',
  'increment_promo_usage',
  'review_photo',
  'list_low_stock',
  'list_staff',
  'low_stock_threshold',
  'marketing_consent',
  'merge_cart',
  'merge_clients',
  'must_add_second_factor',
  'my_last_change',
  'own_reservations',
  'place_order',
  'place_staff_order',
  'preview_cancellation',
  'preview_product_removal',
  'quote_cart',
  'quote_staff_order',
  'record_missed_payment',
  'record_payment',
  'record_refund',
  'request_top_up',
  'resend_mail',
  'resolve_payment_issue',
  'retry_mail',
  'delete_failed_mail',
  'retry_refund',
  'returnable_items',
  'total_revenue',
  'sales_by_variant',
  'sales_by_day',
  'sales_by_product',
  'sales_by_province',
  'save_product',
  'search_clients',
  'search_orders',
  'second_factor_rule',
  'set_low_stock_threshold',
  'set_marketing_consent',
  'set_order_statuses',
  'settle_refund',
  'get_client',
  'get_order',
  'stock_history',
  'revoke_role',
  'test_promo_code',
  'undo_change',
  'unshipped_units',
  'unsold_variants',
  'unsubscribe_on_request',
  'validate_promo_code',
  'withdraw_payment',
  'withdraw_refund',
  'email_buyers',
]
