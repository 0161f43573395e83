import { constraintSentence } from './constraint-sentences.ts'
import { SESSION_ENDED } from './function-error-message.ts'

interface RawError {
  message: string
  code?: unknown
  /** A server function's response, whose message the client leaves unread. */
  context?: unknown
}

/** Messages for SQLSTATEs whose own message is written for developers. */
const SENTENCES: Record<string, string> = {
  '22001': 'One of these texts is too long.',
  '22003': 'One of these numbers is too large.',
  '22007': 'One of these dates is not valid.',
  '22008': 'One of these dates is not valid.',
  '22P02': 'One of these values has the wrong form.',
  '23001': 'Other records still refer to this one.',
  '23502': 'A required field is empty.',
  '23503': 'Other records still refer to this one, or it refers to one that is gone.',
  '40001': 'The same record was changed at the same moment. Please try again.',
  '40P01': 'The same record was changed at the same moment. Please try again.',
  '55P03': 'Another change is still being saved. Please try again.',
  '57014': 'The shop took too long to answer. Please try again.',
}

/** The gateway's errors for an invalid or expired token. */
const REFUSED_TOKEN = /^PGRST30[13]$/

/** PostgreSQL's own access errors. The shop's functions raise 42501 with sentences for the reader. */
const ACCESS_DENIED = /^permission denied|violates row-level security policy/

/** Returns the backend's message for the reader: sentences pass unchanged, PostgreSQL's technical messages are replaced. */
export async function errorSentence({ message, code, context }: RawError): Promise<string> {
  if (context instanceof Response) return functionMessage(context, message)
  if (ACCESS_DENIED.test(message)) return 'Your role does not allow this.'
  const sqlState = String(code)
  if (REFUSED_TOKEN.test(sqlState)) return SESSION_ENDED
  const isConstraint = sqlState.startsWith('23') && !(sqlState in SENTENCES)
  if (isConstraint) return constraintSentence(message) ?? message
  return isRaw(message) ? (SENTENCES[sqlState] ?? message) : message
}

async function functionMessage(response: Response, otherwise: string): Promise<string> {
  if (response.status === 401) return SESSION_ENDED
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  const hasMessage = typeof body === 'object' && body !== null && 'message' in body
  return hasMessage ? String(body.message) : otherwise
}

/** PostgreSQL's messages begin in lower case and end without a full stop; the shop's own are sentences. */
function isRaw(message: string): boolean {
  return /^[a-z]/.test(message) && !message.endsWith('.')
}
