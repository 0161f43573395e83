import { expect, it } from 'vitest'
import { alreadyClaimed, parseEmail, validateFooter, invalidEmailError } from './newsletter.ts'

// covers S5.9
it('keeps the address of a claim trimmed and in lower case', () => {
  expect(parseEmail('  Sipho@Example.COM ')).toBe('sipho@example.com')
})

it.each(['', '   ', 'sipho', 'sipho.example.com'])('does not take %j for an address', (typed) => {
  expect(parseEmail(typed)).toBeNull()
})

// covers S5.9
it('refuses a claim in the specified words', () => {
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
it('asks the footer for an address and the terms, not for marketing', () => {
  expect(validateFooter({ email: ' ', acceptsTerms: false })).toEqual({
    email: 'Please enter your email',
    terms: 'Please accept the Terms & Conditions',
  })
  expect(validateFooter({ email: 'sipho@example.com', acceptsTerms: true })).toEqual({
    email: null,
    terms: null,
  })
})
