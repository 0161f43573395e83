/** The addresses of `DATABASE_URL`, which may name several servers as libpq's do: `postgresql://u:p@h1:5432,h2:5432/db`. */
const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/s

/** node-postgres warns that it will treat these weaker than `verify-full` one day; today it treats them alike. */
const VERIFIED_MODES = new Set(['prefer', 'require', 'verify-ca'])

/** Ready for node-postgres, which knows one host per connection. */
export interface ServerAddress {
  connectionString: string
  /** Options for the server from the address, which would replace those of the caller. */
  options: string
}

/** Whether each host of the address makes a URL, and it asks for a server that can be written. */
export function isDatabaseUrl(value: string): boolean {
  const urls = urlsOf(value)
  if (urls.length === 0 || !urls.every((url) => URL.canParse(url))) return false
  const attributes = new URL(urls[0] ?? '').searchParams.get('target_session_attrs') ?? 'any'
  return ['any', 'read-write', 'primary'].includes(attributes)
}

/** Returns one URL per host. */
export function urlsOf(databaseUrl: string): string[] {
  const [, start = '', hosts = '', rest = ''] = ADDRESS.exec(databaseUrl) ?? []
  return start ? hosts.split(',').map((host) => `${start}${host}${rest}`) : []
}

/** Adapts the URL of one host to node-postgres. */
export function serverAddress(url: string): ServerAddress {
  const address = new URL(url)
  const { searchParams } = address
  const options = searchParams.get('options') ?? ''
  for (const name of ['options', 'target_session_attrs']) searchParams.delete(name)
  if (VERIFIED_MODES.has(searchParams.get('sslmode') ?? '')) searchParams.set('sslmode', 'verify-full')
  // Node's own certificate authorities.
  if (searchParams.get('sslrootcert') === 'system') searchParams.delete('sslrootcert')
  return { connectionString: address.href, options }
}

/** The address without the user and the password. */
export function hostOf(url: string): string {
  return urlsOf(url)
    .map((one) => new URL(one))
    .map(({ host, searchParams }) => host || (searchParams.get('host') ?? ''))
    .join(' and ')
}

/** The database and its hosts, for messages. */
export function nameOfDatabase(url: string): string {
  const { pathname } = new URL(urlsOf(url)[0] ?? '')
  return `${decodeURIComponent(pathname.slice(1))} at ${hostOf(url)}`
}
