-- Pages are rendered once and kept until what they show changes. Every table that a page reads tells so: one notice for a
-- transaction, sent when it commits, to every process that serves pages. A table that visitors come to read on a page gets
-- this trigger with the migration that makes it (supabase/tests/catalogue-news.test.ts looks).
create function private.tell_catalogue_changed() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  begin
    perform pg_catalog.pg_notify('catalogue_changed', '');
    return null;
  end
  $$;
comment on function private.tell_catalogue_changed() is 'Tells the processes that keep rendered pages to render them again.';

create trigger tell_catalogue_changed after insert or update or delete or truncate on public.products
  for each statement execute function private.tell_catalogue_changed();
create trigger tell_catalogue_changed after insert or update or delete or truncate on public.product_variants
  for each statement execute function private.tell_catalogue_changed();
create trigger tell_catalogue_changed after insert or update or delete or truncate on public.stock_holds
  for each statement execute function private.tell_catalogue_changed();
create trigger tell_catalogue_changed after insert or update or delete or truncate on public.gallery_submissions
  for each statement execute function private.tell_catalogue_changed();

-- One change needs no statement: a hold that expires gives its lures back by the clock alone.
create function private.next_hold_end() returns timestamptz
  language sql stable
  set search_path = ''
  as $$ select min(h.expires_at) from public.stock_holds h where h.expires_at > now() $$;
comment on function private.next_hold_end() is 'When lures come back to the shelf by themselves next; null when none are held.';
