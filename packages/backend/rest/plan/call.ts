import type { Payload } from '../request/payload.ts'
import type { Parameter, Routine } from '../schema/model.ts'
import { bind, fromCatalogue, identifier, internal, list, nothing, sql, type Sql } from '../sql.ts'
import { arrayLiteral } from './filter.ts'
import { payloadRows } from './payload-rows.ts'

/** Arguments from the query string, from the keys of a JSON body, or the body itself. */
export type CallArguments =
  | { kind: 'texts'; values: [name: string, value: string][] }
  | { kind: 'json'; payload: Payload }
  | { kind: 'body'; text: string | null }

export interface CallPlan {
  routine: Routine
  arguments: CallArguments
  /** The columns that the response needs. */
  returning: Sql
}

export function callRoutine({ routine, arguments: callArguments, returning }: CallPlan): Sql {
  const name = identifier(routine.schema, routine.name)
  const { from, values } = argumentsOf(routine, callArguments)
  if (routine.result.kind !== 'row') {
    const source = from.isEmpty ? nothing : sql` from ${from}`
    return sql`select ${name}(${values}) as ${identifier(SCALAR)}${source}`
  }
  const lateral = from.isEmpty ? nothing : sql`${from}, lateral `
  return sql`select ${returning} from ${lateral}${name}(${values}) as ${CALL_ALIAS}`
}

/** The alias of the function's rows in `returning`. */
export const CALL_ALIAS = internal('result')

/** The only column of a scalar result. PostgREST's name, which clients may select and filter by. */
export const SCALAR = 'pgrst_scalar'

const ARGUMENTS = internal('arguments')

function argumentsOf({ parameters }: Routine, callArguments: CallArguments): { from: Sql; values: Sql } {
  switch (callArguments.kind) {
    case 'body': {
      const type = parameters[0]?.type ?? 'json'
      return { from: nothing, values: sql`${bind(callArguments.text)}::${fromCatalogue(type)}` }
    }
    case 'texts': {
      const named = parameters.flatMap((parameter) => textArgument(parameter, callArguments.values))
      return { from: nothing, values: list(named) }
    }
    case 'json': {
      const { payload } = callArguments
      const named = parameters.filter(({ name }) => payload.keys.includes(name))
      if (named.length === 0) return { from: nothing, values: nothing }
      const columns = named.map(({ name, type }) => ({ name, type, default: null }))
      const first = { payload, columns, alias: ARGUMENTS, fillsDefaults: false }
      const from = payload.isArray
        ? sql`(select * from ${payloadRows(first)} limit 1) as ${ARGUMENTS}`
        : payloadRows(first)
      return {
        from,
        values: list(
          named.map((parameter) => assign(parameter, sql`${ARGUMENTS}.${identifier(parameter.name)}`)),
        ),
      }
    }
  }
}

function textArgument(parameter: Parameter, values: [string, string][]): Sql[] {
  const texts = values.filter(([name]) => name === parameter.name).map(([, value]) => value)
  const last = texts.at(-1)
  if (last === undefined) return []
  const value = bind(parameter.isVariadic ? arrayLiteral(texts) : last)
  return [assign(parameter, sql`${value}::${fromCatalogue(parameter.type)}`)]
}

function assign({ name, isVariadic }: Parameter, value: Sql): Sql {
  const named = sql`${identifier(name)} := ${value}`
  return isVariadic ? sql`variadic ${named}` : named
}
