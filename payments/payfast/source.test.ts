import { expect, it } from 'vitest'

import { checkSource, isDocumentedAddress } from './source.ts'

it.each([
  ['197.97.145.144', '197.97.145.159'],
  ['41.74.179.192', '41.74.179.223'],
  ['102.216.36.0', '102.216.36.15'],
  ['102.216.36.128', '102.216.36.143'],
  ['3.163.232.237', '3.163.252.237'],
  ['144.126.193.139', '13.245.74.88'],
])('counts %s and %s as PayFast’s, which has published them', (one, other) => {
  expect([one, other].map(isDocumentedAddress)).toEqual([true, true])
})

it.each([
  ['197.97.145.143', '197.97.145.160'],
  ['41.74.179.191', '41.74.179.224'],
  ['102.216.36.16', '102.216.36.144'],
  ['3.163.231.237', '3.163.253.237'],
  ['3.163.232.236', '192.0.2.1'],
  ['::1', 'a stranger'],
])('does not count %s and %s, beside what PayFast has published, as its own', (one, other) => {
  expect([one, other].map(isDocumentedAddress)).toEqual([false, false])
})

it('counts an IPv4 address that a socket of IPv6 reports as the same address', async () => {
  expect(isDocumentedAddress('::ffff:197.97.145.150')).toBe(true)
  expect(await checkSource('::ffff:127.0.0.1', 'http://127.0.0.1:8080/')).toMatchObject({ result: 'passed' })
})

it('counts a sender that the confirming server’s name resolves to', async () => {
  expect(await checkSource('127.0.0.1', 'http://127.0.0.1:8080/validate')).toMatchObject({ result: 'passed' })
  expect(await checkSource('127.0.0.2', 'http://127.0.0.1:8080/validate')).toMatchObject({
    result: 'unknown',
  })
})

it('knows nothing about a call without an address', async () => {
  expect(await checkSource(null, 'http://127.0.0.1/')).toEqual({ result: 'unknown', detail: 'no address' })
})
