import { describe, expect, it } from 'vitest'

import { isSignedBy, parseNotice } from './notice.ts'
import { signParameters } from './signature.ts'

const PARAMETERS =
  'm_payment_id=00042-a&payment_status=COMPLETE&item_description=&name_first=O%27Neill&merchant_id=10000100'
const signed = (parameters: string, passphrase = 'salt') =>
  `${parameters}&signature=${signParameters(parameters, passphrase)}`

describe('a notice', () => {
  it('verifies a notice’s signature over all received fields, including blank ones', () => {
    const notice = parseNotice(signed(PARAMETERS))

    expect(notice && isSignedBy(notice, 'salt')).toBe(true)
    expect(notice?.fields.get('name_first')).toBe("O'Neill")
    expect(notice?.fields.get('item_description')).toBe('')
    expect(notice?.parameters).toBe(PARAMETERS)
  })

  it('verifies a notice whose signature is not the last field', () => {
    const [first, ...rest] = PARAMETERS.split('&')
    const body = [first, `signature=${signParameters(PARAMETERS, 'salt')}`, ...rest].join('&')

    const notice = parseNotice(body)

    expect(notice && isSignedBy(notice, 'salt')).toBe(true)
  })

  it('verifies a notice that a proxy has re-encoded', () => {
    const reEncoded = signed(PARAMETERS).replace('%27', "'")

    const notice = parseNotice(reEncoded)

    expect(notice && isSignedBy(notice, 'salt')).toBe(true)
  })

  it.each([
    ['another passphrase', signed(PARAMETERS, 'guess')],
    ['no passphrase', signed(PARAMETERS, '')],
    ['a changed amount', signed(PARAMETERS).replace('COMPLETE', 'COMPLETE&amount_gross=1.00')],
    ['a signature of another length', `${PARAMETERS}&signature=abc`],
  ])('rejects a notice signed with %s', (_, body) => {
    const notice = parseNotice(body)

    expect(notice && isSignedBy(notice, 'salt')).toBe(false)
  })

  it('rejects a notice whose fields are not the signed ones, because a name contains encoded pairs', () => {
    const merged = signed(PARAMETERS).replace('m_payment_id=00042-a&', 'm_payment_id%3D00042-a%26')

    const notice = parseNotice(merged)

    expect(notice && isSignedBy(notice, 'salt')).toBe(false)
  })

  it.each([
    ['no signature', PARAMETERS],
    ['two signatures', `${signed(PARAMETERS)}&signature=x`],
    ['two signatures, one spelled differently', `${signed(PARAMETERS)}&%73ignature=x`],
    ['a field twice', signed(`${PARAMETERS}&merchant_id=1`)],
    ['an empty body', ''],
    ['bytes that no form has', `${signed(PARAMETERS)}\0`],
    ['JSON', '{"signature": "x"}'],
  ])('does not parse a notice with %s', (_, body) => {
    expect(parseNotice(body)).toBeNull()
  })
})
