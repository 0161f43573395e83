import type { ClientBase } from 'pg'
import { asBoolean, selectValue } from './select-rows.ts'

/** Whether a database has no schema, table or function. Extensions that a provider installs in each database do not count. */
export function isEmptyDatabase(client: ClientBase): Promise<boolean> {
  return selectValue(client, asBoolean, [
    `with objects (class, object, namespace) as (
       select 'pg_class'::regclass, oid, relnamespace from pg_class
       union all select 'pg_proc'::regclass, oid, pronamespace from pg_proc
       union all select 'pg_namespace'::regclass, oid, oid from pg_namespace where nspname <> 'public'
     )
     select not exists (
       select from objects o join pg_namespace n on n.oid = o.namespace
       where n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
         and not exists (
           select from pg_depend d where d.classid = o.class and d.objid = o.object and d.deptype = 'e')
     )`,
  ])
}
