import type { PlantedFault } from './fault.ts'

const SETTINGS = 'server/settings.ts'
const settingsTests = ['server/settings.test.ts']
const environmentTests = ['server/environment.test.ts']

/** What an operator sets, what is true without it, and what a backup keeps of it. */
export const settingsFaults: PlantedFault[] = [
  {
    rule: 'a typed shipping rate is kept when other settings are loaded',
    file: 'app/admin/settings/shipping-draft.ts',
    find: 'a.rate === b.rate && ',
    replace: '',
    tests: ['app/admin/settings/shipping-draft.test.ts'],
  },
  {
    rule: 'an emptied shipping rate equals the default',
    file: 'app/admin/settings/shipping-draft.ts',
    find: '[shippingDraftOf(valuesOf(one)), shippingDraftOf(valuesOf(other))]',
    replace: '[one, other]',
    tests: ['app/admin/settings/shipping-draft.test.ts'],
  },
  {
    rule: 'saving other shipping settings stores no default of shop.config.ts',
    file: 'app/admin/settings/shipping-draft.ts',
    find: 'saved[column] === null && values[column] === rand',
    replace: 'false',
    tests: ['app/admin/settings/shipping-draft.test.ts'],
  },
  {
    rule: 'a restored copy posts no alerts',
    file: SETTINGS,
    find: '    alertUrl: null,\n',
    replace: '',
    tests: settingsTests,
  },
  {
    rule: 'a restored copy sends no codes to phones',
    file: SETTINGS,
    find: '    phoneWebhookUrl: null,\n',
    replace: '',
    tests: settingsTests,
  },
  {
    rule: 'a restored copy takes no real payments',
    file: SETTINGS,
    find: "      mode: 'simulator',\n      ...SIMULATED_MERCHANT,",
    replace: '      mode: settings.payfast.mode,\n      ...SIMULATED_MERCHANT,',
    tests: settingsTests,
  },
  {
    rule: 'a restored copy confirms payments with its simulator',
    file: SETTINGS,
    find: '      validateUrl: `${publicUrl}/simulator/eng/query/validate`,\n    },',
    replace: '      validateUrl: settings.payfast.validateUrl,\n    },',
    tests: settingsTests,
  },
  {
    rule: 'a backup is due every day',
    file: SETTINGS,
    find: '    .max(168)\n    .default(24)',
    replace: '    .max(168)\n    .default(168)',
    tests: settingsTests,
  },
  {
    rule: 'a relative folder of backups lies beside the shop',
    file: SETTINGS,
    find: 'folder: resolve(projectFolder, values.BACKUP_TO)',
    replace: 'folder: resolve(values.BACKUP_TO)',
    tests: settingsTests,
  },
  {
    rule: 'a process stops seconds, not milliseconds, after its announcement',
    file: SETTINGS,
    find: 'stopDelayMs: 1000 * (',
    replace: 'stopDelayMs: 1 * (',
    tests: settingsTests,
  },
  {
    rule: 'a process without a proxy stops at once',
    file: SETTINGS,
    find: 'values.TRUST_PROXY ? PROXY_STOP_DELAY_S : 0',
    replace: 'values.TRUST_PROXY ? 0 : PROXY_STOP_DELAY_S',
    tests: settingsTests,
  },
  {
    rule: 'sign-in by e-mail is closed by default',
    file: SETTINGS,
    find: '  MAIL_SIGN_IN: flag,',
    replace: '  MAIL_SIGN_IN: flag.default(true),',
    tests: settingsTests,
  },
  {
    rule: 'realtime presence is closed by default',
    file: SETTINGS,
    find: '  REALTIME_PRESENCE: flag,',
    replace: '  REALTIME_PRESENCE: flag.default(true),',
    tests: settingsTests,
  },
  {
    rule: 'every address of REDIRECT_ALLOW_LIST counts',
    file: SETTINGS,
    find: '.map((address) => address.trim())',
    replace: '',
    tests: settingsTests,
  },
  {
    rule: 'REDIRECT_ALLOW_LIST has only web addresses',
    file: SETTINGS,
    find: '/^https?:\\/\\/\\S+$/.test(address)',
    replace: '/^\\S+$/.test(address)',
    tests: settingsTests,
  },
  {
    rule: 'the passphrase of backups is long enough',
    file: SETTINGS,
    find: 'z.string().min(12)',
    replace: 'z.string().min(1)',
    tests: settingsTests,
  },
  {
    rule: 'an error message does not repeat the passphrase of backups',
    file: SETTINGS,
    find: "  'BACKUP_PASSPHRASE',\n",
    replace: '',
    tests: settingsTests,
  },
  {
    rule: 'a backup does not contain the passphrase that opens it',
    file: SETTINGS,
    find: "name !== 'BACKUP_PASSPHRASE' && env[name]",
    replace: 'env[name]',
    tests: environmentTests,
  },
  {
    rule: 'the secret key of the bucket can come from a file',
    file: SETTINGS,
    find: "  'AWS_SECRET_ACCESS_KEY',\n  'AWS_SESSION_TOKEN',\n] satisfies",
    replace: "  'AWS_SESSION_TOKEN',\n] satisfies",
    tests: environmentTests,
  },
  {
    rule: 'requests to the bucket carry the session token of temporary credentials',
    file: 'packages/backend/storage/s3/bucket.ts',
    find: 'credentials: { accessKeyId, secretAccessKey, sessionToken }',
    replace: 'credentials: { accessKeyId, secretAccessKey }',
    tests: ['packages/backend/storage/s3/bucket-problems.test.ts'],
  },
]
