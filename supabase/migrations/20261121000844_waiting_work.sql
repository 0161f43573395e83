-- What waits for the brothers, counted in one question: the first thing the dashboard shows. Each figure counts exactly the rows of
-- the list it opens.
create function public.count_waiting_work(low_stock_at_most int) returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    return (
      select jsonb_build_object(
        'to_make', count(*) filter (where o.status in ('new', 'pending')),
        'to_ship', count(*) filter (where o.status = 'processing'),
        'awaiting_payment', count(*) filter (where o.status = 'pending_payment'),
        'concerns', (select count(*) from public.open_payment_concerns),
        'failed_mails', (select count(*) from public.mails m where m.status = 'failed' and not m.confidential),
        'low_stock', (
          select count(*) from private.available_stock() s
          join public.product_variants v on v.id = s.variant_id
          join public.products p on p.id = v.product_id
          where s.available <= low_stock_at_most and not p.made_to_order),
        'pending_photos', (select count(*) from public.gallery_submissions g where g.status = 'pending'),
        'open_messages', (
          select count(*) from public.contact_submissions c
          where not exists (select from public.contact_answers a where a.submission_id = c.id)))
      from public.orders o
      where o.placed_at is not null and o.status in ('new', 'pending', 'processing', 'pending_payment'));
  end
  $$;
grant execute on function public.count_waiting_work(int) to authenticated;
comment on function public.count_waiting_work(int) is 'How much of each kind of work waits for staff.';
