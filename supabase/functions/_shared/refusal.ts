import { z } from 'zod'

/** An expected refusal, answered as `{ code, message }`; anything else that is thrown is a crash. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

type Work<Given> = (request: Request, given: Given) => Promise<Response>

/** Turns refusals, ours and the database's, into answers. */
export function answering<Given>(work: Work<Given>): Work<Given> {
  return async (request, given) => {
    try {
      return await work(request, given)
    } catch (error) {
      const refusal = error instanceof Refusal ? error : refusalOf(error)
      if (!refusal) throw error
      return Response.json({ code: refusal.code, message: refusal.message }, { status: refusal.status })
    }
  }
}

const databaseRefusal = z.object({
  code: z.string().regex(/^PT[45]\d\d$/),
  message: z.string(),
  detail: z.string().optional(),
})

/** SQLSTATE PTxyz is the database's way of refusing with a status (docs/error-codes.md). */
function refusalOf(error: unknown): Refusal | null {
  const raised = databaseRefusal.safeParse(error)
  if (!raised.success) return null
  const { code, message, detail } = raised.data
  return new Refusal(Number(code.slice(2)), detail || code, message)
}

/** The body as the schema wants it. */
export async function readInput<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): Promise<z.infer<Schema>> {
  if (request.method !== 'POST')
    throw new Refusal(405, 'method_not_allowed', 'This function answers POST only.')
  const body: unknown = await request.json().catch(() => {
    throw new Refusal(400, 'invalid_json', 'The body is not JSON.')
  })
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new Refusal(
    400,
    'invalid_input',
    `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'is not valid'}`,
  )
}
