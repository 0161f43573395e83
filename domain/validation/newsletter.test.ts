import { expect, it } from 'vitest'
import { alreadyClaimed, parseEmail, validateFooter, invalidEmailError } from './newsletter.ts'

// covers S5.9
it('trims and lower-cases the e-mail address of a discount claim', () => {
  expect(parseEmail('  Sipho@Example.COM ')).toBe('sipho@example.com')
})

it.each(['', '   ', 'sipho', 'sipho.example.com'])(
  'rejects a discount claim with the address %j',
  (typed) => {
    expect(parseEmail(typed)).toBeNull()
  },
)

// covers S5.9
it('rejects a discount claim with the specified message', () => {
  expect(invalidEmailError).toEqual({
    title: 'Valid email required',
    description: 'Please enter a valid email address.',
  })
  expect(alreadyClaimed).toEqual({
    title: 'Already claimed',
    description: 'This email has already claimed the discount.',
  })
})

// covers S5.8
it('requires an address and accepted terms in the footer form, but no marketing consent', () => {
  expect(validateFooter({ email: ' ', acceptsTerms: false })).toEqual({
    email: 'Please enter your email',
    terms: 'Please accept the Terms & Conditions',
  })
  expect(validateFooter({ email: 'sipho@example.com', acceptsTerms: true })).toEqual({
    email: null,
    terms: null,
  })
})
