import { constraintSentence } from './constraint-sentences.ts'

interface RawError {
  message: string
  code?: string
}

/** Messages for SQLSTATEs whose own message is written for developers. */
const SENTENCES: Record<string, string> = {
  '22001': 'One of these texts is too long.',
  '22003': 'One of these numbers is too large.',
  '22007': 'One of these dates is not valid.',
  '22008': 'One of these dates is not valid.',
  '22P02': 'One of these values has the wrong form.',
  '23502': 'A required field is empty.',
  '23503': 'Other records still refer to this one, or it refers to one that is gone.',
  '40001': 'The same record was changed at the same moment. Please try again.',
  '40P01': 'The same record was changed at the same moment. Please try again.',
  '55P03': 'Another change is still being saved. Please try again.',
  '57014': 'The shop took too long to answer. Please try again.',
}

/** PostgreSQL's own access errors. The shop's functions raise 42501 with sentences for the reader. */
const ACCESS_DENIED = /^permission denied|violates row-level security policy/

/** Returns the backend's message for the reader: sentences pass unchanged, PostgreSQL's technical messages are replaced. */
export function errorSentence({ message, code }: RawError): string {
  if (ACCESS_DENIED.test(message)) return 'Your role does not allow this.'
  const isConstraint = code?.startsWith('23') && code !== '23502' && code !== '23503'
  if (isConstraint) return constraintSentence(message) ?? message
  return isRaw(message) ? (SENTENCES[code ?? ''] ?? message) : message
}

/** PostgreSQL's messages begin in lower case and end without a full stop; the shop's own are sentences. */
function isRaw(message: string): boolean {
  return /^[a-z]/.test(message) && !message.endsWith('.')
}
