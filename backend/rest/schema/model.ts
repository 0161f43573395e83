/** What the catalogue says about the exposed schemas, in the words the planner uses. */

export interface Name {
  schema: string
  name: string
}

export interface Column {
  name: string
  /** With its modifiers and fully qualified, as PostgreSQL prints it. */
  type: string
  default: string | null
}

export interface Relation extends Name {
  columns: Map<string, Column>
  /** Functions that take a row of this relation and return one value: they read like a column. */
  computedColumns: Set<string>
  /** Of a view: the columns that show the primary keys of the tables behind it. */
  primaryKey: string[]
  isView: boolean
}

/** A column of the origin and the column of the other side that it equals. */
export interface ColumnPair {
  origin: string
  other: string
}

interface RelationshipEnds {
  origin: Name
  target: Name
  isTargetView: boolean
  isSelf: boolean
}

export interface KeyRelationship extends RelationshipEnds {
  cardinality: 'many-to-one' | 'one-to-many' | 'one-to-one'
  constraint: string
  columns: ColumnPair[]
}

export interface JunctionRelationship extends RelationshipEnds {
  cardinality: 'many-to-many'
  junction: Name
  originConstraint: string
  /** Origin column and junction column. */
  originColumns: ColumnPair[]
  targetConstraint: string
  /** Target column and junction column. */
  targetColumns: ColumnPair[]
}

export interface ComputedRelationship extends RelationshipEnds {
  cardinality: 'computed'
  function: Name
  isToOne: boolean
}

export type Relationship = KeyRelationship | JunctionRelationship | ComputedRelationship

export interface Parameter {
  /** Empty for the single unnamed parameter that takes the whole body. */
  name: string
  type: string
  isRequired: boolean
  isVariadic: boolean
}

export type RoutineResult =
  | { kind: 'void' }
  | { kind: 'scalar'; isSet: boolean }
  | { kind: 'row'; isSet: boolean; columns: Column[]; relation: Name | null }

export interface Routine extends Name {
  parameters: Parameter[]
  volatility: 'immutable' | 'stable' | 'volatile'
  result: RoutineResult
}

export interface Schema {
  relations: Map<string, Relation>
  /** By origin. */
  relationships: Map<string, Relationship[]>
  /** Overloads by name. */
  routines: Map<string, Routine[]>
  /** What may follow `::` in a select, and how PostgreSQL is told. */
  castTypes: Map<string, string>
  /** `alter role … set …` of the roles a caller can have: PostgreSQL applies them at log-in, which a caller never does. */
  roleSettings: Map<string, Record<string, string>>
  /** `pgrst.db_aggregates_enabled` of the role `authenticator` or of the database; off where neither says so. */
  allowsAggregates: boolean
  /** The transaction that read the catalogue: what is younger, this schema does not know. */
  readInTransaction: string
}

export function keyOf({ schema, name }: Name): string {
  return `${schema}.${name}`
}

export function isToOne(relationship: Relationship): boolean {
  switch (relationship.cardinality) {
    case 'many-to-one':
    case 'one-to-one':
      return true
    case 'one-to-many':
    case 'many-to-many':
      return false
    case 'computed':
      return relationship.isToOne
  }
}
