-- Functions for policies on files, and the trigger that prevents deleting rows with SQL.
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

-- Deleting a row with SQL would leave its bytes on the disk forever. The storage service, which removes both, sets this setting.
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

comment on function storage.foldername(text) is 'The folders of a path, starting at the root.';
comment on function storage.filename(text) is 'The last part of a path.';
comment on function storage.extension(text) is 'The file extension of a path, without the dot.';
comment on function storage.operation() is 'The current storage operation, for policies that allow only some operations.';
comment on function storage.protect_delete() is 'Refuses a delete that does not come from the storage service.';
