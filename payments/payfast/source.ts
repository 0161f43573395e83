import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'

/**
 * Where PayFast's notices come from. Evidence, never proof: its documented list is out of date, its
 * DNS shows a part of its addresses, and an address says nothing behind a proxy. A miss is noted; the
 * signature and PayFast's own confirmation decide.
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
 * Only the first is in the documentation. Live notices have come from the second since the middle of 2026; PayFast has
 * announced the others, of the network before its own, since 2025.
 */
const KNOWN_ADDRESSES = [
  '144.126.193.139',
  '13.245.74.88',
  ...Array.from({ length: 21 }, (_, index) => `3.163.${232 + index}.237`),
]

const LOOKUP_MS = 3000

export type SourceEvidence = { result: 'passed' | 'unknown'; detail: string }

/** Hosts come from the validation address too, so the simulator and a test server are placed by the same rule. */
export async function placeSource(sender: string | null, validateUrl: string): Promise<SourceEvidence> {
  const address = plain(sender)
  if (!address || isIP(address) === 0) return { result: 'unknown', detail: 'no address' }
  if (isDocumentedAddress(address)) {
    return { result: 'passed', detail: `${address} is in PayFast's list` }
  }
  const validator = new URL(validateUrl).hostname.replace(/^\[|\]$/g, '')
  const isPayfast = validator.endsWith('.payfast.co.za')
  const resolved = await resolveAll(isPayfast ? [...new Set([...DOCUMENTED_HOSTS, validator])] : [validator])
  return resolved.has(address)
    ? { result: 'passed', detail: `${address} resolves from PayFast's names` }
    : { result: 'unknown', detail: `${address} is not known as PayFast's` }
}

/** Whether PayFast has named this address as its own. False proves nothing: the list is incomplete. */
export function isDocumentedAddress(sender: string): boolean {
  const address = plain(sender) ?? ''
  return isIP(address) !== 0 && documented().check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** A socket that listens on IPv6 shows IPv4 callers as ::ffff:192.0.2.1. */
function plain(sender: string | null): string | undefined {
  return sender?.replace(/^::ffff:/, '')
}

function documented(): BlockList {
  const list = new BlockList()
  for (const [network, bits] of DOCUMENTED_RANGES) list.addSubnet(network, bits)
  for (const address of KNOWN_ADDRESSES) list.addAddress(address)
  return list
}

async function resolveAll(hosts: string[]): Promise<Set<string>> {
  const timeout = new Promise<[]>((resolve) => {
    setTimeout(resolve, LOOKUP_MS, []).unref()
  })
  const answers = await Promise.all(
    // A name that does not resolve proves nothing either way.
    hosts.map((host) => Promise.race([lookup(host, { all: true }).catch(() => []), timeout])),
  )
  return new Set(answers.flat().map(({ address }) => address))
}
