import { orderPage, type MailedOrder } from './order.ts'
import { Action } from './text.tsx'

interface Props {
  order: Pick<MailedOrder, 'id' | 'hasAccount'>
  publicUrl: string
}

/** A button to the order's page, which only a customer with an account can open. */
export function ViewOrder({ order, publicUrl }: Props) {
  return order.hasAccount && <Action href={orderPage(order, publicUrl)}>View your order</Action>
}
