-- Counts the work that waits for staff, for the badges of the admin area. One pass over unfinished orders, which partial indexes keep small.
create or replace function public.count_attention() returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_staff();
    return (
      select jsonb_build_object(
        'to_make', count(*) filter (where o.status in ('new', 'pending')),
        'to_ship', count(*) filter (where o.status = 'processing'),
        'awaiting_payment', count(*) filter (where o.status = 'pending_payment'),
        'issues', (select count(*) from public.open_payment_issues) + (select count(*) from public.full_gallery_days),
        'failed_mails', (select count(*) from public.mails m where m.status = 'failed' and not m.confidential),
        'low_stock', (select count(*) from private.low_variants()),
        'pending_photos', (select count(*) from public.gallery_submissions g where g.status = 'pending'),
        'open_messages', (
          select count(*) from public.contact_submissions c
          where not exists (select from public.contact_answers a where a.submission_id = c.id)))
      from public.orders o
      where o.placed_at is not null and o.status in ('new', 'pending', 'processing', 'pending_payment'))
      || case when private.is_admin()
        then jsonb_build_object('to_refund', (select count(*) from public.refund_tasks t where t.is_open))
        else '{}' end;
  end
  $$;
comment on function public.count_attention is 'Counts of the work that waits for staff: {to_make, to_ship, awaiting_payment, issues, failed_mails, low_stock, pending_photos, open_messages}, and to_refund for admins. Staff only.';
grant execute on function public.count_attention to authenticated;

-- The checklist of a new shop. Each step is derived from data, so it ticks itself.
create or replace function public.setup_steps() returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    return jsonb_build_object(
      'second_factor', exists (select from auth.mfa_factors f where f.user_id = auth.uid() and f.status = 'verified'),
      'settings', exists (select from public.changes c where c.table_name = 'shop_settings'),
      'stock', exists (
        select from public.product_variants v join public.products p on p.id = v.product_id
        where p.status = 'live' and (v.stock_quantity > 0 or p.made_to_order)),
      'first_order', exists (select from public.orders o where o.paid_at is not null),
      'live_payments', (select not r.is_public_address or r.refund_way = 'payfast' from private.shop_rules r));
  end
  $$;
comment on function public.setup_steps is 'Completed set-up steps: {second_factor, settings, stock, first_order, live_payments}. A shop for trying out needs no live payments. Admins only.';
grant execute on function public.setup_steps to authenticated;
