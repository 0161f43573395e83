import { accessFaults } from './access.ts'
import { accountFaults } from './accounts.ts'
import { dataFaults } from './data.ts'
import { pageFaults } from './pages.ts'
import { paymentFaults } from './payments.ts'
import { peopleFaults } from './people.ts'
import { requestFaults } from './requests.ts'
import { storageFaults } from './storage.ts'
import type { PlantedFault } from './fault.ts'

/** Every rule of money, stock, access, tokens, limits, mail, validation, caching and escaping has a fault here. */
export const PLANTED_FAULTS: PlantedFault[] = [
  ...accessFaults,
  ...accountFaults,
  ...dataFaults,
  ...pageFaults,
  ...paymentFaults,
  ...peopleFaults,
  ...requestFaults,
  ...storageFaults,
]
