/** What other features of the admin area use of orders. */

export { orderCountText } from './bulk-orders.ts'
export { CourierFields, NEW_COURIER, courierValues, isCourierComplete } from './courier-fields.tsx'
export { useAddCourier, useChangeCourier, useCouriers, type Courier, type CourierInput } from './couriers.ts'
export { PaymentBadges, StatusBadge } from './order-badges.tsx'
export { ORDERS } from './order-list.ts'
export { OrderMoneyWarning } from './order-money-warning.tsx'
export { useOrderMoney, type OrderMoney } from './order-money.ts'
export { useBalance } from './payment/payment-record-query.ts'
export { RefundDialog } from './payment/refund-dialog.tsx'
export { RefundDueActions } from './payment/refund-due-actions.tsx'
export { RefundActions } from './payment/refunds.tsx'
export { useOpenRefundTasks } from './refund-task.ts'
