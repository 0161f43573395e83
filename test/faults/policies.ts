import type { PlantedFault } from './fault.ts'

const orders = 'supabase/schema/orders/tables.sql'
const accounts = 'supabase/schema/people/accounts.sql'
const rights = 'supabase/schema/people/rights.sql'
const staff = 'supabase/schema/admin/staff.sql'
const photos = 'supabase/schema/gallery/photos.sql'
const outbox = 'supabase/schema/mail/outbox.sql'
const accessTests = ['supabase/tests/access.test.ts']
const accountTests = ['supabase/tests/account.test.ts']
const visitorTests = ['supabase/tests/visitors.test.ts']
const staffTests = ['supabase/tests/staff-roles.test.ts']
const sessionTests = ['test/attacks/ended-session.test.ts']

export const policyFaults: PlantedFault[] = [
  {
    rule: 'customers list only their own orders',
    file: orders,
    find: 'create policy select_own on public.orders for select to authenticated\n  using (customer_id = (select auth.uid()));',
    replace: 'create policy select_own on public.orders for select to authenticated\n  using (true);',
    tests: accessTests,
  },
  {
    rule: 'customers start only orders of their own',
    file: orders,
    find: 'create policy insert_own on public.orders for insert to authenticated\n  with check (customer_id = (select auth.uid()));',
    replace: 'create policy insert_own on public.orders for insert to authenticated\n  with check (true);',
    tests: ['supabase/tests/table-by-table.test.ts'],
  },
  {
    rule: 'the page after a cancelled payment does not cancel an order that holds money',
    file: orders,
    find: "status = 'pending_payment' and private.held_amount(id) = 0\n",
    replace: "status = 'pending_payment'\n",
    tests: ['payments/cancelled-with-money.test.ts'],
  },
  {
    rule: 'the page after a cancelled payment does not cancel an order whose payment is being confirmed',
    file: orders,
    find: '\n    and not private.is_payment_being_confirmed(id))',
    replace: ')',
    tests: ['payments/cancelled-with-money.test.ts'],
  },
  {
    rule: 'customers do not cancel an order whose payment is being confirmed',
    file: 'supabase/schema/orders/own_orders.sql',
    find: '      and not private.is_payment_being_confirmed(o.id)\n',
    replace: '',
    tests: ['payments/cancelled-with-money.test.ts'],
  },
  {
    rule: 'customers set no tracking number',
    file: 'supabase/schema/orders/states.sql',
    find: 'if not is_admin and is_shipping_changed and not private.is_staff() then',
    replace: 'if false then',
    tests: ['supabase/tests/orders.test.ts'],
  },
  {
    rule: 'customers do not cancel their paid orders through the table',
    file: orders,
    find: "using (customer_id = (select auth.uid()) and status = 'pending_payment' and",
    replace: 'using (customer_id = (select auth.uid()) and',
    tests: ['supabase/tests/orders.test.ts'],
  },
  {
    rule: 'packers do not delete orders',
    file: orders,
    find: 'create policy delete_as_admin on public.orders for delete to authenticated\n  using ((select private.is_admin()));',
    replace:
      'create policy delete_as_admin on public.orders for delete to authenticated\n  using ((select private.is_staff()));',
    tests: accessTests,
  },
  {
    rule: 'orders require the second factor',
    file: orders,
    find: 'create policy all_with_aal2 on public.orders as restrictive for all to authenticated\n  using ((select true where private.has_aal2()) is not null);',
    replace:
      'create policy all_with_aal2 on public.orders as restrictive for all to authenticated\n  using (true);',
    tests: accountTests,
  },
  {
    rule: 'the lines of orders require the second factor',
    file: orders,
    find: 'create policy all_with_aal2 on public.order_items as restrictive for all to authenticated\n  using ((select true where private.has_aal2()) is not null);',
    replace:
      'create policy all_with_aal2 on public.order_items as restrictive for all to authenticated\n  using (true);',
    tests: accountTests,
  },
  {
    rule: 'staff do not see drafts',
    file: orders,
    find: 'using (placed_at is not null and (select true where private.is_staff()) is not null);',
    replace: 'using ((select true where private.is_staff()) is not null);',
    tests: ['supabase/tests/table-by-table.test.ts'],
  },
  {
    rule: 'lines go only into the caller’s own drafts',
    file: orders,
    find: "with check (exists (\n    select from public.orders o\n    where o.id = order_id and o.customer_id = (select auth.uid())\n      and o.placed_at is null and o.status = 'pending_payment'));",
    replace: 'with check (true);',
    tests: accessTests,
  },
  {
    rule: 'customers read the lines of their own orders only',
    file: orders,
    find: 'using (not (select private.is_staff()) and exists (\n    select from public.orders o where o.id = order_id and o.customer_id = (select auth.uid())));',
    replace: 'using (true);',
    tests: accessTests,
  },
  {
    rule: 'packers see no event about a short payment',
    file: orders,
    find: 'short_payment_accepted,',
    replace: '',
    tests: ['supabase/tests/refund-tasks.test.ts'],
  },
  {
    rule: 'packers see no event about a failed refund',
    file: orders,
    find: 'refund_failed,',
    replace: '',
    tests: ['supabase/tests/refund-tasks.test.ts'],
  },
  {
    rule: 'packers see no event about a withdrawn payment',
    file: orders,
    find: 'refund_withdrawn,payment_withdrawn,',
    replace: 'refund_withdrawn,',
    tests: ['supabase/tests/refund-tasks.test.ts'],
  },
  {
    rule: 'packers see no event about a payment by hand',
    file: orders,
    find: "'paid_by_hand,missed",
    replace: "'missed",
    tests: ['supabase/tests/refund-tasks.test.ts'],
  },
  {
    rule: 'only staff write notes about an order',
    file: orders,
    find: 'create policy insert_as_staff on public.order_notes for insert to authenticated\n  with check ((select private.is_staff()));',
    replace:
      'create policy insert_as_staff on public.order_notes for insert to authenticated\n  with check (true);',
    tests: accessTests,
  },
  {
    rule: 'a cart requires the second factor',
    file: 'supabase/schema/cart/cart.sql',
    find: 'create policy all_with_aal2 on public.cart_items as restrictive for all to authenticated\n  using ((select private.has_aal2()));',
    replace:
      'create policy all_with_aal2 on public.cart_items as restrictive for all to authenticated\n  using (true);',
    tests: accountTests,
  },
  {
    rule: 'customers delete only lines of their own carts',
    file: 'supabase/schema/cart/cart.sql',
    find: 'create policy delete_own on public.cart_items for delete to authenticated\n  using (user_id = (select auth.uid()));',
    replace: 'create policy delete_own on public.cart_items for delete to authenticated\n  using (true);',
    tests: ['test/contracts/cart.contract.test.ts', ...accessTests],
  },
  {
    rule: 'packers read the profiles of colleagues only',
    file: accounts,
    find: 'using ((select private.is_staff() and not private.is_admin()) and private.is_staff_account(id));',
    replace: 'using ((select private.is_staff() and not private.is_admin()));',
    tests: accessTests,
  },
  {
    rule: 'customers change only their own profiles',
    file: accounts,
    find: 'create policy update_own on public.profiles for update to authenticated\n  using (id = (select auth.uid()))\n  with check (id = (select auth.uid()));',
    replace:
      'create policy update_own on public.profiles for update to authenticated\n  using (true)\n  with check (true);',
    tests: ['supabase/tests/people.test.ts'],
  },
  {
    rule: 'customers do not change the e-mail address of their profile',
    file: accounts,
    find: 'grant update (full_name, phone,',
    replace: 'grant update (full_name, email, phone,',
    tests: ['supabase/tests/people.test.ts'],
  },
  {
    rule: 'profiles require the second factor',
    file: accounts,
    find: 'using ((select true where private.has_aal2()) is not null);',
    replace: 'using (true);',
    tests: accountTests,
  },
  {
    rule: 'consents require the second factor',
    file: 'supabase/schema/newsletter/consent.sql',
    find: 'create policy all_with_aal2 on public.marketing_consents as restrictive for all to authenticated\n  using ((select private.has_aal2()));',
    replace:
      'create policy all_with_aal2 on public.marketing_consents as restrictive for all to authenticated\n  using (true);',
    tests: accountTests,
  },
  {
    rule: 'customers read only their own consents',
    file: 'supabase/schema/newsletter/consent.sql',
    find: 'create policy select_own on public.marketing_consents for select to authenticated\n  using (customer_id = (select auth.uid()));',
    replace:
      'create policy select_own on public.marketing_consents for select to authenticated\n  using (true);',
    tests: accessTests,
  },
  {
    rule: 'roles require the second factor',
    file: staff,
    find: 'create policy all_with_aal2 on public.user_roles as restrictive for all to authenticated\n  using ((select private.has_aal2()));',
    replace:
      'create policy all_with_aal2 on public.user_roles as restrictive for all to authenticated\n  using (true);',
    tests: accountTests,
  },
  {
    rule: 'nobody reads the roles of others',
    file: staff,
    find: 'create policy select_own on public.user_roles for select to authenticated\n  using (user_id = (select auth.uid()));',
    replace: 'create policy select_own on public.user_roles for select to authenticated\n  using (true);',
    tests: accessTests,
  },
  {
    rule: 'admins do not read mails with secrets',
    file: outbox,
    find: 'using (not confidential and (select private.is_admin()));',
    replace: 'using ((select private.is_admin()));',
    tests: ['supabase/tests/staff-orders.test.ts'],
  },
  {
    rule: 'packers read only mails about orders',
    file: outbox,
    find: "using (not confidential and props ? 'orderId' and (select private.is_staff()));",
    replace: 'using (not confidential and (select private.is_staff()));',
    tests: ['test/contracts/packers.contract.test.ts'],
  },
  {
    rule: 'packers do not read payments',
    file: 'supabase/schema/payments/ledger.sql',
    find: 'create policy select_as_admin on public.payments for select to authenticated\n  using ((select private.is_admin()));',
    replace:
      'create policy select_as_admin on public.payments for select to authenticated\n  using ((select private.is_staff()));',
    tests: accessTests,
  },
  {
    rule: 'packers do not change the settings of the shop',
    file: 'supabase/schema/admin/settings.sql',
    find: 'create policy update_as_admin on public.shop_settings for update to authenticated\n  using ((select private.is_admin()))\n  with check ((select private.is_admin()));',
    replace:
      'create policy update_as_admin on public.shop_settings for update to authenticated\n  using ((select private.is_staff()))\n  with check ((select private.is_staff()));',
    tests: accessTests,
  },
  {
    rule: 'visitors see live and announced products only',
    file: 'supabase/schema/catalogue/products.sql',
    find: "create policy select_listed on public.products for select to anon, authenticated\n  using (status in ('live', 'announced'));",
    replace:
      'create policy select_listed on public.products for select to anon, authenticated\n  using (true);',
    tests: ['test/contracts/admin-catalogue.contract.test.ts'],
  },
  {
    rule: 'packers do not change products',
    file: 'supabase/schema/catalogue/products.sql',
    find: 'create policy update_as_admin on public.products for update to authenticated\n  using ((select private.is_admin()))',
    replace:
      'create policy update_as_admin on public.products for update to authenticated\n  using ((select private.is_staff()))',
    tests: accessTests,
  },
  {
    rule: 'customers do not read contact messages',
    file: 'supabase/schema/messages/messages.sql',
    find: 'create policy select_as_staff on public.contact_submissions for select to authenticated\n  using ((select true where private.is_staff()) is not null);',
    replace:
      'create policy select_as_staff on public.contact_submissions for select to authenticated\n  using (true);',
    tests: accessTests,
  },
  {
    rule: 'visitors see approved photos only',
    file: photos,
    find: "create policy select_approved on public.gallery_submissions for select to anon, authenticated\n  using (status = 'approved');",
    replace:
      "create policy select_approved on public.gallery_submissions for select to anon, authenticated\n  using (status <> 'declined');",
    tests: accessTests,
  },
  {
    rule: 'a sender sees a photo only in the transaction that sends it',
    file: photos,
    find: "using (status = 'pending' and created_at = now());",
    replace: "using (status = 'pending');",
    tests: accessTests,
  },
  {
    rule: 'visitors do not approve photos',
    file: photos,
    find: "with check (status = 'pending');",
    replace: "with check (status in ('pending', 'approved'));",
    tests: ['supabase/tests/visitors.test.ts', 'test/contracts/forms.contract.test.ts'],
  },
  {
    rule: 'a gallery file is never replaced',
    file: photos,
    find: 'and (new.version is distinct from old.version or new.name is distinct from old.name))',
    replace: 'and new.name is distinct from old.name)',
    tests: visitorTests,
  },
  {
    rule: 'a gallery file is never renamed',
    file: photos,
    find: 'and (new.version is distinct from old.version or new.name is distinct from old.name))',
    replace: 'and new.version is distinct from old.version)',
    tests: visitorTests,
  },
  {
    rule: 'the name of an approved photo is not used again',
    file: photos,
    find: "where o.bucket_id in ('gallery', 'gallery-private') and o.name = new.name) then",
    replace: "where o.bucket_id = 'gallery-private' and o.name = new.name) then",
    tests: visitorTests,
  },
  {
    rule: 'the footer signs up without consent',
    file: 'supabase/schema/newsletter/newsletter.sql',
    find: "(source = 'footer' or source = 'popup' and not accepted_terms)",
    replace: "source in ('footer', 'popup')",
    tests: visitorTests,
  },
  {
    rule: 'a session that is over has no rights',
    file: rights,
    find: ' and coalesce(s.not_after > now(), true));',
    replace: ');',
    tests: [...accountTests, ...sessionTests],
  },
  {
    rule: 'the session of another account gives no rights',
    file: rights,
    find: "where s.id = session_id::uuid and s.user_id::text = claims ->> 'sub' and",
    replace: 'where s.id = session_id::uuid and',
    tests: [...accountTests, ...sessionTests],
  },
  {
    rule: 'a token from before the second factor does not rise with its session',
    file: rights,
    find: "least(claimed, coalesce(s.aal::text, 'aal1'))",
    replace: "coalesce(s.aal::text, 'aal1')",
    tests: ['test/attacks/removed-factor.test.ts'],
  },
  {
    rule: 'removing a factor lowers its sessions at once',
    file: rights,
    find: "least(claimed, coalesce(s.aal::text, 'aal1'))",
    replace: 'claimed',
    tests: ['test/attacks/removed-factor.test.ts'],
  },
  {
    rule: 'a factor that was never verified is not required',
    file: rights,
    find: " and f.status = 'verified');",
    replace: ');',
    tests: accountTests,
  },
  {
    rule: 'staff need the second factor that the shop requires',
    file: rights,
    find: "\n      and (not private.requires_second_factor() or private.session_level(claims) = 'aal2');",
    replace: ';',
    tests: ['supabase/tests/shop-settings.test.ts'],
  },
  {
    rule: 'staff with a second factor have no rights before they show it',
    file: rights,
    find: 'return private.session_has_aal2(claims)\n      and',
    replace: 'return private.has_live_session(claims)\n      and',
    tests: accountTests,
  },
  {
    rule: 'packers are no admins',
    file: rights,
    find: "private.has_role(auth.jwt(), '{admin}')",
    replace: "private.has_role(auth.jwt(), '{admin,packer}')",
    tests: accessTests,
  },
  {
    rule: 'a public shop requires the second factor of its staff by default',
    file: rights,
    find: 'coalesce(s.requires_second_factor, r.is_public_address)',
    replace: 'coalesce(s.requires_second_factor, false)',
    tests: ['supabase/tests/shop-settings.test.ts'],
  },
  {
    rule: 'roles are granted only by an admin who has just signed in',
    file: rights,
    find: "    if not private.proved_recently('10 minutes') then",
    replace: "    if not private.proved_recently('10 days') then",
    tests: staffTests,
  },
  {
    rule: 'the newest proof of identity counts',
    file: rights,
    find: "coalesce(max((proof ->> 'timestamp')",
    replace: "coalesce(min((proof ->> 'timestamp')",
    tests: [...staffTests, ...accountTests],
  },
  {
    rule: 'the last admin is not removed',
    file: staff,
    find: 'and r.user_id <> old.user_id and u.deleted_at is null',
    replace: 'and u.deleted_at is null',
    tests: staffTests,
  },
  {
    rule: 'a deleted account is not the last admin',
    file: staff,
    find: 'and r.user_id <> old.user_id and u.deleted_at is null',
    replace: 'and r.user_id <> old.user_id',
    tests: staffTests,
  },
  {
    rule: 'a role goes to a verified mailbox only',
    file: staff,
    find: 'elsif not private.has_verified_mailbox(person) then',
    replace: 'elsif false then',
    tests: staffTests,
  },
  {
    rule: 'an account is admin or packer, never both',
    file: staff,
    find: "    delete from public.user_roles r where r.user_id = person and r.role in ('admin', 'packer') and r.role <> grant_role.role;\n",
    replace: '',
    tests: staffTests,
  },
  {
    rule: 'an admin without a second factor does not require one of all staff',
    file: staff,
    find: "if auth.uid() is not null and private.session_level(auth.jwt()) is distinct from 'aal2' then",
    replace: "if auth.uid() is not null and private.session_level(auth.jwt()) = 'aal2' and false then",
    tests: ['supabase/tests/shop-settings.test.ts'],
  },
  {
    rule: 'packers do not learn which accounts are staff',
    file: staff,
    find: '    if not private.is_admin() then\n      return',
    replace: '    if not private.is_staff() then\n      return',
    tests: ['supabase/tests/clients.test.ts', ...staffTests],
  },
]
