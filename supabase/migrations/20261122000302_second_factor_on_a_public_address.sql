-- On a public address every admin and packer needs a second factor unless the shop decides otherwise: there a password that was
-- guessed or stolen would open everything to anybody. The setting has three states: on, off, and null, which stands for the default
-- of the address the process was started with.
alter table private.shop_rules add column is_public_address boolean not null default false;
comment on column private.shop_rules.is_public_address is 'Whether the shop answers at an address other than the machine''s own; written at every start.';

create function private.set_public_address(is_public boolean) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    update private.shop_rules r set is_public_address = set_public_address.is_public
    where r.is_public_address <> set_public_address.is_public;
  end
  $$;

alter table public.shop_settings alter column requires_second_factor drop default, alter column requires_second_factor drop not null;
comment on column public.shop_settings.requires_second_factor is
  'Nobody administers the shop without having shown a second factor. Null: as the address asks, which is yes on a public one.';

-- Off was the default before. Only an entry in the log shows that it was a choice.
alter table public.shop_settings disable trigger user;
update public.shop_settings s set requires_second_factor = null
where not s.requires_second_factor and not exists (
  select from public.changes c where c.table_name = 'shop_settings' and c.after ? 'requires_second_factor'
    and c.before -> 'requires_second_factor' is distinct from c.after -> 'requires_second_factor');
alter table public.shop_settings enable trigger user;

create function private.requires_second_factor() returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    return (select coalesce(s.requires_second_factor, r.is_public_address) from public.shop_settings s cross join private.shop_rules r);
  end
  $$;
comment on function private.requires_second_factor() is 'Whether staff must have shown a second factor: the one place that knows.';

create or replace function private.holds_role(claims jsonb, wanted text[]) returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    person uuid := claims ->> 'sub';
    aal text := coalesce(claims ->> 'aal', 'aal1');
  begin
    -- Nearly every caller is a customer: that costs one index lookup, and the rest is asked only of the others.
    if not exists (select from public.user_roles r where r.user_id = person and r.role = any (wanted)) then
      return false;
    end if;
    return private.has_live_session(claims)
      and private.has_shown_factors(person, aal)
      and (aal = 'aal2' or not private.requires_second_factor());
  end
  $$;

-- The admin panel leads to enrolment instead of showing empty lists; a session that has ended is led to the sign-in.
create or replace function public.must_add_second_factor() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (select from public.user_roles r where r.user_id = auth.uid() and r.role in ('admin', 'helper'))
      and private.has_live_session(auth.jwt()) and not private.is_staff()
  $$;

-- Who turns it on must have one, also from the default.
create or replace trigger guard_second_factor before update on public.shop_settings
  for each row when (new.requires_second_factor and old.requires_second_factor is distinct from true)
  execute function private.guard_second_factor();

create function public.second_factor_rule() returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    return (select jsonb_build_object('is_required', private.requires_second_factor(), 'is_public_address', r.is_public_address)
      from private.shop_rules r);
  end
  $$;
comment on function public.second_factor_rule() is '{is_required, is_public_address} for the settings page.';
grant execute on function public.second_factor_rule() to authenticated;
