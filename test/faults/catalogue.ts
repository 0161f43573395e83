import { accessFaults } from './access.ts'
import { accountDataFaults } from './account-data.ts'
import { accountFaults } from './accounts.ts'
import { adminAreaFaults } from './admin-area.ts'
import { backupFaults } from './backups.ts'
import { cartFaults } from './carts.ts'
import { adminListFaults } from './admin-lists.ts'
import { adminOrderFaults } from './admin-orders.ts'
import { consentFaults } from './consent.ts'
import { dataFaults } from './data.ts'
import { databaseServerFaults } from './database-servers.ts'
import { healthFaults } from './health.ts'
import { jobFaults } from './jobs.ts'
import { mailTextFaults } from './mail-texts.ts'
import { moneyFaults } from './money.ts'
import { newerPostgresFaults } from './newer-postgres.ts'
import { noticeFaults } from './notices.ts'
import { operationFaults } from './operations.ts'
import { orderDetailFaults } from './order-details.ts'
import { orderFaults } from './orders.ts'
import { pageFaults } from './pages.ts'
import { paymentDecisionFaults } from './payment-decisions.ts'
import { paymentFaults } from './payments.ts'
import { peopleFaults } from './people.ts'
import { policyFaults } from './policies.ts'
import { processFaults } from './processes.ts'
import { promotionFaults } from './promotions.ts'
import { refundFaults } from './refunds.ts'
import { requestFaults } from './requests.ts'
import { staffFaults } from './staff.ts'
import { staffOrderFaults } from './staff-orders.ts'
import { settingsFaults } from './settings.ts'
import { shopperDataFaults } from './shopper-data.ts'
import { shopperPageFaults } from './shopper-pages.ts'
import { shopperSessionFaults } from './shopper-session.ts'
import { shopperTextFaults } from './shopper-texts.ts'
import { stockFaults } from './stock.ts'
import { stockListFaults } from './stock-lists.ts'
import { storageFaults } from './storage.ts'
import { strangerFaults } from './strangers.ts'
import type { PlantedFault } from './fault.ts'

/** Every rule of money, stock, access, tokens, limits, mail, validation, caching and escaping has a fault here. */
export const PLANTED_FAULTS: PlantedFault[] = [
  ...accessFaults,
  ...accountDataFaults,
  ...accountFaults,
  ...adminAreaFaults,
  ...backupFaults,
  ...cartFaults,
  ...adminListFaults,
  ...adminOrderFaults,
  ...consentFaults,
  ...dataFaults,
  ...databaseServerFaults,
  ...healthFaults,
  ...jobFaults,
  ...mailTextFaults,
  ...moneyFaults,
  ...newerPostgresFaults,
  ...noticeFaults,
  ...operationFaults,
  ...orderDetailFaults,
  ...orderFaults,
  ...pageFaults,
  ...paymentDecisionFaults,
  ...paymentFaults,
  ...peopleFaults,
  ...policyFaults,
  ...processFaults,
  ...promotionFaults,
  ...refundFaults,
  ...requestFaults,
  ...staffFaults,
  ...staffOrderFaults,
  ...settingsFaults,
  ...shopperDataFaults,
  ...shopperPageFaults,
  ...shopperSessionFaults,
  ...shopperTextFaults,
  ...stockFaults,
  ...stockListFaults,
  ...storageFaults,
  ...strangerFaults,
]
