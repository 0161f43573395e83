import { expect, it, vi } from 'vitest'
import { allowsVideo } from './visitor-preferences.ts'

it.each([
  ['with Save-Data, however fast the connection', { saveData: true, effectiveType: '4g' }, false],
  ['on a 3G connection', { saveData: false, effectiveType: '3g' }, false],
  ['on a slow 2G connection', { saveData: false, effectiveType: 'slow-2g' }, false],
  ['on a fast connection', { saveData: false, effectiveType: '4g' }, true],
  ['in a browser without connection information', undefined, true],
] as const)('decides whether videos load automatically %s', (_, connection, isAllowed) => {
  vi.stubGlobal('navigator', { connection })
  expect(allowsVideo()).toBe(isAllowed)
})
