import { ambiguousRoutine, routineNotFound, type RoutineRequest } from '../schema/errors.ts'
import { keyOf, type Routine, type Schema } from '../schema/model.ts'

/** Returns the overload that the argument names match, otherwise the one whose single unnamed parameter takes the body. Throws PGRST202/203. */
export function findRoutine(request: RoutineRequest, schema: Schema): Routine {
  const overloads = schema.routines.get(keyOf(request.name)) ?? []
  const named = overloads.filter((routine) => fitsArguments(routine, request))
  const candidates = named.length > 0 ? named : overloads.filter((routine) => takesBody(routine, request))
  const [routine, ...others] = candidates
  if (!routine) throw routineNotFound(request, schema)
  if (others.length > 0) throw ambiguousRoutine(candidates)
  return routine
}

/** Whether the single parameter is unnamed; it gets the raw body. */
export function hasUnnamedParameter({ parameters }: Routine): boolean {
  return parameters.length === 1 && parameters[0]?.name === ''
}

function takesBody(routine: Routine, { takesBodyAs }: RoutineRequest): boolean {
  const type = routine.parameters[0]?.type
  return (
    hasUnnamedParameter(routine) && (type === takesBodyAs || (type === 'jsonb' && takesBodyAs === 'json'))
  )
}

function fitsArguments({ parameters }: Routine, { argumentNames, takesBodyAs }: RoutineRequest): boolean {
  if (parameters.length === 0 && takesBodyAs !== null && takesBodyAs !== 'json') return false
  const isKnown = argumentNames.every((name) => parameters.some((parameter) => parameter.name === name))
  return isKnown && parameters.every(({ name, isRequired }) => !isRequired || argumentNames.includes(name))
}
