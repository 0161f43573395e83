-- Commits that notify take turns: PostgreSQL holds one lock for the whole server from before such a commit is written to disk until
-- it is. A caller that promises to send its news right after its commit (`announce.later`, set by the data service for calls of
-- functions, which sends the two in one message) is taken at its word; everybody else's news goes with the commit, as before.
-- The names of the channels wait in the session for as long as that takes, and are forgotten with an undone transaction.
create or replace function private.tell_catalogue_changed() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  begin
    if current_setting('announce.later', true) = 'on' then
      perform set_config('announce.channels', concat_ws(',', nullif(current_setting('announce.channels', true), ''), 'catalogue_changed'), false);
    else
      perform pg_catalog.pg_notify('catalogue_changed', '');
    end if;
    return null;
  end
  $$;
