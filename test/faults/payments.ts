import type { PlantedFault } from './fault.ts'

const payFunction = 'supabase/functions/generate-payfast-payment/handler.ts'

export const paymentFaults: PlantedFault[] = [
  {
    rule: 'PayFast’s confirmation counts only with status 200',
    file: 'payments/payfast/confirmation.ts',
    find: "status === 200 && word === 'VALID'",
    replace: "word === 'VALID'",
    tests: ['payments/payfast/notices.test.ts'],
  },
  {
    rule: 'PayFast’s smallest live payment is R5.00',
    file: payFunction,
    find: 'dueCents < LIVE_MINIMUM_CENTS',
    replace: 'dueCents <= LIVE_MINIMUM_CENTS',
    tests: ['payments/live-minimum.test.ts'],
  },
  {
    rule: 'a live payment below PayFast’s minimum is refused',
    file: payFunction,
    find: "context.payfast.mode === 'live' &&",
    replace: "context.payfast.mode === 'sandbox' &&",
    tests: ['payments/live-minimum.test.ts'],
  },
]
