import type { FilterTree } from '../request/filter.ts'
import type { Relation } from '../schema/model.ts'
import { identifier, list, sql, type Sql } from '../sql.ts'
import type { ReadNode } from './read-tree.ts'

/** The columns that a write must return for the response: the selected ones and those of its joins. */
export interface Returning {
  columns: Sql
  root: ReadNode
}

export function returningFor(root: ReadNode, relation: Relation): Returning {
  const fieldNames = new Set([
    ...root.fields.map(({ field }) => field.name),
    ...root.order.flatMap(({ relation: embed, field }) => (embed === null ? [field.name] : [])),
    ...root.embeds.flatMap(joinColumns),
    ...root.filters.flatMap(filteredColumns),
  ])
  const computed = [...fieldNames].filter((name) => relation.computedColumns.has(name))
  const needsAll =
    root.selectsAll || root.embeds.some(({ relationship }) => relationship.cardinality === 'computed')
  const item = (name: string) => sql`${root.alias}.${identifier(name)} as ${identifier(name)}`
  if (!needsAll) {
    const known = [...fieldNames].filter(
      (name) => relation.columns.has(name) || relation.computedColumns.has(name),
    )
    return { columns: known.length > 0 ? list(known.map(item)) : sql`1`, root }
  }
  const columns = list([sql`${root.alias}.*`, ...computed.map(item)])
  return { columns, root: root.selectsAll && computed.length > 0 ? withoutStar(root, relation) : root }
}

/** Replaces `*` by the columns: with a computed column in the returned rows, `*` would output it twice. */
function withoutStar(root: ReadNode, relation: Relation): ReadNode {
  const all = [...relation.columns.keys()].map((name) => ({
    kind: 'field' as const,
    field: { name, path: [] },
    cast: null,
    alias: null,
    aggregate: null,
  }))
  return { ...root, selectsAll: false, fields: [...all, ...root.fields] }
}

function filteredColumns(filter: FilterTree): string[] {
  return filter.kind === 'group' ? filter.members.flatMap(filteredColumns) : [filter.field.name]
}

function joinColumns({ relationship }: ReadNode['embeds'][number]): string[] {
  switch (relationship.cardinality) {
    case 'computed':
      return []
    case 'many-to-many':
      return relationship.originColumns.map(({ origin }) => origin)
    case 'many-to-one':
    case 'one-to-many':
    case 'one-to-one':
      return relationship.columns.map(({ origin }) => origin)
  }
}
