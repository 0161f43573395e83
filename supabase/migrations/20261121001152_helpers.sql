-- Who works in the shop: an admin, who may do everything there is, or a helper, who makes, packs and ships orders, answers messages and looks
-- through photos. A helper sees no client, no payment and no setting, deletes nothing and takes nothing out (decision 0021).
--
-- Every policy and function asks one of two questions: private.is_admin(), as before, or private.is_staff(), which a helper answers too. What
-- is not opened here by name stays the admins': a new table or function is closed to helpers until somebody opens it.
alter table public.user_roles drop constraint unknown_role;
alter table public.user_roles add constraint unknown_role check (role in ('admin', 'helper', 'customer'));
comment on table public.user_roles is 'What a user may be: customer, helper, admin.';

drop trigger record_grant on public.user_roles;
create trigger record_grant after insert or update on public.user_roles
  for each row when (new.role in ('admin', 'helper'))
  execute function private.record_change();
drop trigger record_revocation on public.user_roles;
create trigger record_revocation after delete on public.user_roles
  for each row when (old.role in ('admin', 'helper'))
  execute function private.record_change();

create function private.holds_role(user_id uuid, aal text, wanted text[]) returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    -- Nearly everybody is a customer: that costs one look into an index, and the factors are asked for only of the others.
    if not exists (select from public.user_roles r where r.user_id = holds_role.user_id and r.role = any (wanted)) then
      return false;
    end if;
    return private.has_shown_factors(holds_role.user_id, holds_role.aal)
      and (coalesce(holds_role.aal, 'aal1') = 'aal2' or not (select s.requires_second_factor from public.shop_settings s));
  end
  $$;
comment on function private.holds_role(uuid, text, text[]) is
  'Whether somebody is one of these and has shown what the shop asks for; for callers that hold the claims themselves.';

create or replace function private.is_admin() returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$ begin return private.holds_role(auth.uid(), auth.jwt() ->> 'aal', '{admin}'); end $$;
comment on function private.is_admin() is 'Whether the caller is an admin, as of this statement, and has shown the second factor if there is one.';
drop function private.is_staff(uuid, text);

create function private.is_staff() returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$ begin return private.holds_role(auth.uid(), auth.jwt() ->> 'aal', '{admin,helper}'); end $$;
comment on function private.is_staff() is 'The same for who works here at all: an admin or a helper.';
grant execute on function private.is_staff() to anon, authenticated, service_role;

create function private.require_staff() returns void
  language plpgsql stable
  set search_path = ''
  as $$
  begin
    if not private.is_staff() then
      raise exception 'only who works in the shop may do this' using errcode = 'insufficient_privilege';
    end if;
  end
  $$;

-- The switch that asks a second step of every admin asks it of helpers, too.
create or replace function public.must_add_second_factor() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (select from public.user_roles r where r.user_id = auth.uid() and r.role in ('admin', 'helper'))
      and not private.is_staff()
  $$;
comment on function public.must_add_second_factor() is 'Whether the caller would be let in with a second factor shown.';


-- What a helper reads and writes. A policy is named for whom it lets in.
alter policy select_as_admin on public.orders using (placed_at is not null and (select private.is_staff()));
alter policy select_as_admin on public.orders rename to select_as_staff;
alter policy update_as_admin on public.orders
  using (placed_at is not null and (select private.is_staff()))
  with check (placed_at is not null and (select private.is_staff()));
alter policy update_as_admin on public.orders rename to update_as_staff;
alter policy select_own on public.saved_views using (user_id = (select auth.uid()) and (select private.is_staff()));
alter policy insert_own on public.saved_views with check (user_id = (select auth.uid()) and (select private.is_staff()));
alter policy delete_own on public.saved_views using (user_id = (select auth.uid()) and (select private.is_staff()));
alter policy select_own on public.list_settings using (user_id = (select auth.uid()) and (select private.is_staff()));
alter policy insert_own on public.list_settings with check (user_id = (select auth.uid()) and (select private.is_staff()));
alter policy update_own on public.list_settings
  using (user_id = (select auth.uid()) and (select private.is_staff()))
  with check (user_id = (select auth.uid()) and (select private.is_staff()));
alter policy update_as_admin on public.gallery_submissions
  using ((select private.is_staff())) with check ((select private.is_staff()));
alter policy update_as_admin on public.gallery_submissions rename to update_as_staff;
alter policy select_gallery_photo_as_admin on storage.objects
  using (bucket_id in ('gallery', 'gallery-private') and (select private.is_staff()));
alter policy select_gallery_photo_as_admin on storage.objects rename to select_gallery_photo_as_staff;
alter policy delete_as_admin on public.contact_answers using ((select private.is_staff()));
alter policy delete_as_admin on public.contact_answers rename to delete_as_staff;

do $$
declare
  opened text;
begin
  foreach opened in array array['order_items', 'order_events', 'order_notes', 'courier_companies', 'gallery_submissions',
    'gallery_contacts', 'gallery_verdicts', 'contact_submissions', 'contact_answers']
  loop
    execute format('alter policy select_as_admin on public.%I using ((select private.is_staff()))', opened);
    execute format('alter policy select_as_admin on public.%I rename to select_as_staff', opened);
  end loop;
  foreach opened in array array['order_notes', 'courier_companies', 'contact_answers']
  loop
    execute format('alter policy insert_as_admin on public.%I with check ((select private.is_staff()))', opened);
    execute format('alter policy insert_as_admin on public.%I rename to insert_as_staff', opened);
  end loop;
end
$$;

-- The mails of an order stand on its timeline; the others are between the admins and their clients.
create policy select_of_orders_as_staff on public.mails
  for select to authenticated
  using (not confidential and props ? 'orderId' and (select private.is_staff()));

-- Who wrote a note is said by name: colleagues see each other.
create function private.works_here(account uuid) returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    return exists (select from public.user_roles r where r.user_id = account and r.role in ('admin', 'helper'));
  end
  $$;
comment on function private.works_here(uuid) is 'Whether this account is an admin''s or a helper''s.';
grant execute on function private.works_here(uuid) to anon, authenticated, service_role;
create policy select_colleagues_as_staff on public.profiles
  for select to authenticated
  using ((select private.is_staff() and not private.is_admin()) and private.works_here(id));

-- What a helper calls: these ask who works here, and are otherwise as they were.
do $$
declare
  opened regprocedure;
  definition text;
begin
  foreach opened in array array[
    'public.search_orders(text,int)', 'public.set_status_of_orders(uuid[],text)', 'public.change_delivery(uuid,jsonb,jsonb)',
    'public.guess_courier(text)', 'public.judge_photo(uuid,text,text,text)', 'public.count_waiting_work()']::regprocedure[]
  loop
    definition := pg_catalog.pg_get_functiondef(opened);
    if position('private.require_admin()' in definition) = 0 then
      raise exception '% asks for no admin', opened;
    end if;
    execute replace(definition, 'private.require_admin()', 'private.require_staff()');
  end loop;
end
$$;

-- Of an order's steps only cancelling is not a helper's: money may have to go back.
create or replace function private.guard_order_update() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    me uuid := auth.uid();
    is_admin boolean := me is null or private.is_admin();
  begin
    if not is_admin and (new.tracking_number, new.courier_company_id) is distinct from (old.tracking_number, old.courier_company_id)
      and not private.is_staff() then
      raise exception 'permission denied for the shipping of an order' using errcode = '42501';
    end if;

    if new.status = old.status then
      return new;
    elsif new.status = 'cancelled' then
      -- The shop's own reasons (expired, replaced) come from its functions, whoever's request they run in.
      if not is_admin and new.cancellation_reason is null and old.customer_id is distinct from me and private.is_staff() then
        raise exception 'only an admin cancels somebody''s order' using errcode = '42501';
      end if;
      new.cancelled_at := now();
      new.cancellation_reason := coalesce(new.cancellation_reason, case when is_admin then 'shop' else 'customer' end);
      new.hold_expires_at := null;
      return new;
    elsif new.status in ('pending_payment', 'pending') then
      perform private.refuse(409, 'not_a_step', 'An order cannot be set back to awaiting payment.');
    elsif new.paid_at is null then
      perform private.refuse(409, 'not_paid',
        'This order has not been paid. It moves on by itself once the payment is confirmed; until then it can only be cancelled.');
    end if;

    new.cancelled_at := null;
    new.cancellation_reason := null;
    new.hold_expires_at := null;
    new.expires_at := null;
    return new;
  end
  $$;

-- What a helper changes is in the log as well.
alter table public.changes drop constraint unknown_actor;
alter table public.changes add constraint unknown_actor check (actor in ('admin', 'helper', 'account', 'secret key', 'server'));
comment on column public.changes.actor is 'An admin, a helper, another account, whoever holds the secret key, or a command on the server.';
create or replace function private.acting_as() returns text
  language plpgsql stable
  set search_path = ''
  as $$
  begin
    return case
      when auth.uid() is not null and private.is_staff() then case when private.is_admin() then 'admin' else 'helper' end
      when auth.role() = 'service_role' then 'secret key'
    end;
  end
  $$;
