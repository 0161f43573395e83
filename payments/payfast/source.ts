import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'

/**
 * Known senders of PayFast's notices. This is evidence, not proof: the documented list is outdated, DNS returns only some of the
 * addresses, and behind a proxy the address means nothing. The signature and PayFast's confirmation decide.
 */
const DOCUMENTED_HOSTS = [
  'www.payfast.co.za',
  'sandbox.payfast.co.za',
  'w1w.payfast.co.za',
  'w2w.payfast.co.za',
]
const DOCUMENTED_RANGES = [
  ['197.97.145.144', 28],
  ['41.74.179.192', 27],
  ['102.216.36.0', 28],
  ['102.216.36.128', 28],
] as const
/**
 * The first address is documented, live notices come from the second, and PayFast has announced the others, which belong
 * to the network in front of its own.
 */
const KNOWN_ADDRESSES = [
  '144.126.193.139',
  '13.245.74.88',
  ...Array.from({ length: 21 }, (_, index) => `3.163.${232 + index}.237`),
]

const LOOKUP_MS = 3000

export type SourceEvidence = { result: 'passed' | 'unknown'; detail: string }

/** Also resolves the host of `validateUrl`, so that the same rule works for the simulator and for test servers. */
export async function checkSource(sender: string | null, validateUrl: string): Promise<SourceEvidence> {
  const address = unmapIpv4(sender)
  if (!address || isIP(address) === 0) return { result: 'unknown', detail: 'no address' }
  if (isDocumentedAddress(address)) {
    return { result: 'passed', detail: `${address} is one of PayFast's addresses` }
  }
  const validator = new URL(validateUrl).hostname.replace(/^\[|\]$/g, '')
  const isPayfast = validator.endsWith('.payfast.co.za')
  const resolved = await resolveAll(isPayfast ? [...new Set([...DOCUMENTED_HOSTS, validator])] : [validator])
  return resolved.has(address)
    ? { result: 'passed', detail: `${address} resolves from PayFast's names` }
    : { result: 'unknown', detail: `${address} is not known as PayFast's` }
}

/** Whether PayFast has published this address. False proves nothing: the list is incomplete. */
export function isDocumentedAddress(sender: string): boolean {
  const address = unmapIpv4(sender) ?? ''
  return isIP(address) !== 0 && documentedAddresses().check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** A socket that listens on IPv6 reports IPv4 senders as ::ffff:192.0.2.1. */
function unmapIpv4(sender: string | null): string | undefined {
  return sender?.replace(/^::ffff:/, '')
}

function documentedAddresses(): BlockList {
  const list = new BlockList()
  for (const [network, bits] of DOCUMENTED_RANGES) list.addSubnet(network, bits)
  for (const address of KNOWN_ADDRESSES) list.addAddress(address)
  return list
}

async function resolveAll(hosts: string[]): Promise<Set<string>> {
  const timeout = new Promise<[]>((resolve) => {
    setTimeout(resolve, LOOKUP_MS, []).unref()
  })
  const lookups = await Promise.all(
    // Ignores names that do not resolve.
    hosts.map((host) => Promise.race([lookup(host, { all: true }).catch(() => []), timeout])),
  )
  return new Set(lookups.flat().map(({ address }) => address))
}
