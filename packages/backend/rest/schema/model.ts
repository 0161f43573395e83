/** The model of the exposed schemas that planning uses. */

export interface QualifiedName {
  schema: string
  name: string
}

export interface Column {
  name: string
  /** Fully qualified with modifiers, as PostgreSQL prints it. */
  type: string
  default: string | null
}

export interface Relation extends QualifiedName {
  columns: Map<string, Column>
  /** Functions that take a row of this relation and return one value; they can be selected like columns. */
  computedColumns: Set<string>
  /** For a view: the columns with its tables' primary keys. */
  primaryKey: string[]
  isView: boolean
}

/** A column of the origin and the matching column of the other side. */
export interface ColumnPair {
  origin: string
  other: string
}

interface RelationshipEnds {
  origin: QualifiedName
  target: QualifiedName
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
  junction: QualifiedName
  originConstraint: string
  /** Origin column and junction column. */
  originColumns: ColumnPair[]
  targetConstraint: string
  /** Target column and junction column. */
  targetColumns: ColumnPair[]
}

export interface ComputedRelationship extends RelationshipEnds {
  cardinality: 'computed'
  function: QualifiedName
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
  | { kind: 'row'; isSet: boolean; columns: Column[]; relation: QualifiedName | null }

export interface Routine extends QualifiedName {
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
  /** Types allowed after `::` in a select, with their qualified names. */
  castTypes: Map<string, string>
  /** `alter role … set …` of callers' roles: PostgreSQL applies them only at login, which callers skip. */
  roleSettings: Map<string, Record<string, string>>
  /** `pgrst.db_aggregates_enabled` of the role `authenticator` or the database; default false. */
  allowsAggregates: boolean
  /** The transaction that read the catalogue; later changes are missing. */
  readInTransaction: string
}

export function keyOf({ schema, name }: QualifiedName): string {
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
