-- Orders, their lines, their timeline and the internal notes of staff: who may read and write the tables.
--
-- An order starts as a draft (`placed_at` is null), which only its customer sees. Placing prices it, redeems its promo
-- code and reserves its stock (placing.sql). A verified payment or a total of zero sets `paid_at`, and every status
-- after `pending_payment` needs it (states.sql). Name, address and lines are snapshots: later changes of a profile or
-- of the catalogue do not change an order.
-- Staff see placed orders and move them on; only admins cancel, reinstate and delete them. Money, totals, dates and
-- addresses are in no update grant: functions that check the caller write them.

comment on table public.orders is
  'Orders of customers and their state. Drafts, which are not placed yet, are visible to their customer only.';
comment on column public.orders.order_number is
  'The number customers and staff use, shown with five digits. Deleted drafts leave gaps.';
comment on column public.orders.customer_id is
  'The account. Null for orders without an account and after the account was erased; the contact and address '
  'snapshot stays.';
comment on column public.orders.status is
  'pending_payment (placed, not paid), new, processing, shipped, delivered, cancelled. pending: reads as new; no '
  'function sets it.';
comment on column public.orders.subtotal_amount is 'Rand: sum of the lines. Null until the order is placed.';
comment on column public.orders.shipping_cost is
  'Rand. 0 from the free-shipping limit, with a free-shipping code and for a hand-over.';
comment on column public.orders.discount_amount is
  'Rand that the promo code takes off. A fixed discount can exceed the subtotal.';
comment on column public.orders.total_amount is 'Rand: max(0, subtotal + shipping − discount).';
comment on column public.orders.promo_code_id is 'Null without a promo code, and after the code was deleted.';
comment on column public.orders.promo_code is
  'The text of the code when the order was written. Stays when the code is deleted.';
comment on column public.orders.shipping_method is
  'locker or door-to-door from the checkout; hand-over (no address, no shipping cost) only from admins.';
comment on column public.orders.notes is
  'The customer''s remark, at most 500 characters. Notes of staff are in order_notes.';
comment on column public.orders.tracking_number is
  'The courier''s number of the parcel. Null or empty until it is shipped.';
comment on column public.orders.idempotency_key is
  'Identifies one press of the order button: placing again with the same key returns the same order.';
comment on column public.orders.placed_at is 'When the order was priced and its stock reserved. Null: a draft.';
comment on column public.orders.paid_at is
  'When a verified payment, a payment recorded by staff or a total of zero paid the order. Null: unpaid. Stays '
  'when a paid order is cancelled, and becomes null when the payment is withdrawn.';
comment on column public.orders.cancelled_at is 'Set exactly while status is cancelled.';
comment on column public.orders.cancellation_reason is
  'customer, shop, expired, replaced, or a sentence of the shop. Null unless cancelled.';
comment on column public.orders.reserved_until is
  'Until when stock is reserved for the payment: the end of its earliest reservation, if it has any. Null once it '
  'is paid or cancelled.';
comment on column public.orders.shipping_address is 'Snapshot of the delivery. Null for orders handed over in person.';
comment on column public.orders.customer_name is 'Snapshot of the customer. Changing the profile changes no order.';
comment on column public.orders.customer_email is 'Where mails about the order go. Need not be the account''s address.';
comment on column public.orders.locker_location is 'The pick-up locker of shipping method locker.';
comment on column public.orders.courier_company_id is 'Set when the order is shipped.';
comment on column public.orders.expires_at is
  'When the job expire_orders cancels the unpaid order or deletes the draft. Null: never, because the order is '
  'paid, its money waits for a decision, or staff created it without an account.';

-- Insert: only the columns of a draft. The client never sets `placed_at`, `paid_at`, subtotal or order number.
-- Update: staff set status and tracking; a customer can only cancel. The trigger guard_order_update checks each step.
-- Not granted: update of amounts, address or customer. change_delivery() corrects addresses.
grant select, delete on public.orders to authenticated, service_role;
grant insert (
    customer_id, status, shipping_cost, discount_amount, total_amount, promo_code_id, shipping_method,
    shipping_address, shipping_city, shipping_state, shipping_zip, notes)
  on public.orders to authenticated;
grant update (status, tracking_number, courier_company_id) on public.orders to authenticated, service_role;

create policy select_own on public.orders for select to authenticated
  using (customer_id = (select auth.uid()));

create policy insert_own on public.orders for insert to authenticated
  with check (customer_id = (select auth.uid()));

-- An order that holds money (a payment that was too small, say) matches no row here, as a paid order does: the page
-- /payment-cancelled must not end it. Its customer cancels it with cancel_own_order(), whose page mentions the refund.
-- Nor does an order whose payment is being confirmed: its customer would order and pay again, and the confirmation would
-- then reinstate the first order too.
create policy cancel_own on public.orders for update to authenticated
  using (customer_id = (select auth.uid()) and status = 'pending_payment' and private.held_amount(id) = 0
    and not private.is_payment_being_confirmed(id))
  with check (customer_id = (select auth.uid()) and status = 'cancelled');

create policy delete_as_admin on public.orders for delete to authenticated
  using ((select private.is_admin()));

-- Restrictive: narrows the policies above and below, and opens nothing.
-- `(select true where …) is not null` instead of a plain boolean: the planner assumes that half of all rows pass an
-- opaque boolean, and two of them would make it expect a quarter of all orders. The estimate is what list pages show
-- as the number of rows beyond the first thousand.
create policy all_with_aal2 on public.orders as restrictive for all to authenticated
  using ((select true where private.has_aal2()) is not null);

create policy select_as_staff on public.orders for select to authenticated
  using (placed_at is not null and (select true where private.is_staff()) is not null);

create policy update_as_staff on public.orders for update to authenticated
  using (placed_at is not null and (select private.is_staff()))
  with check (placed_at is not null and (select private.is_staff()));

comment on table public.order_items is
  'The lines of an order as they were sold: name, price and picture are snapshots.';
comment on column public.order_items.product_id is 'Null once the product is deleted.';
comment on column public.order_items.variant_id is 'Null once the variant is deleted.';
comment on column public.order_items.price is 'Rand for one unit, as sold.';
comment on column public.order_items.with_hooks is 'With or without hooks. Null: not known; new lines must say it.';
comment on column public.order_items.position is 'Order of the lines, ascending.';
comment on column public.order_items.quantity is 'Units ordered. Returned ones are in returned_quantity.';
comment on column public.order_items.image_url is 'The picture at the time of the order.';
comment on column public.order_items.returned_quantity is
  'Units that a refund took off the line, so that the customer no longer gets them. The sum of '
  'payment_refund_items.';

-- Not granted: update. Lines are never edited; an unpaid order with other lines is a new order that replaces it.
grant select, delete on public.order_items to authenticated, service_role;
grant insert (order_id, product_name, product_variant, price, quantity, with_hooks)
  on public.order_items to authenticated;

-- Policies of one command are alternatives, evaluated for each row in turn. This one begins with a test that is
-- constant for the statement, so that it looks up no order for staff, whom select_as_staff lets see every line.
create policy select_own on public.order_items for select to authenticated
  using (not (select private.is_staff()) and exists (
    select from public.orders o where o.id = order_id and o.customer_id = (select auth.uid())));

-- Lines go into a draft of the caller's. Inserting them places the order (trigger place_orders).
create policy insert_own on public.order_items for insert to authenticated
  with check (exists (
    select from public.orders o
    where o.id = order_id and o.customer_id = (select auth.uid())
      and o.placed_at is null and o.status = 'pending_payment'));

create policy delete_as_admin on public.order_items for delete to authenticated
  using ((select private.is_admin()));

-- Same form as on orders, for the planner's estimates.
create policy all_with_aal2 on public.order_items as restrictive for all to authenticated
  using ((select true where private.has_aal2()) is not null);

create policy select_as_staff on public.order_items for select to authenticated
  using ((select true where private.is_staff()) is not null);

comment on table public.order_events is 'The timeline of an order. Append only.';
comment on column public.order_events.kind is
  'placed, paid, reinstated, cancelled, replaced, status_changed, tracking_changed, delivery_changed, entered_by_hand, '
  'paid_but_sold_out, and what payments and refunds add (refund_due, refunded, paid_by_hand, …).';
comment on column public.order_events.actor_id is 'The account that caused it. Null: the shop''s own process.';
comment on column public.order_events.detail is
  'Facts of the event by kind, for example {from, to} of a change of status. Amounts are in rand.';

-- Not granted: insert, update, delete. Triggers and definer functions write the timeline, and it is never edited.
grant select on public.order_events to authenticated, service_role;

-- Events of money are visible to admins only: their detail contains amounts.
create policy select_as_staff on public.order_events for select to authenticated
  using ((select private.is_staff())
    and (kind <> all ('{refund_due,refund_dismissed,refunded,refund_requested,refund_failed,refund_withdrawn,payment_withdrawn,'
        'paid_by_hand,missed_payment_recorded,short_payment_accepted,top_up_requested,topped_up}'::text[])
      or (select private.is_admin())));

comment on table public.order_notes is 'Internal notes of staff about an order. Customers never see them.';
comment on column public.order_notes.author_id is
  'The account that wrote the note. No foreign key: the note outlives the account.';
comment on column public.order_notes.body is 'Plain text of 1 to 2000 characters, for staff only.';

-- Not granted: update, delete. A note stays as it was written; a second note corrects it.
grant select on public.order_notes to authenticated;
grant insert (order_id, body) on public.order_notes to authenticated;

create policy select_as_staff on public.order_notes for select to authenticated
  using ((select private.is_staff()));

create policy insert_as_staff on public.order_notes for insert to authenticated
  with check ((select private.is_staff()));
