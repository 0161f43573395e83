import { ambiguousRoutine, routineNotFound, type WantedRoutine } from '../schema/errors.ts'
import { keyOf, type Routine, type Schema } from '../schema/model.ts'

/** The overload the argument names choose; without one, the function whose only, unnamed parameter takes the body. */
export function findRoutine(wanted: WantedRoutine, schema: Schema): Routine {
  const overloads = schema.routines.get(keyOf(wanted.name)) ?? []
  const named = overloads.filter((routine) => fitsArguments(routine, wanted))
  const candidates = named.length > 0 ? named : overloads.filter((routine) => takesBody(routine, wanted))
  const [routine, ...others] = candidates
  if (!routine) throw routineNotFound(wanted, schema)
  if (others.length > 0) throw ambiguousRoutine(candidates)
  return routine
}

/** The parameter without a name: it is given the body as it came. */
export function hasUnnamedParameter({ parameters }: Routine): boolean {
  return parameters.length === 1 && parameters[0]?.name === ''
}

function takesBody(routine: Routine, { takesBodyAs }: WantedRoutine): boolean {
  const type = routine.parameters[0]?.type
  return (
    hasUnnamedParameter(routine) && (type === takesBodyAs || (type === 'jsonb' && takesBodyAs === 'json'))
  )
}

function fitsArguments({ parameters }: Routine, { argumentNames, takesBodyAs }: WantedRoutine): boolean {
  if (parameters.length === 0 && takesBodyAs !== null && takesBodyAs !== 'json') return false
  const isKnown = argumentNames.every((name) => parameters.some((parameter) => parameter.name === name))
  return isKnown && parameters.every(({ name, isRequired }) => !isRequired || argumentNames.includes(name))
}
