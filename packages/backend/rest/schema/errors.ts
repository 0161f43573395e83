/** The errors whose hints need the schema: PGRST200 to PGRST205. */

import { NotInSchema, RestError } from '../errors.ts'
import {
  keyOf,
  type ColumnPair,
  type QualifiedName,
  type Relationship,
  type Routine,
  type Schema,
} from './model.ts'
import { mostSimilar } from './similar.ts'

/** High, because a hint may reveal a name that the caller does not know; the others only help with typing errors. */
const NAME_SIMILARITY = 0.75
const LOOSE_SIMILARITY = 0.5
const PARAMETER_SIMILARITY = 0.33

export function tableNotFound(wanted: QualifiedName, { relations }: Schema): RestError {
  const names = [...relations.values()]
    .filter(({ schema }) => schema === wanted.schema)
    .map(({ name }) => name)
  const similar = mostSimilar(wanted.name, names, NAME_SIMILARITY)
  return new NotInSchema(404, {
    code: 'PGRST205',
    message: `Could not find the table '${keyOf(wanted)}' in the schema cache`,
    hint: similar && `Perhaps you meant the table '${wanted.schema}.${similar}'`,
  })
}

export interface RelationshipRequest {
  origin: QualifiedName
  target: string
  hint: string | null
}

export function relationshipNotFound(
  { origin, target, hint }: RelationshipRequest,
  schema: Schema,
): RestError {
  const using = hint === null ? '' : `' using the hint '${hint}`
  return new NotInSchema(400, {
    code: 'PGRST200',
    message: `Could not find a relationship between '${origin.name}' and '${target}' in the schema cache`,
    details: `Searched for a foreign key relationship between '${origin.name}' and '${target}${using}' in the schema '${origin.schema}', but no matches were found.`,
    hint: relationshipHint(origin, target, schema),
  })
}

function relationshipHint(origin: QualifiedName, target: string, { relationships }: Schema): string | null {
  const known = relationships.get(keyOf(origin))
  if (known) {
    const similar = mostSimilar(
      target,
      known.map((relationship) => relationship.target.name),
      LOOSE_SIMILARITY,
    )
    return similar === null || similar === target
      ? null
      : `Perhaps you meant '${similar}' instead of '${target}'.`
  }
  const origins = [...relationships.values()].flatMap(([first]) =>
    first && first.origin.schema === origin.schema ? [first.origin.name] : [],
  )
  const similar = mostSimilar(origin.name, origins, LOOSE_SIMILARITY)
  return similar === null || similar === origin.name
    ? null
    : `Perhaps you meant '${similar}' instead of '${origin.name}'.`
}

export function ambiguousRelationship(
  { origin, target }: RelationshipRequest,
  found: Relationship[],
): RestError {
  const ordered = found.toSorted((left, right) => (sortKey(left) < sortKey(right) ? -1 : 1))
  const suggestions = ordered.map((relationship) => `'${relationship.target.name}!${hintFor(relationship)}'`)
  return new RestError(300, {
    code: 'PGRST201',
    message: `Could not embed because more than one relationship was found for '${origin.name}' and '${target}'`,
    details: ordered.map(describe),
    hint: `Try changing '${target}' to one of the following: ${suggestions.join(', ')}. Find the desired relationship in the 'details' key.`,
  })
}

function sortKey(relationship: Relationship): string {
  const rank = ['one-to-many', 'many-to-one', 'one-to-one', 'many-to-many', 'computed']
  return `${rank.indexOf(relationship.cardinality)}${describe(relationship)['relationship'] ?? ''}`
}

function hintFor(relationship: Relationship): string {
  switch (relationship.cardinality) {
    case 'many-to-many':
      return relationship.junction.name
    case 'computed':
      return relationship.function.name
    case 'many-to-one':
    case 'one-to-many':
    case 'one-to-one':
      return relationship.constraint
  }
}

function describe(relationship: Relationship): Record<string, string> {
  const { origin, target, cardinality } = relationship
  const embedding = `${origin.name} with ${target.name}`
  switch (relationship.cardinality) {
    case 'computed':
      return {}
    case 'many-to-many': {
      const { junction, originConstraint, originColumns, targetConstraint, targetColumns } = relationship
      const sides = `${originConstraint}${others(originColumns)} and ${targetConstraint}${others(targetColumns)}`
      return { cardinality, embedding, relationship: `${junction.name} using ${sides}` }
    }
    case 'many-to-one':
    case 'one-to-many':
    case 'one-to-one': {
      const { constraint, columns } = relationship
      const origins = `(${columns.map((pair) => pair.origin).join(', ')})`
      const using = `${origin.name}${origins} and ${target.name}${others(columns)}`
      return { cardinality, embedding, relationship: `${constraint} using ${using}` }
    }
  }
}

function others(pairs: ColumnPair[]): string {
  return `(${pairs.map(({ other }) => other).join(', ')})`
}

export interface RoutineRequest {
  name: QualifiedName
  argumentNames: string[]
  /** The type of a single unnamed parameter that could take the body; null for GET. */
  takesBodyAs: 'json' | 'text' | 'xml' | 'bytea' | null
}

export function routineNotFound(
  { name, argumentNames, takesBodyAs }: RoutineRequest,
  schema: Schema,
): RestError {
  const isJson = takesBodyAs === null || takesBodyAs === 'json'
  const names = argumentNames.toSorted().join(', ')
  const noArguments = argumentNames.length === 0
  const message = !isJson ? '' : noArguments ? ' without parameters' : `(${names})`
  const parameters = noArguments
    ? ' without parameters'
    : ` with parameter${argumentNames.length > 1 ? 's' : ''} ${names}`
  const orBody = takesBodyAs === 'json' ? ' or with a single unnamed json/jsonb parameter' : ''
  const searched = isJson ? `${parameters}${orBody}` : ` with a single unnamed ${takesBodyAs} parameter`
  return new NotInSchema(404, {
    code: 'PGRST202',
    message: `Could not find the function ${keyOf(name)}${message} in the schema cache`,
    details: `Searched for the function ${keyOf(name)}${searched}, but no matches were found in the schema cache.`,
    hint: isJson ? routineHint(name, argumentNames, schema) : null,
  })
}

function routineHint(name: QualifiedName, argumentNames: string[], { routines }: Schema): string | null {
  const overloads = routines.get(keyOf(name))
  const suggestion = overloads
    ? mostSimilar(
        list(argumentNames),
        overloads.map(({ parameters }) => list(parameters.map((parameter) => parameter.name))),
        PARAMETER_SIMILARITY,
      )
    : mostSimilar(
        name.name,
        [...routines.values()].flatMap(([first]) => (first?.schema === name.schema ? [first.name] : [])),
        NAME_SIMILARITY,
      )
  if (suggestion === null) return null
  return `Perhaps you meant to call the function ${name.schema}.${overloads ? name.name : ''}${suggestion}`
}

function list(names: string[]): string {
  return `(${names.toSorted().join(', ')})`
}

export function ambiguousRoutine(candidates: Routine[]): RestError {
  const ordered = candidates.toSorted(
    (left, right) =>
      left.parameters.length - right.parameters.length ||
      (parameterList(left) < parameterList(right) ? -1 : 1),
  )
  const signatures = ordered.map((routine) => `${keyOf(routine)}(${parameterList(routine)})`)
  return new RestError(300, {
    code: 'PGRST203',
    message: `Could not choose the best candidate function between: ${signatures.join(', ')}`,
    hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
  })
}

function parameterList({ parameters }: Routine): string {
  return parameters.map(({ name, type }) => `${name} => ${type}`).join(', ')
}
