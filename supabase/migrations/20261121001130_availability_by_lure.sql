-- What can be bought of the lures that are asked for, and of no others. The view used to come from a function that counted the whole
-- shelf whatever was asked, so that a page of one lure cost more with every lure the shop makes. Now a filter reaches the table, and the
-- view names the product: whoever reads lures reads what is left of them in the same call.
create function private.held(variant_id uuid) returns int
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    return coalesce((
      select sum(h.quantity) from public.stock_holds h where h.variant_id = held.variant_id and h.expires_at > now()), 0);
  end
  $$;
comment on function private.held(uuid) is 'Bodies of a variant that are set aside for buyers now. Visitors may know the sum, not the holds.';
grant execute on function private.held(uuid) to anon, authenticated, service_role;

create or replace view public.product_availability with (security_invoker = true) as
  select v.id as variant_id, greatest(0, v.stock_quantity - private.held(v.id)) as available, v.product_id
  from public.product_variants v
  where exists (select from public.products p where p.id = v.product_id and p.status = 'live');
