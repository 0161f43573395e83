const HOST = /^(localhost|[\w-]+(\.[\w-]+)*\.localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/
const ADDRESS = /^((::ffff:)?127(\.\d{1,3}){3}|::1)$/

/** True for a host name or literal address that always means this machine, as a URL or a `HOST` setting has it. */
export function isLoopbackHost(host: string): boolean {
  return HOST.test(host)
}

/** True for a socket's remote address when the caller runs on this machine. */
export function isLoopbackAddress(address: string | undefined): boolean {
  return address !== undefined && ADDRESS.test(address)
}
