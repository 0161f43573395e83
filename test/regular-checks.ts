/**
 * Returns a common table expression `checks (after)` for SQL: how long after its first check a notice is checked again, for as long as the
 * interval expression says, while PayFast gives no clear answer.
 */
export function regularChecks(period: string): string {
  const next = `after + least(greatest(after, '5 seconds'), '12 hours')`
  return `with recursive checks (after) as (
    select interval '0' union all select ${next} from checks where ${next} <= ${period})`
}
