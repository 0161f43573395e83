/** What can go wrong between PayFast and a shop, to be played on request. */
export interface Fault {
  label: string
  /** What happens, for the person who presses the button. */
  explanation: string
  /** How often the notice is sent; never, for the notice that gets lost. */
  copies: number
  lateSeconds?: number
  silentSeconds?: number
  /** Taken off (or added to) the amount. */
  changeCents?: number
  /** The money is taken a second time, under a number of its own. */
  isTakenTwice?: boolean
  /** Signed with another passphrase. */
  isBadlySigned?: boolean
  /** Signed well, but nothing PayFast ever sent: its confirmation endpoint says INVALID. */
  isUnknown?: boolean
  merchantId?: string
  status?: 'FAILED'
}

export const FAULTS: Record<string, Fault> = {
  late: {
    label: 'Late notice',
    explanation: 'The buyer is back first; the notice follows after 20 seconds.',
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
    label: 'Notice nobody sent',
    explanation: 'The signature is right, but the provider does not know the notice. No money was taken.',
    copies: 1,
    isUnknown: true,
  },
  short: {
    label: 'Short payment',
    explanation: 'One rand less than the order costs was paid.',
    copies: 1,
    changeCents: -1_00,
  },
  over: {
    label: 'Payment too high',
    explanation: 'One rand more than the order costs was paid.',
    copies: 1,
    changeCents: 1_00,
  },
  foreign: {
    label: 'Another merchant',
    explanation: 'The notice is for somebody else’s account.',
    copies: 1,
    merchantId: '10000199',
  },
  never: { label: 'No notice', explanation: 'The money was taken, and the notice is lost.', copies: 0 },
  outage: {
    label: 'Confirmation down',
    explanation: 'For 30 seconds the confirmation endpoint answers 403 with a page.',
    copies: 1,
    silentSeconds: 30,
  },
}

export const NO_FAULT: Fault = { label: 'Pay', explanation: '', copies: 1 }
/** What plug-ins know of a declined payment, though PayFast's documentation names no such notice. */
export const DECLINED: Fault = { label: 'Fail', explanation: '', copies: 1, status: 'FAILED' }
