import { expect, it } from 'vitest'
import { signInPath } from './sign-in-path.ts'

it('puts the current page into the redirect parameter of the sign-in link', () => {
  expect(signInPath('/products/chisel-nose-popper-150')).toBe(
    '/auth?redirect=%2Fproducts%2Fchisel-nose-popper-150',
  )
  expect(signInPath('/admin')).toBe('/auth?redirect=%2Fadmin')
})

it.each(['/', '/auth', '/auth/forgot-password'])(
  'adds no redirect parameter to the sign-in link on %s',
  (from) => {
    expect(signInPath(from)).toBe('/auth')
  },
)
