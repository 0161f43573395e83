-- The audit log of accounts (auth.audit_log_entries) as the shop uses it: roles are written to it, and admins read the latest
-- entries on the System page.

create or replace function private.audit_role() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    changed public.user_roles := case tg_op when 'DELETE' then old else new end;
  begin
    perform auth.write_audit_entry(
      case tg_op when 'DELETE' then 'role_revoked' else 'role_granted' end, 'user', changed.user_id,
      traits => jsonb_build_object('role', changed.role, 'by', auth.uid()));
    return null;
  end
  $$;
comment on function private.audit_role is 'Writes the roles of staff to the audit log of accounts.';

create or replace trigger audit_granted_role after insert on public.user_roles for each row
  when (new.role <> 'customer') execute function private.audit_role();
create or replace trigger audit_revoked_role after delete on public.user_roles for each row
  when (old.role <> 'customer') execute function private.audit_role();

-- Only the process calls it, as the owner, for the server function show-system.
create or replace function private.latest_account_events()
  returns table (id uuid, action text, email text, detail text, address text, happened_at timestamptz)
  language sql stable
  set search_path = ''
  as $$
    select a.id, a.payload ->> 'action', u.email,
      coalesce(a.payload -> 'traits' ->> 'role', a.payload -> 'traits' ->> 'factor_type'),
      nullif(a.ip_address, ''), a.created_at
    from (select * from auth.audit_log_entries e order by e.created_at desc limit 50) a
    left join auth.users u on u.id = (a.payload ->> 'actor_id')::uuid
    order by a.created_at desc
  $$;
comment on function private.latest_account_events is 'The latest fifty entries of the audit log of accounts, newest first.';
