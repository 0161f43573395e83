import type { PlantedFault } from './fault.ts'

const SIGN_OUT = ['app/data/sign-out.test.ts']
const FOLLOW = ['app/data/follow-session.test.ts']
const SECOND_FACTOR = ['app/sign-in/second-factor.test.ts']
const BACKEND = ['app/data/query-backend.test.ts']
const TOASTS = ['app/data/use-toast-mutation.test.ts']

/** The session in the browser, and how pages tell the outcome of a call. */
export const shopperSessionFaults: PlantedFault[] = [
  {
    rule: 'a sign-out keeps the sessions of other devices',
    file: 'app/data/sign-out.ts',
    find: "scope: 'local'",
    replace: "scope: 'global'",
    tests: SIGN_OUT,
  },
  {
    rule: 'a sign-out without a connection leaves no session in the browser',
    file: 'app/data/sign-out.ts',
    find: '  localStore().removeItem(key)\n',
    replace: '',
    tests: SIGN_OUT,
  },
  {
    rule: 'a sign-out that the server refused is not taken for done',
    file: 'app/data/sign-out.ts',
    find: "if (!error) return 'ended'",
    replace: "return 'ended'",
    tests: SIGN_OUT,
  },
  {
    rule: 'this tab notices its own sign-out without a connection',
    file: 'app/data/sign-out.ts',
    find: "  dispatchEvent(new StorageEvent('storage', { key }))\n",
    replace: '',
    tests: SIGN_OUT,
  },
  {
    rule: 'a sign-out waits five seconds at most',
    file: 'app/data/sign-out.ts',
    find: 'const TIMEOUT_MS = 5_000',
    replace: 'const TIMEOUT_MS = 60_000',
    tests: SIGN_OUT,
  },
  {
    rule: 'a late answer to a sign-out cannot end the next person’s session',
    file: 'app/data/sign-out.ts',
    find: "  location.replace('/')\n",
    replace: '',
    tests: SIGN_OUT,
  },
  {
    rule: 'a customer without a connection stays signed in',
    file: 'app/data/follow-session.ts',
    find: "event === 'INITIAL_SESSION' && !session",
    replace: "event === 'SIGNED_OUT' && !session",
    tests: FOLLOW,
  },
  {
    rule: 'a session without its second factor has no role on pages',
    file: 'app/data/follow-session.ts',
    find: 'session?.awaitsFactor ? undefined : session?.user.id',
    replace: 'session?.user.id',
    tests: FOLLOW,
  },
  {
    rule: 'the late role of one user is not given to the next',
    file: 'app/data/follow-session.ts',
    find: 'if (userId === lastUserId && !stopped.signal.aborted) onRole',
    replace: 'if (!stopped.signal.aborted) onRole',
    tests: FOLLOW,
  },
  {
    rule: 'a role is read once for each user',
    file: 'app/data/follow-session.ts',
    find: '    if (userId === lastUserId) return\n    lastUserId',
    replace: '    lastUserId',
    tests: FOLLOW,
  },
  {
    rule: 'a tab follows the sign-out of another',
    file: 'app/data/follow-session.ts',
    find: '(event.key === key || event.key === null) && reportStored()',
    replace: 'event.key === null && reportStored()',
    tests: FOLLOW,
  },
  {
    rule: 'a visitor who only browses loads no client',
    file: 'app/data/follow-session.ts',
    find: '  if (reportStored()) startClient()\n  else if (hasLinkError(location))',
    replace: '  reportStored()\n  startClient()\n  if (hasLinkError(location))',
    tests: FOLLOW,
  },
  {
    rule: 'a page for mailed links explains an expired link itself',
    file: 'app/data/follow-session.ts',
    find: " && !pathname.startsWith('/auth/')",
    replace: '',
    tests: FOLLOW,
  },
  {
    rule: 'a code typed with a space is accepted',
    file: 'app/sign-in/second-factor.ts',
    find: "typed.replaceAll(/\\s/g, '')",
    replace: 'typed',
    tests: SECOND_FACTOR,
  },
  {
    rule: 'the code of the first authenticator app is not overruled by the second',
    file: 'app/sign-in/second-factor.ts',
    find: '    if (problem === null) break\n',
    replace: '',
    tests: SECOND_FACTOR,
  },
  {
    rule: 'a limited attempt is not called a wrong code',
    file: 'app/sign-in/second-factor.ts',
    find: "code === 'over_request_rate_limit' ? TOO_MANY : refused",
    replace: 'refused',
    tests: SECOND_FACTOR,
  },
  {
    rule: 'a lost connection is not called a wrong code',
    file: 'app/sign-in/second-factor.ts',
    find: '    if (code === null && !(error instanceof DOMException)) throw error\n',
    replace: '',
    tests: SECOND_FACTOR,
  },
  {
    rule: 'an error of the backend shows without seven seconds of retries',
    file: 'app/data/query-backend.ts',
    find: 'call.retry?.(false) ?? call',
    replace: 'call',
    tests: BACKEND,
  },
  {
    rule: 'a lost connection is told in words for the reader',
    file: 'app/data/query-backend.ts',
    find: '(status ?? failure.status) === 0 || !failure.message',
    replace: '!failure.message',
    tests: BACKEND,
  },
  {
    rule: 'a lost connection to a server function is told in words for the reader',
    file: 'app/data/query-backend.ts',
    find: " || failure.name === 'FunctionsFetchError'",
    replace: '',
    tests: BACKEND,
  },
  {
    rule: 'lists beyond a thousand rows are read to the end',
    file: 'app/data/query-backend.ts',
    find: 'if (batch.length < BATCH) return rows',
    replace: 'return rows',
    tests: BACKEND,
  },
  {
    rule: 'an error that a form shows is not repeated as a toast',
    file: 'app/data/use-toast-mutation.ts',
    find: 'if (area.isShownByForm(error) || options.isShownByForm?.(error)) return',
    replace: 'if (area.isShownByForm(error)) return',
    tests: TOASTS,
  },
  {
    rule: 'the toast of a change offers to undo it',
    file: 'app/data/use-toast-mutation.ts',
    find: 'action ? { ...shown, action } : shown',
    replace: 'shown',
    tests: TOASTS,
  },
  {
    rule: 'an error toast has the title of its form',
    file: 'app/data/use-toast-mutation.ts',
    find: "errorTitle = 'Error', errorText = error.message } = options",
    replace: "errorTitle = 'Error', errorText = error.message } = { ...options, errorTitle: undefined }",
    tests: TOASTS,
  },
]
