-- Two functions that every order asks, with their plans kept (see kept_plans and plans_kept_again); what they say is unchanged.
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

-- A plan for just this row looks cheaper each time than the one for any row, and making it costs ten times what it saves.
alter function private.keep_sales() set plan_cache_mode = 'force_generic_plan';
