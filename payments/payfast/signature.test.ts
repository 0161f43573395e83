import { describe, expect, it } from 'vitest'

import { signApiCall } from './signature.ts'

const PASSPHRASE = 'jt7NOE43FZPn'
const merchant = { 'merchant-id': '10000100', version: 'v1' }

describe('the signature of an API call', () => {
  it('signs the headers of a PayFast API call', () => {
    const call = { ...merchant, timestamp: '2026-11-21T10:00:00+02:00' }

    expect(signApiCall(call, PASSPHRASE)).toBe('523d56f5e7ad1088dfe840837d5bed53')
  })

  it('signs the body of a PayFast refund call', () => {
    const call = {
      ...merchant,
      timestamp: '2026-11-21T10:00:00+02:00',
      amount: '5000',
      reason: 'Product returned (damaged)',
      notify_buyer: '1',
      notify_merchant: '0',
    }

    expect(signApiCall(call, PASSPHRASE)).toBe('029f392b24feb192721da44795bffe1b')
  })

  it('signs the query of a history call, without blank values and the testing flag', () => {
    const query = {
      from: '2026-11-01',
      to: '2026-11-21',
      limit: '1000',
      offset: '0',
      testing: 'true',
      note: '',
    }
    const call = { ...merchant, timestamp: '2026-11-21T10:00:00', ...query }

    expect(signApiCall(call, PASSPHRASE)).toBe('fe93504bbaef5a60eb64e94fac51f546')
  })
})
