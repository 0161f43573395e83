/** All errors of `/rest/v1`, with PostgREST's codes, statuses and messages. Other modules must not build error bodies. */

export interface ErrorBody {
  code: string
  details: unknown
  hint: string | null
  message: string
}

export class RestError extends Error {
  readonly status: number
  readonly body: ErrorBody
  readonly headers: Record<string, string>

  constructor(status: number, body: Partial<ErrorBody> & Pick<ErrorBody, 'code' | 'message'>, headers = {}) {
    super(body.message)
    this.name = 'RestError'
    this.status = status
    this.body = {
      code: body.code,
      details: body.details ?? null,
      hint: body.hint ?? null,
      message: body.message,
    }
    this.headers = headers
  }
}

/** A name that the schema cache does not contain; the cache may be stale. */
export class NotInSchema extends RestError {}

/** PGRST100: a query parameter that cannot be parsed. `position` counts from one. */
export function parseError(
  what: string,
  text: string,
  { position, details }: { position: number; details: string },
) {
  return new RestError(400, {
    code: 'PGRST100',
    message: `"failed to parse ${what} (${text})" (line 1, column ${position})`,
    details,
  })
}

/** A GET, or a function that is not volatile, tries to write. */
export const writtenByRead = ({ message }: Error) => new RestError(405, { code: '25006', message })

export const invalidBody = (message: string) => new RestError(400, { code: 'PGRST102', message })

export const bodyTooLarge = (limitBytes: number) =>
  new RestError(413, { code: 'PGRST102', message: `The request body is larger than ${limitBytes} bytes` })

export const patternTooLong = (limit: number) =>
  new RestError(400, {
    code: 'PGRST100',
    message: `The search terms of a request may be ${limit} characters long at most`,
  })

export const largeSelect = (excess: string) =>
  new RestError(400, { code: 'PGRST100', message: `A select may not ${excess}` })

export const slowWrite = () =>
  new RestError(400, {
    code: 'PGRST100',
    message: 'A request that writes may not embed rows of other tables, match patterns or search texts',
  })

export const urlTooLong = (limit: number) =>
  new RestError(414, { code: 'PGRST100', message: `The request URL is longer than ${limit} characters` })

export const negativeLimit = () =>
  new RestError(416, {
    code: 'PGRST103',
    message: 'Requested range not satisfiable',
    details: 'Limit should be greater than or equal to zero.',
  })

export const reversedRange = () =>
  new RestError(416, {
    code: 'PGRST103',
    message: 'Requested range not satisfiable',
    details: 'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
  })

export const outOfBounds = (offset: number, total: number) =>
  new RestError(
    416,
    {
      code: 'PGRST103',
      message: 'Requested range not satisfiable',
      details: `An offset of ${offset} was requested, but there are only ${total} rows.`,
    },
    { 'Content-Range': `*/${total}` },
  )

export const rpcMethod = (method: string) =>
  new RestError(405, { code: 'PGRST101', message: `Cannot use the ${method} method on RPC` })

export const schemaNotExposed = (schema: string, exposed: readonly string[]) =>
  new RestError(406, {
    code: 'PGRST106',
    message: `Invalid schema: ${schema}`,
    hint: `Only the following schemas are exposed: ${exposed.join(', ')}`,
  })

export const notAcceptable = (accepted: string[]) =>
  new RestError(406, {
    code: 'PGRST107',
    message: `None of these media types are available: ${accepted.join(', ')}`,
  })

export const notEmbedded = (name: string) =>
  new RestError(400, {
    code: 'PGRST108',
    message: `'${name}' is not an embedded resource in this request`,
    hint: `Verify that '${name}' is included in the 'select' query parameter.`,
  })

export const badResponseHeaders = () =>
  new RestError(500, {
    code: 'PGRST111',
    message:
      'response.headers guc must be a JSON array composed of objects with a single key and a string value',
  })

export const badResponseStatus = () =>
  new RestError(500, { code: 'PGRST112', message: 'response.status guc must be a valid status code' })

export const notSingular = (rows: number) =>
  new RestError(406, {
    code: 'PGRST116',
    message: 'Cannot coerce the result to a single JSON object',
    details: `The result contains ${rows} rows`,
  })

export const unsupportedMethod = (method: string) =>
  new RestError(405, { code: 'PGRST117', message: `Unsupported HTTP method: ${method}` })

export const relatedOrderNotToOne = (origin: string, target: string) =>
  new RestError(400, {
    code: 'PGRST118',
    message: `A related order on '${target}' is not possible`,
    details: `'${origin}' and '${target}' do not form a many-to-one or one-to-one relationship`,
  })

export const badOperatorOnEmbed = (name: string) =>
  new RestError(400, {
    code: 'PGRST120',
    message: `Bad operator on the '${name}' embedded resource`,
    details: 'Only is null or not is null filters are allowed on embedded resources',
  })

export const invalidPreferences = (preferences: string[]) =>
  new RestError(400, {
    code: 'PGRST122',
    message: 'Invalid preferences given with handling=strict',
    details: `Invalid preferences: ${preferences.join(', ')}`,
  })

export const aggregatesOfSpreadRows = () =>
  new RestError(400, {
    code: 'PGRST127',
    message: 'Feature not implemented',
    details: 'Aggregates are not implemented for one-to-many or many-to-many spreads.',
  })
export const aggregatesNotAllowed = () =>
  new RestError(400, { code: 'PGRST123', message: 'Use of aggregate functions is not allowed' })

export const tooManyAffected = (rows: number) =>
  new RestError(400, {
    code: 'PGRST124',
    message: 'Query result exceeds max-affected preference constraint',
    details: `The query affects ${rows} rows`,
  })

export const invalidPath = () =>
  new RestError(404, { code: 'PGRST125', message: 'Invalid path specified in request URL' })

export const noRootSpecification = () =>
  new RestError(404, { code: 'PGRST126', message: 'Root endpoint metadata is disabled' })

export const maxAffectedOnSingleResult = () =>
  new RestError(400, {
    code: 'PGRST128',
    message: 'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
  })

export const columnNotFound = (column: string, relation: string) =>
  new NotInSchema(400, {
    code: 'PGRST204',
    message: `Could not find the '${column}' column of '${relation}' in the schema cache`,
  })

/** PostgreSQL's own error, raised here because statements contain only names from the catalogue. */
export const undefinedColumn = (qualifiedName: string) =>
  new NotInSchema(400, { code: '42703', message: `column ${qualifiedName} does not exist` })

export const repeatedAlias = (alias: string) =>
  new RestError(400, { code: '42712', message: `table name "${alias}" specified more than once` })

export const undefinedType = (name: string) =>
  new NotInSchema(400, { code: '42704', message: `type "${name}" does not exist` })

/** The hosted product loads pg-safeupdate for the same purpose. */
export const whereRequired = (verb: 'UPDATE' | 'DELETE') =>
  new RestError(400, { code: '21000', message: `${verb} requires a WHERE clause` })

/** A bug; the log has the details. */
export const internalError = () => new RestError(500, { code: 'PGRSTX00', message: 'Internal server error' })
