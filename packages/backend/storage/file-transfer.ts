import { getPath } from 'hono/utils/url'

const DOWNLOADS = /^\/storage\/v1\/(?:object\/(?!info\/[^/]+\/.)[^/]+\/.|render\/image\/)/
const UPLOADS = /^\/storage\/v1\/(?:object\/[^/]+\/.|upload\/resumable(?:\/|$))/
/** Calls by POST whose first segment is no bucket. */
const CALLS = /^\/storage\/v1\/object\/(?:list(?:-v2)?\/[^/]+$|sign\/|upload\/sign\/[^/]+\/.)/

/**
 * Returns whether the file service streams the body of a request or of its response; all others are calls, whose bodies it reads whole.
 * Takes the target of the request line, because the web server decides before the body arrives.
 */
export function fileTransferOf(method = 'GET', target = ''): 'upload' | 'download' | null {
  if (!target.startsWith('/storage/v1/') || !URL.canParse(target, 'http://localhost')) return null
  // As the router sees it: escapes and dot segments could otherwise give a call the address of a file.
  const path = getPath(new Request(new URL(target, 'http://localhost')))
  switch (method) {
    case 'GET':
    case 'HEAD':
      return DOWNLOADS.test(path) ? 'download' : null
    case 'PUT':
    case 'PATCH':
      return UPLOADS.test(path) ? 'upload' : null
    case 'POST':
      return UPLOADS.test(path) && !CALLS.test(path) ? 'upload' : null
    default:
      return null
  }
}
