/** A fault between PayFast and the shop that the payment page can simulate. */
export interface Fault {
  label: string
  /** Shown next to the button. */
  explanation: string
  /** How often the notice is sent; 0 for a lost notice. */
  copies: number
  lateSeconds?: number
  silentSeconds?: number
  /** Difference between the paid and the requested amount. */
  changeCents?: number
  /** The buyer pays a second time, with another payment number. */
  isTakenTwice?: boolean
  /** Signed with another passphrase. */
  isBadlySigned?: boolean
  /** Correctly signed, but the confirmation endpoint answers INVALID. */
  isUnknown?: boolean
  merchantId?: string
  status?: 'FAILED'
}

export const FAULTS: Record<string, Fault> = {
  late: {
    label: 'Late notice',
    explanation: 'The buyer returns first; the notice follows after 20 seconds.',
    copies: 1,
    lateSeconds: 20,
  },
  twice: {
    label: 'Notice twice',
    explanation: 'Two copies of the notice arrive at the same moment.',
    copies: 2,
  },
  flood: {
    label: 'Notice ten times',
    explanation: 'Ten copies of the notice arrive at the same moment.',
    copies: 10,
  },
  again: {
    label: 'Paid twice',
    explanation: 'The buyer has paid in two tabs: two payments, a notice for each.',
    copies: 1,
    isTakenTwice: true,
  },
  forged: {
    label: 'Forged notice',
    explanation: 'The signature is wrong. No money was taken.',
    copies: 1,
    isBadlySigned: true,
    isUnknown: true,
  },
  unknown: {
    label: 'Unknown notice',
    explanation: 'The signature is right, but the provider does not know the notice. No money was taken.',
    copies: 1,
    isUnknown: true,
  },
  short: {
    label: 'Short payment',
    explanation: 'The buyer pays one rand less than the order costs.',
    copies: 1,
    changeCents: -1_00,
  },
  over: {
    label: 'Payment too high',
    explanation: 'The buyer pays one rand more than the order costs.',
    copies: 1,
    changeCents: 1_00,
  },
  foreign: {
    label: 'Another merchant',
    explanation: 'The notice is for another merchant account.',
    copies: 1,
    merchantId: '10000199',
  },
  never: { label: 'No notice', explanation: 'The buyer pays, but the notice is lost.', copies: 0 },
  outage: {
    label: 'Confirmation unavailable',
    explanation: 'The confirmation endpoint returns a 403 page for 30 seconds.',
    copies: 1,
    silentSeconds: 30,
  },
}

export const NO_FAULT: Fault = { label: 'Pay', explanation: '', copies: 1 }
/** Plug-ins handle this notice of a declined payment, although PayFast does not document it. */
export const DECLINED: Fault = { label: 'Fail', explanation: '', copies: 1, status: 'FAILED' }
