/**
 * The access matrix of the tables. Four signs for four people: a visitor, the owner of the row, another customer and an admin.
 * `+` allowed, `.` the row is hidden, `x` refused.
 *
 * docs/access.md is generated from it; access.test.ts tests every cell against the database.
 */
export const PEOPLE = ['visitor', 'customer', 'other customer', 'admin'] as const
export const CALLERS = ['visitor', 'customer', 'other customer', 'packer', 'admin'] as const
export const VERBS = ['select', 'insert', 'update', 'delete'] as const

export type PersonName = (typeof CALLERS)[number]
export type Verb = (typeof VERBS)[number]

const NOBODY = 'xxxx'
const ADMIN_READ = { select: 'x..+', insert: NOBODY, update: NOBODY, delete: NOBODY }

export const ACCESS: Record<string, Record<Verb, string>> = {
  cart_items: { select: 'x+..', insert: 'x+xx', update: 'x+..', delete: 'x+..' },
  changes: ADMIN_READ,
  client_notes: { select: 'x..+', insert: 'xxx+', update: NOBODY, delete: NOBODY },
  clients: ADMIN_READ,
  contact_answers: { select: 'x..+', insert: 'xxx+', update: NOBODY, delete: 'x..+' },
  contact_submissions: { select: 'x..+', insert: '++++', update: NOBODY, delete: NOBODY },
  contact_replies: ADMIN_READ,
  courier_companies: { select: 'x..+', insert: 'xxx+', update: 'x..+', delete: NOBODY },
  full_gallery_days: { select: 'x..+', insert: NOBODY, update: NOBODY, delete: 'x..+' },
  gallery_contacts: ADMIN_READ,
  gallery_reviews: ADMIN_READ,
  gallery_submissions: { select: '...+', insert: '++++', update: 'x..+', delete: 'x..+' },
  history: ADMIN_READ,
  list_settings: { select: 'x..+', insert: 'xxx+', update: 'x..+', delete: NOBODY },
  mails: ADMIN_READ,
  messages: ADMIN_READ,
  message_replies: ADMIN_READ,
  marketing_consents: { select: 'x+.+', insert: NOBODY, update: NOBODY, delete: NOBODY },
  newsletter_signups: { select: '...+', insert: '++++', update: NOBODY, delete: NOBODY },
  open_payment_issues: ADMIN_READ,
  order_events: ADMIN_READ,
  order_items: { select: 'x+.+', insert: 'x+xx', update: NOBODY, delete: 'x..+' },
  order_notes: { select: 'x..+', insert: 'xxx+', update: NOBODY, delete: NOBODY },
  orders: { select: 'x+.+', insert: 'x+xx', update: 'x+.+', delete: 'x..+' },
  payment_acceptances: ADMIN_READ,
  payment_attempts: ADMIN_READ,
  payment_balances: ADMIN_READ,
  payment_issue_resolutions: ADMIN_READ,
  payment_issues: ADMIN_READ,
  payment_notice_checks: ADMIN_READ,
  payment_notice_outcomes: ADMIN_READ,
  payment_notices: ADMIN_READ,
  payment_reconciliations: ADMIN_READ,
  payment_refund_events: ADMIN_READ,
  payment_refund_items: ADMIN_READ,
  payment_refunds: ADMIN_READ,
  payment_top_ups: ADMIN_READ,
  payment_withdrawals: ADMIN_READ,
  payments: ADMIN_READ,
  product_availability: { select: '++++', insert: NOBODY, update: NOBODY, delete: NOBODY },
  product_variants: { select: '++++', insert: 'xxx+', update: 'x..+', delete: 'x..+' },
  products: { select: '++++', insert: 'xxx+', update: 'x..+', delete: 'x..+' },
  profiles: { select: 'x+.+', insert: NOBODY, update: 'x+.+', delete: NOBODY },
  promo_code_results: ADMIN_READ,
  promo_codes: { select: 'x..+', insert: 'xxx+', update: 'x..+', delete: 'x..+' },
  promo_redemptions: ADMIN_READ,
  refund_tasks: ADMIN_READ,
  refunds: ADMIN_READ,
  shop_settings: { select: 'x..+', insert: NOBODY, update: 'x..+', delete: NOBODY },
  saved_views: { select: 'x..+', insert: 'xxx+', update: NOBODY, delete: 'x..+' },
  stock_alerts: ADMIN_READ,
  stock_reservations: ADMIN_READ,
  stock_movements: ADMIN_READ,
  subscribers: ADMIN_READ,
  user_roles: { select: 'x+..', insert: NOBODY, update: NOBODY, delete: NOBODY },
}

/**
 * The rights of a packer: select, insert, update, delete. In all other tables a packer has the rights of another customer.
 */
const PACKER: Record<string, string> = {
  contact_answers: '++x+',
  contact_replies: '+xxx',
  contact_submissions: '++xx',
  courier_companies: '+x.x',
  gallery_contacts: '+xxx',
  gallery_submissions: '+++.',
  gallery_reviews: '+xxx',
  list_settings: '.+.x',
  mails: '+xxx',
  message_replies: '+xxx',
  messages: '+xxx',
  order_events: '+xxx',
  order_items: '+xx.',
  order_notes: '++xx',
  orders: '+x+.',
  saved_views: '.+x.',
}

export function withPacker(table: string): string {
  return (
    PACKER[table] ?? VERBS.map((verb) => ACCESS[table]?.[verb][PEOPLE.indexOf('other customer')]).join('')
  )
}

/**
 * The rights of the secret key: select, insert, update, delete. Grants apply to it, policies do not. All other tables are read-only.
 */
const READ_ONLY = '+xxx'
const SECRET_KEY: Record<string, string> = {
  cart_items: '++++',
  client_notes: 'xxxx',
  clients: 'xxxx',
  contact_answers: 'xxxx',
  contact_replies: 'xxxx',
  contact_submissions: '++xx',
  courier_companies: '++xx',
  gallery_submissions: '+++x',
  list_settings: 'xxxx',
  mails: 'xxxx',
  message_replies: 'xxxx',
  messages: 'xxxx',
  newsletter_signups: '++++',
  order_items: '+xx+',
  order_notes: 'xxxx',
  orders: '+x++',
  shop_settings: 'xxxx',
  product_variants: '++++',
  products: '++++',
  profiles: '+x+x',
  promo_codes: '++++',
  saved_views: 'xxxx',
  user_roles: '++++',
}

export function withSecretKey(table: string): string {
  return SECRET_KEY[table] ?? READ_ONLY
}

export const FILE_VERBS = ['see', 'download', 'list', 'upload', 'replace', 'move', 'remove'] as const

export type FileVerb = (typeof FILE_VERBS)[number]

/**
 * The access matrix of the files, by the policies on storage.objects; files-access.test.ts tests every cell. Seven signs: no key,
 * visitor, customer (the sender of the file), another customer, packer, admin, secret key.
 */
export const FILES: Record<string, Record<FileVerb, string>> = {
  catalogue: {
    see: '+++++++',
    download: 'x.....+',
    list: 'x.....+',
    upload: 'xxxxx++',
    replace: 'xxxxxx+',
    move: 'x.....+',
    remove: 'x.....+',
  },
  gallery: {
    see: '+++++++',
    download: 'x...+++',
    list: 'x...+++',
    upload: 'x++++++',
    replace: 'xxxxxxx',
    move: 'x.....x',
    remove: 'x.....+',
  },
  'gallery-private': {
    see: '.......',
    download: 'x...+++',
    list: 'x...+++',
    upload: 'x++++++',
    replace: 'xxxxxxx',
    move: 'x.....x',
    remove: 'x.....+',
  },
  site: {
    see: '+++++++',
    download: 'x.....+',
    list: 'x.....+',
    upload: 'xxxxxx+',
    replace: 'xxxxxx+',
    move: 'x.....+',
    remove: 'x.....+',
  },
}

/** Functions that packers may call in addition to those of customers. */
const OPEN_TO_PACKERS = new Set([
  'answer_message',
  'change_delivery',
  'count_attention',
  'guess_courier',
  'review_photo',
  'search_orders',
  'set_order_statuses',
])

/** The people who may call a function of the API. */
export function mayCall(name: string): PersonName[] {
  const people = CALLABLE[name] ?? []
  const isPackers = people.includes('customer') || OPEN_TO_PACKERS.has(name)
  return CALLERS.filter((person) => (person === 'packer' ? isPackers : people.includes(person)))
}

export const CALLABLE: Record<string, PersonName[]> = {
  accept_late_payment: ['admin'],
  accept_short_payment: ['admin'],
  adjust_stock: ['admin'],
  close_account: ['customer', 'admin'],
  erase_client: ['admin'],
  export_client: ['admin'],
  export_my_data: ['customer', 'admin'],
  answer_message: ['admin'],
  change_delivery: ['admin'],
  count_attention: ['admin'],
  dismiss_refund_task: ['admin'],
  duplicate_product: ['admin'],
  setup_steps: ['admin'],
  search_products: ['visitor', 'customer', 'admin'],
  find_former_address: ['visitor', 'customer', 'admin'],
  has_verified_mailbox: ['customer', 'admin'],
  import_catalogue: ['admin'],
  review_photo: ['admin'],
  guess_courier: ['admin'],
  increment_promo_usage: ['customer', 'admin'],
  grant_role: ['admin'],
  list_low_stock: ['admin'],
  list_staff: ['admin'],
  low_stock_threshold: ['admin'],
  marketing_consent: ['customer', 'admin'],
  must_add_second_factor: ['customer', 'admin'],
  my_last_change: ['admin'],
  merge_cart: ['customer', 'admin'],
  merge_clients: ['admin'],
  own_reservations: ['customer', 'admin'],
  place_order: ['customer', 'admin'],
  place_staff_order: ['admin'],
  quote_cart: ['customer', 'admin'],
  quote_staff_order: ['admin'],
  record_missed_payment: ['admin'],
  record_payment: ['admin'],
  preview_cancellation: ['admin'],
  preview_product_removal: ['admin'],
  record_refund: ['admin'],
  request_top_up: ['admin'],
  returnable_items: ['admin'],
  request_stock_alert: ['visitor', 'customer', 'admin'],
  resend_mail: ['admin'],
  resolve_payment_issue: ['admin'],
  total_revenue: ['admin'],
  retry_mail: ['admin'],
  delete_failed_mail: ['admin'],
  catalogue_filters: ['visitor', 'customer', 'admin'],
  save_product: ['admin'],
  search_clients: ['admin'],
  second_factor_rule: ['admin'],
  sales_by_variant: ['admin'],
  sales_by_day: ['admin'],
  sales_by_product: ['admin'],
  sales_by_province: ['admin'],
  search_orders: ['admin'],
  set_low_stock_threshold: ['admin'],
  set_marketing_consent: ['customer', 'admin'],
  get_client: ['admin'],
  shop_terms: ['visitor', 'customer', 'admin'],
  set_order_statuses: ['admin'],
  get_order: ['customer', 'admin'],
  cancel_own_order: ['customer', 'admin'],
  retry_refund: ['admin'],
  settle_refund: ['admin'],
  withdraw_payment: ['admin'],
  withdraw_refund: ['admin'],
  undo_change: ['admin'],
  test_promo_code: ['admin'],
  unsubscribe_on_request: ['admin'],
  stock_history: ['admin'],
  revoke_role: ['admin'],
  suggest_products: ['visitor', 'customer', 'admin'],
  unshipped_units: ['admin'],
  unsold_variants: ['admin'],
  validate_promo_code: ['customer', 'admin'],
  email_buyers: ['admin'],
}

/** Column grants, for verbs that do not cover the whole row. */
export type Columns = Record<
  string,
  Partial<Record<'anon' | 'authenticated', Partial<Record<Verb, string[]>>>>
>

const SIGNS: Record<string, string> = { '+': '✓', '.': '–', x: '✗' }

export function accessDocument(columns: Columns): string {
  const body = Object.entries(ACCESS).map(([table, verbs]) => [
    `\`${table}\``,
    ...VERBS.map((verb, index) => {
      const people = verbs[verb]
      const packer = withPacker(table)[index]
      return shown(`x${people.slice(0, -1)}${packer}${people.slice(-1)}${withSecretKey(table)[index]}`)
    }),
  ])
  const files = Object.entries(FILES).map(([bucket, verbs]) => [
    `\`${bucket}\``,
    ...FILE_VERBS.map((verb) => shown(verbs[verb])),
  ])
  return `# Who may do what

For security reviewers: who may read and write which table.

Seven signs for seven callers: a caller with **no key**, a **visitor** (with the publishable key), the **customer** who owns the row, **another
customer**, a **packer**, an **admin**, and a server with the **secret key**.
✓ allowed; – the row is hidden, as if it did not exist; ✗ refused with 42501 (HTTP 401 for a visitor, 403 with an account or the secret
key), or with HTTP 401 without a key.
\`supabase/tests/access.test.ts\` tests each sign against a real database, and fails when this page is out of date.

${markdownTable([['table', ...VERBS], ...body])}

Inserted rows of customers belong to the caller: even an admin cannot insert them for another user. A customer can update \`orders\` only to
cancel an unpaid order that holds no money; a packer can do everything but cancel and reinstate. Packers read the \`mails\` of orders and the
\`profiles\` of colleagues ([decision 0021](decisions/0021-packers.md)). Triggers decide about the status of an order ([error codes](error-codes.md)).

## Files

The same seven callers and signs for the files of each bucket; the customer is the sender of the file. *See* means opening the public URL.
\`supabase/tests/files-access.test.ts\` tests them through the storage service.

${markdownTable([['bucket', ...FILE_VERBS], ...files])}

*Upload* applies to plain and resumable uploads alike. Only the account that started a resumable upload can see, continue and cancel it, not
even staff or the secret key. Without an account, the URL of the upload (256 random bits) is the permission; with a signed token, the token.

Uploads to \`gallery\` go to \`gallery-private\` until they are approved, and are never replaced.

## Columns

Grants that do not cover the whole row:

${columnList(columns)}

## Functions

${Object.keys(CALLABLE)
  .map((name) => `- \`${name}\`: ${mayCall(name).join(', ')}`)
  .join('\n')}

A session that has ended or lacks the second factor of its account sees no personal rows in any table and has no rights of staff.

Row-level security is enabled and forced on every table of \`public\` and \`private\`; the API serves \`public\` only.
`
}

function shown(signs: string): string {
  return Array.from(signs, (sign) => SIGNS[sign] ?? sign).join(' ')
}

function markdownTable([head = [], ...body]: string[][]): string {
  return [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function columnList(columns: Columns): string {
  const lines = Object.entries(columns).flatMap(([table, roles]) =>
    Object.entries(roles).flatMap(([role, verbs]) =>
      Object.entries(verbs).map(
        ([verb, names]) =>
          `- \`${table}\`, ${verb}, ${role === 'anon' ? 'visitors' : 'signed in'}: ${names.join(', ')}`,
      ),
    ),
  )
  return lines.join('\n')
}
