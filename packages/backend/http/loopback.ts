const HOST = /^(localhost|[\w-]+(\.[\w-]+)*\.localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/
const ADDRESS = /^((::ffff:)?127(\.\d{1,3}){3}|::1)$/

/** Whether the host name or address in a URL or `HOST` setting always means this machine. */
export function isLoopbackHost(host: string): boolean {
  return HOST.test(host)
}

/** Whether a socket's remote address belongs to this machine. */
export function isLoopbackAddress(address: string | undefined): boolean {
  return address !== undefined && ADDRESS.test(address)
}
