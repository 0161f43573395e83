import { staffOrder, type StaffOrder, type StaffOrderRow } from '#domain/order.ts'

/** A paid order of one R600 parcel, as the database returns it to staff. */
export const STAFF_ORDER_ROW: StaffOrderRow = {
  id: '2f6a0c1e-5c1b-4e39-9a55-0a8a4b2f1c11',
  order_number: 42,
  status: 'new',
  created_at: '2026-11-21T07:00:00Z',
  placed_at: '2026-11-21T07:00:00Z',
  updated_at: '2026-11-21T08:00:00Z',
  paid_at: '2026-11-21T08:00:00Z',
  cancelled_at: null,
  cancellation_reason: null,
  expires_at: null,
  reserved_until: null,
  idempotency_key: null,
  subtotal_amount: 500,
  shipping_cost: 100,
  discount_amount: 0,
  total_amount: 600,
  promo_code: null,
  promo_code_id: null,
  customer_id: 'b5686952-c001-4e3c-bdbe-a6298329046a',
  customer_name: 'Thandi Mokoena',
  customer_email: 'thandi@example.com',
  customer_phone: '+27821234567',
  shipping_method: 'door-to-door',
  locker_location: null,
  shipping_address: '14 Beach Road',
  shipping_city: 'Durban',
  shipping_state: 'KwaZulu-Natal',
  shipping_zip: '4001',
  notes: null,
  tracking_number: null,
  courier_company_id: null,
}

/** The order of that row with other values in some columns. */
export function aStaffOrder(change: Partial<StaffOrderRow> = {}): StaffOrder {
  return staffOrder({ ...STAFF_ORDER_ROW, ...change })
}
