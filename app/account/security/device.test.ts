import { expect, it } from 'vitest'
import { deviceName } from '../../data/device.ts'
import { uniqueName } from './factors.ts'

it.each([
  [
    'Mozilla/5.0 (Linux; Android 14; Pixel 7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36 Edg/130.0',
    'Edge on Windows',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0', 'Firefox on Linux'],
  ['curl/8.5.0', 'An unknown device'],
  [null, 'An unknown device'],
])('names the device with the user agent %j as %s', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name)
})

it('adds a number to a second factor’s name when the name is taken', () => {
  expect(uniqueName('Passkey', [])).toBe('Passkey')
  expect(uniqueName('Passkey', [{ friendly_name: 'Passkey' }, { friendly_name: 'Passkey 2' }])).toBe(
    'Passkey 3',
  )
})
