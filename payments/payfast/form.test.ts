import { createHash } from 'node:crypto'

import { describe, expect, it } from 'vitest'

import { formSignature, normalise, signedForm } from './form.ts'

const md5 = (text: string) => createHash('md5').update(text).digest('hex')

describe('the form for PayFast', () => {
  it('signs the form fields in the order of PayFast’s table', () => {
    const form = signedForm({ item_name: 'Order 00042', amount: '1234.50', merchant_id: '10000100' }, 'salt')

    expect(Object.keys(form)).toEqual(['merchant_id', 'amount', 'item_name', 'signature'])
    expect(form.signature).toBe(
      md5('merchant_id=10000100&amount=1234.50&item_name=Order+00042&passphrase=salt'),
    )
  })

  it('omits blank form fields but keeps the value "0"', () => {
    const form = signedForm({ name_first: ' \t ', custom_int1: '0', item_name: 'x' }, '')

    expect(form).toEqual({ item_name: 'x', custom_int1: '0', signature: md5('item_name=x&custom_int1=0') })
  })

  it('signs the form without a passphrase when none is configured', () => {
    expect(signedForm({ item_name: 'x' }, '').signature).toBe(md5('item_name=x'))
  })

  it('encodes the passphrase only once in the signature', () => {
    expect(signedForm({ item_name: 'x' }, 'a/b').signature).toBe(md5('item_name=x&passphrase=a%2Fb'))
  })

  it('posts exactly the signed values to PayFast', () => {
    const form = signedForm(
      { name_first: ' Seán\u00a0\n', name_last: "O'Neill (jnr)~*!", item_name: 'Lure & "line" <1> 🎣' },
      'salt',
    )

    expect(form.name_first).toBe('Seán')
    expect(formSignature(new Map(Object.entries(form)), 'salt')).toBe(form.signature)
  })
})

describe('a value of the form', () => {
  it.each([
    ['a\r\nb\tc', 'a b c'],
    ['a\0b', 'a b'],
    ['e\u0301', '\u00e9'],
    ['\u2028line', 'line'],
    ['\ud83c torn', '\ufffd torn'],
  ])('normalises the form value %j to %j', (value, normal) => {
    expect(normalise(value, 100)).toBe(normal)
  })

  it('never splits a character when it truncates a form value', () => {
    expect(normalise('🎣'.repeat(101), 100)).toBe('🎣'.repeat(100))
  })
})
