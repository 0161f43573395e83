import { expect, it } from 'vitest'
import { callerSiteOf } from './load-shop.ts'

const siteOfCall = (address: string) =>
  callerSiteOf({ trustProxy: 1 }, { headers: { 'x-forwarded-for': address }, socket: {} })

it('gives all networks of an IPv6 site one share of the running calls and of the memory for bodies', () => {
  expect(siteOfCall('2001:db8:1:1::1')).toBe(siteOfCall('2001:db8:1:2::1'))
  expect(siteOfCall('2001:db8:1:1::1')).not.toBe(siteOfCall('2001:db8:2:1::1'))
  expect(siteOfCall('192.0.2.1')).not.toBe(siteOfCall('192.0.2.2'))
})
