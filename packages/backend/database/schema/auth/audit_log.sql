-- The audit log of accounts: sign-ins and sign-outs, wrong passwords and second factors, changed factors, addresses and passwords,
-- and new accounts.
--
-- In the shape of the hosted product, but without names: an entry holds the account's id, so nothing about a person remains when
-- the account is deleted, except the network address, which the sweep deletes after a year. Triggers write it, so that no way to
-- change an account escapes; the service writes what they cannot see: wrong passwords and codes change nothing, and a session
-- also ends without a sign-out.

create function auth.write_audit_entry(action text, log_type text, actor uuid, address text default '', traits jsonb default '{}') returns void
  language sql security definer
  set search_path = ''
  as $$
    insert into auth.audit_log_entries (id, payload, created_at, ip_address)
    values (gen_random_uuid(), jsonb_build_object(
      'action', write_audit_entry.action, 'log_type', write_audit_entry.log_type, 'actor_id', write_audit_entry.actor,
      'actor_username', '', 'actor_via_sso', false, 'traits', write_audit_entry.traits),
      clock_timestamp(),
      coalesce(write_audit_entry.address, ''))
  $$;
comment on function auth.write_audit_entry is 'Adds an entry to the audit log of accounts.';
revoke execute on function auth.write_audit_entry from public;
grant execute on function auth.write_audit_entry to postgres;

create function auth.audit_session() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform auth.write_audit_entry('login', 'account', new.user_id, host(new.ip));
    return null;
  end
  $$;
revoke execute on function auth.audit_session from public;
create trigger audit_session after insert on auth.sessions for each row execute function auth.audit_session();

-- A factor counts from its first correct code on. The hosted product has the same names.
create function auth.audit_factor() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if tg_op = 'DELETE' then
      perform auth.write_audit_entry('factor_deleted', 'factor', old.user_id, traits => jsonb_build_object('factor_type', old.factor_type));
    else
      perform auth.write_audit_entry('factor_updated', 'factor', new.user_id, traits => jsonb_build_object('factor_type', new.factor_type));
    end if;
    return null;
  end
  $$;
revoke execute on function auth.audit_factor from public;
create trigger audit_verified_factor after update on auth.mfa_factors for each row
  when (old.status <> 'verified' and new.status = 'verified') execute function auth.audit_factor();
create trigger audit_deleted_factor after delete on auth.mfa_factors for each row
  when (old.status = 'verified') execute function auth.audit_factor();

create function auth.audit_user() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if tg_op = 'INSERT' then
      perform auth.write_audit_entry('user_signedup', 'team', new.id);
      return null;
    end if;
    if new.email is distinct from old.email then
      perform auth.write_audit_entry('user_modified', 'user', new.id, traits => '{"changed": "email"}');
    end if;
    if new.encrypted_password is distinct from old.encrypted_password then
      perform auth.write_audit_entry('user_updated_password', 'user', new.id);
    end if;
    return null;
  end
  $$;
revoke execute on function auth.audit_user from public;
create trigger audit_new_user after insert on auth.users for each row execute function auth.audit_user();
create trigger audit_changed_user after update on auth.users for each row
  when (new.email is distinct from old.email or new.encrypted_password is distinct from old.encrypted_password)
  execute function auth.audit_user();
