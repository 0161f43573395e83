import { expect, it } from 'vitest'

import { networkOf, siteOf } from './network.ts'

it.each([
  ['192.0.2.17', '192.0.2.17'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::ffff:192.0.2.17', '192.0.2.17'],
  ['::ffff:c000:211', '192.0.2.17'],
  ['::ffff:192.0.2.17%1', '192.0.2.17'],
  ['64:ff9b::192.0.2.17', '64:ff9b:0:0::/64'],
  ['not an address', 'not an address'],
])('rate-limits the address %s as part of the network %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

it.each([
  ['192.0.2.17', '192.0.2.17'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['2001:db8:1:ffff::/64', '2001:db8:1::/48'],
  ['::ffff:192.0.2.17', '192.0.2.17'],
])('finds that the address %s belongs to the site %s', (address, site) => {
  expect(siteOf(address)).toBe(site)
})
