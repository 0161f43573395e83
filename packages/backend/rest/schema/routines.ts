import type { RoutineRow } from './catalogue.ts'
import type { Column, QualifiedName, Parameter, Routine, RoutineResult } from './model.ts'

const VOLATILITIES = { i: 'immutable', s: 'stable', v: 'volatile' } as const

/** Types with which a single unnamed parameter takes the whole body. */
const BODY_TYPES = ['json', 'jsonb', 'text', 'xml', 'bytea']

/** In a cast, `character` and `bit` without a length mean length 1; as parameter types they mean any length. */
const UNBOUNDED: Record<string, string> = { character: 'character varying', bit: 'bit varying' }

/** Returns an empty array for a function that cannot be called with named arguments. */
export function toRoutine(row: RoutineRow, columns: Column[], relation: QualifiedName | null): Routine[] {
  const parameters = row.arguments.map(toParameter)
  const unnamed = parameters.filter(({ name }) => name === '')
  const takesBody = parameters.length === 1 && BODY_TYPES.includes(parameters[0]?.type ?? '')
  if (unnamed.length > 0 && !takesBody) return []

  return [
    {
      schema: row.schema,
      name: row.name,
      parameters,
      volatility: VOLATILITIES[row.volatility],
      result: resultOf(row, columns, relation),
    },
  ]
}

function toParameter({ name, type, isRequired, isVariadic }: RoutineRow['arguments'][number]): Parameter {
  const element = type.replace(/\[\]$/, '')
  return { name, type: (UNBOUNDED[element] ?? element) + type.slice(element.length), isRequired, isVariadic }
}

function resultOf(row: RoutineRow, columns: Column[], relation: QualifiedName | null): RoutineResult {
  if (row.returnsVoid) return { kind: 'void' }
  if (row.returnsRow) return { kind: 'row', isSet: row.isSet, columns, relation }
  return { kind: 'scalar', isSet: row.isSet }
}
