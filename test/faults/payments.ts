import type { PlantedFault } from './fault.ts'

export const paymentFaults: PlantedFault[] = [
  {
    rule: 'PayFast’s confirmation counts only with status 200',
    file: 'payments/payfast/confirmation.ts',
    find: "status === 200 && word === 'VALID'",
    replace: "word === 'VALID'",
    tests: ['payments/payfast/notices.test.ts'],
  },
]
