import { notAcceptable } from '../errors.ts'

export interface MediaType {
  kind: 'array' | 'object' | 'csv'
  stripsNulls: boolean
  contentType: string
}

const JSON_ARRAY: MediaType = {
  kind: 'array',
  stripsNulls: false,
  contentType: 'application/json; charset=utf-8',
}
const OBJECT = 'application/vnd.pgrst.object+json'
const STRIPPED = 'application/vnd.pgrst.array+json'

const JSON_OBJECT: MediaType = {
  kind: 'object',
  stripsNulls: false,
  contentType: `${OBJECT}; charset=utf-8`,
}
const CSV: MediaType = { kind: 'csv', stripsNulls: false, contentType: 'text/csv; charset=utf-8' }

const OFFERED = new Map([
  ['*/*', JSON_ARRAY],
  ['application/*', JSON_ARRAY],
  ['application/json', JSON_ARRAY],
  ['application/vnd.pgrst.array', JSON_ARRAY],
  [STRIPPED, JSON_ARRAY],
  [OBJECT, JSON_OBJECT],
  ['application/vnd.pgrst.object', JSON_OBJECT],
  ['text/csv', CSV],
])

/** Returns the client's preferred available media type. Throws PGRST107 if there is none. */
export function negotiate(accept: string | undefined): MediaType {
  const only = OFFERED.get(accept || '*/*')
  if (only) return only
  const ranges = (accept || '*/*').split(',').map(parseRange)
  const byQuality = ranges.toSorted((left, right) => right.quality - left.quality)
  for (const { type, stripsNulls } of byQuality) {
    const offered = OFFERED.get(type)
    if (!offered) continue
    if (!stripsNulls || offered.kind === 'csv') return offered
    const name = offered.kind === 'object' ? OBJECT : STRIPPED
    return { ...offered, stripsNulls, contentType: `${name};nulls=stripped; charset=utf-8` }
  }
  throw notAcceptable(byQuality.map(({ type }) => type))
}

function parseRange(text: string): { type: string; quality: number; stripsNulls: boolean } {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim())
  const quality = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1)
  return {
    type: type.toLowerCase(),
    quality: Number.isFinite(quality) ? quality : 0,
    stripsNulls: parameters.includes('nulls=stripped'),
  }
}
