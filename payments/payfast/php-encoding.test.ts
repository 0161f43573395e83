import { describe, expect, it } from 'vitest'

import { urldecode, urlencode } from './php-encoding.ts'

describe('PHP urlencode', () => {
  it.each([
    ["O'Neill", 'O%27Neill'],
    ['~!*()', '%7E%21%2A%28%29'],
    ['a-b_c.d', 'a-b_c.d'],
    ['a b+c', 'a+b%2Bc'],
    ['https://shop.example/?a=1&b=2', 'https%3A%2F%2Fshop.example%2F%3Fa%3D1%26b%3D2'],
    ['"<>@,;%', '%22%3C%3E%40%2C%3B%25'],
    ['Zoë', 'Zo%C3%AB'],
    ['🎣', '%F0%9F%8E%A3'],
    ['\u00a0', '%C2%A0'],
    ['0', '0'],
    ['', ''],
  ])('encodes the text %j as PHP does: %j', (value, encoded) => {
    expect(urlencode(value)).toBe(encoded)
  })

  it('decodes every encoded text to the same bytes, even invalid UTF-8', () => {
    const bytes = Buffer.from([0x45, 0xe9, 0x00, 0xff])

    expect(urldecode(urlencode(bytes))).toEqual(bytes)
  })

  it('decodes a percent sign without hexadecimal digits as a percent sign', () => {
    expect(urldecode('100%+sure%zz').toString()).toBe('100% sure%zz')
  })
})
