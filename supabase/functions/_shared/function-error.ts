import { z } from 'zod'
import type { FunctionResults } from '#domain/function-results.ts'
import type { FunctionContext } from './function-context.ts'

/** An expected error, sent as `{ code, message }`; any other exception is a crash. */
export class FunctionError extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

type Handler<Result> = (request: Request, context: FunctionContext) => Promise<Result>

/** Sends the handler's result as JSON; a thrown `FunctionError` or expected database error becomes an error response. */
export function withErrorResponse<Name extends keyof FunctionResults>(
  handle: Handler<FunctionResults[Name]>,
): Handler<Response> {
  return async (request, context) => {
    try {
      return Response.json(await handle(request, context))
    } catch (error) {
      const known = error instanceof FunctionError ? error : fromDatabase(error)
      if (!known) throw error
      return Response.json({ code: known.code, message: known.message }, { status: known.status })
    }
  }
}

const databaseErrorSchema = z.object({
  code: z.string().regex(/^PT[45]\d\d$/),
  message: z.string(),
  detail: z.string().optional(),
})

/** SQLSTATE PTxyz carries the HTTP status xyz (docs/error-codes.md). */
function fromDatabase(error: unknown): FunctionError | null {
  const raised = databaseErrorSchema.safeParse(error)
  if (!raised.success) return null
  const { code, message, detail } = raised.data
  return new FunctionError(Number(code.slice(2)), detail || code, message)
}

/** Returns the parsed body. Throws `FunctionError` 405 unless the method is POST, 400 for invalid input. */
export async function readInput<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): Promise<z.infer<Schema>> {
  if (request.method !== 'POST')
    throw new FunctionError(405, 'method_not_allowed', 'This function accepts only POST requests.')
  const body: unknown = await request.json().catch(() => {
    throw new FunctionError(400, 'invalid_json', 'The body is not JSON.')
  })
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new FunctionError(
    400,
    'invalid_input',
    `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'is not valid'}`,
  )
}
