import { accessFaults } from './access.ts'
import { paymentFaults } from './payments.ts'
import type { PlantedFault } from './fault.ts'

/** Every rule of money, stock, access, tokens, limits, mail, validation, caching and escaping has a fault here. */
export const PLANTED_FAULTS: PlantedFault[] = [...accessFaults, ...paymentFaults]
