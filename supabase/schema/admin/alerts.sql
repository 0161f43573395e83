-- Alerts: one mail and one call of the webhook when a component of the shop stops working, and one when it works again.
--
-- The process decides (server/alerts/); the rows make the decision hold across processes and restarts. While the database is
-- away, each process remembers its alerts and writes them here afterwards.

-- Not granted: only the process reads and writes, as the owner. Admins see the rows on the System page, through the server
-- function show-system.
comment on table private.alerts is 'What the owner was alerted about. An open alert has no cleared_at.';
comment on column private.alerts.component is 'The health check, for example database.';
comment on column private.alerts.message is 'One sentence for the owner.';
comment on column private.alerts.action is 'What the owner can do about it.';
comment on column private.alerts.ok_since is 'Since when the component works again, or is only a warning after a failure. After a while the alert is cleared, or becomes a warning.';

-- The lock lasts for the transaction, so that one process at a time decides.
create or replace function private.lock_alerts() returns boolean
  language sql
  set search_path = ''
  as $$ select pg_try_advisory_xact_lock(1634497906) $$;
comment on function private.lock_alerts is 'Whether this transaction may raise and clear alerts.';

-- `earlier`: the more alerts a component had within a day, the longer it must work before the all-clear.
create or replace view private.open_alerts with (security_invoker = true) as
  select a.id, a.component, a.state, a.message, a.action, a.raised_at, a.ok_since,
    (select count(*) from private.alerts e
     where e.component = a.component and e.id <> a.id and e.raised_at > now() - interval '1 day') as earlier
  from private.alerts a
  where a.cleared_at is null;
comment on view private.open_alerts is 'Alerts without an all-clear, and how many others their component had within a day.';

-- Writes an alert that is open, or its new state.
create or replace function private.save_alert(alert jsonb) returns void
  language sql
  set search_path = ''
  as $$
    insert into private.alerts (component, state, message, action, raised_at, ok_since)
    select r.component, r.state, r.message, r.action, r.since, r.ok_since
    from jsonb_to_record(save_alert.alert)
      as r (component text, state text, message text, action text, since timestamptz, ok_since timestamptz)
    on conflict (component) where cleared_at is null do update
      set state = excluded.state, message = excluded.message, action = excluded.action, ok_since = excluded.ok_since
  $$;
comment on function private.save_alert is 'Raises an alert or updates the open one of its component.';

create or replace function private.clear_alert(component text) returns void
  language sql
  set search_path = ''
  as $$
    update private.alerts a set cleared_at = now() where a.component = clear_alert.component and a.cleared_at is null
  $$;
comment on function private.clear_alert is 'Ends the open alert of a component.';
