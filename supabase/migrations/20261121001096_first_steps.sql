-- What a new shop still lacks before its first sale, as far as the database knows; each step ticks itself.
create function public.first_steps() returns jsonb
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
      'first_order', exists (select from public.orders o where o.paid_at is not null));
  end
  $$;
comment on function public.first_steps() is 'Which steps to the first sale are done.';
grant execute on function public.first_steps() to authenticated;
