-- What policies on files ask about a path, and the guard against deleting rows by SQL.
--
-- The functions have the hosted product's names. Every role may call them, because a policy runs as the role that it
-- restricts.

create function storage.foldername(name text) returns text[]
  language sql immutable
  as $$ select (string_to_array(name, '/'))[1:array_length(string_to_array(name, '/'), 1) - 1] $$;

create function storage.filename(name text) returns text
  language sql immutable
  as $$ select (string_to_array(name, '/'))[array_length(string_to_array(name, '/'), 1)] $$;

create function storage.extension(name text) returns text
  language sql immutable
  as $$ select reverse(split_part(reverse(storage.filename(name)), '.', 1)) $$;

create function storage.operation() returns text
  language sql stable
  as $$ select current_setting('storage.operation', true) $$;

-- A row that is deleted by SQL leaves its bytes behind for ever: files are removed through the storage service, which
-- announces itself with this setting.
create function storage.protect_delete() returns trigger
  language plpgsql
  as $$
  begin
    if coalesce(current_setting('storage.allow_delete_query', true), 'false') <> 'true' then
      raise exception 'Direct deletion from storage tables is not allowed. Use the Storage API instead.'
        using errcode = '42501', hint = 'This prevents accidental data loss from orphaned objects.';
    end if;
    return null;
  end
  $$;

create trigger protect_objects_delete before delete on storage.objects
  for each statement execute function storage.protect_delete();
create trigger protect_buckets_delete before delete on storage.buckets
  for each statement execute function storage.protect_delete();

grant execute on function
  storage.foldername(text), storage.filename(text), storage.extension(text), storage.operation(), storage.protect_delete()
  to public;

comment on function storage.foldername(text) is 'The folders of a path, outermost first.';
comment on function storage.filename(text) is 'The last part of a path.';
comment on function storage.extension(text) is 'What follows the last dot of a path''s last part.';
comment on function storage.operation() is 'The storage operation under way, for policies that allow only some.';
comment on function storage.protect_delete() is 'Refuses a delete that does not come from the storage service.';
