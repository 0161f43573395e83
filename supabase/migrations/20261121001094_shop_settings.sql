-- What the brothers decide themselves, without a program or a restart (decision 0015). One row. A figure that is null stands as
-- shop.config.ts has it, in private.shop_rules, which the process writes at every start.
create table public.shop_settings (
  id                     text primary key default 'shop' constraint more_than_one_row check (id = 'shop'),
  shipping_rate          numeric(10,2) constraint impossible_shipping_rate check (shipping_rate between 0 and 10000),
  free_shipping_from     numeric(10,2) constraint impossible_free_shipping_from check (free_shipping_from between 0 and 1000000),
  offers_locker          boolean not null default true,
  requires_second_factor boolean not null default false,
  updated_at             timestamptz not null default now()
);
comment on table public.shop_settings is 'Rates and switches that staff change on the settings page.';
comment on column public.shop_settings.shipping_rate is 'Rand, for either method; null as shop.config.ts says.';
comment on column public.shop_settings.free_shipping_from is 'Rand; a subtotal from which shipping is free. Null as shop.config.ts says.';
comment on column public.shop_settings.requires_second_factor is 'Nobody administers the shop without having shown a second factor.';
create trigger touch_updated_at before update on public.shop_settings
  for each row execute function private.touch_updated_at();
alter table public.shop_settings enable row level security;
alter table public.shop_settings force row level security;

grant select, update (shipping_rate, free_shipping_from, offers_locker, requires_second_factor) on public.shop_settings to authenticated;
create policy select_as_admin on public.shop_settings
  for select to authenticated
  using ((select private.is_admin()));
create policy update_as_admin on public.shop_settings
  for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
-- NOTE: no insert and no delete: there is one row, always. And nothing for the secret key, which could lift the second factor.
insert into public.shop_settings default values;
select private.record_changes_of('public.shop_settings', undoes => '{update}');

-- Pages say what shipping costs.
create trigger tell_catalogue_changed after update on public.shop_settings
  for each statement execute function private.tell_catalogue_changed();

create type private.terms as (shipping_rate numeric(10,2), free_shipping_from numeric(10,2), offers_locker boolean);
create function private.shipping_terms() returns private.terms
  language sql stable
  set search_path = ''
  as $$
    select (coalesce(s.shipping_rate, r.shipping_rate), coalesce(s.free_shipping_from, r.free_shipping_from), s.offers_locker)::private.terms
    from private.shop_rules r cross join public.shop_settings s
  $$;
comment on function private.shipping_terms() is 'What shipping costs and which ways are offered: the one place that knows.';

create function public.shop_terms() returns jsonb
  language sql stable security definer
  set search_path = ''
  as $$ select to_jsonb(private.shipping_terms()) $$;
comment on function public.shop_terms() is '{shipping_rate, free_shipping_from, offers_locker}, as every page may say.';
grant execute on function public.shop_terms() to anon, authenticated, service_role;

create or replace function private.price_for(subtotal numeric, promo public.promo_codes) returns private.price
  language sql stable
  set search_path = ''
  as $$
    select (subtotal, shipping, discount, greatest(0, subtotal + shipping - discount))::private.price
    from (
      select
        case
          when coalesce(promo.free_shipping, false) or subtotal >= t.free_shipping_from then 0
          else t.shipping_rate
        end as shipping,
        case promo.discount_type
          when 'percentage' then round(subtotal * promo.discount_value / 100, 2)
          when 'fixed' then promo.discount_value
          else 0
        end as discount
      from private.shipping_terms() t
    ) as parts
  $$;

-- A locker that is not offered is not ordered; staff who write an order by hand know better.
create function private.refuse_method_not_offered() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if new.shipping_method = 'locker' and auth.uid() is not null
      and not (private.shipping_terms()).offers_locker and not private.is_admin() then
      perform private.refuse(422, 'invalid_delivery', 'Please check all required fields',
        '{"shipping_method": "Lockers are not offered at the moment. Please choose door-to-door."}');
    end if;
    return new;
  end
  $$;
create trigger refuse_method_not_offered before insert on public.orders
  for each row execute function private.refuse_method_not_offered();
