import { expect, it } from 'vitest'

import { acceptedType, mayBeAccepted } from './content-sniffer.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')

const CONTENTS: [type: string, start: Buffer][] = [
  ['image/jpeg', bytes('\u00ff\u00d8\u00ff\u00e0')],
  ['image/png', bytes('\u0089PNG\r\n\u001a\n')],
  ['image/gif', bytes('GIF89a')],
  ['image/tiff', bytes('II*\0')],
  ['image/tiff', bytes('MM\0*')],
  ['application/pdf', bytes('%PDF-1.7')],
  ['video/webm', bytes('\u001aE\u00df\u00a3')],
  ['application/zip', bytes('PK\u0003\u0004')],
  ['image/webp', bytes('RIFF....WEBPVP8 ')],
  ['video/x-msvideo', bytes('RIFF....AVI LIST')],
  ['video/quicktime', bytes('....moov')],
  ['video/quicktime', bytes('....mdat')],
  ['video/quicktime', bytes('....wide')],
  ['image/jxl', bytes('....JXL ')],
  ['image/jxl', bytes('\u00ff\n')],
  ['image/jp2', bytes('....jP  ')],
  ['image/vnd.adobe.photoshop', bytes('8BPS')],
  ['image/x-fuji-raf', bytes('FUJIFILMCCD-RAW')],
  ['image/x-olympus-orf', bytes('IIRO')],
  ['image/x-panasonic-rw2', bytes('IIU\0')],
  ['image/avif', bytes('....ftypavif')],
  ['image/avif', bytes('....ftypavis')],
  ['image/heic', bytes('....ftypheic')],
  ['image/heic', bytes('....ftypheix')],
  ['image/heif', bytes('....ftypmif1')],
  ['image/heif', bytes('....ftypmsf1')],
  ['video/mp4', bytes('....ftypisom')],
  ['image/svg+xml', bytes(' <svg xmlns="">')],
  ['image/svg+xml', bytes('<?xml version="1.0"?>\n<SVG>')],
]

it.each(CONTENTS)('recognises %s by its first bytes, whatever type is claimed', (type, start) => {
  expect(acceptedType('image/x-claimed', start, ['image/x-claimed', type])).toBe(type)
  expect(acceptedType('image/x-claimed', start, ['image/x-claimed'])).toBeNull()
  expect(acceptedType('image/x-claimed', start, [type])).toBeNull()
})

it('accepts only text whose type cannot be recognised by the claimed type', () => {
  const text = bytes('Catch of the day, <svg in the middle')

  expect(acceptedType('text/plain; charset=utf-8', text, ['text/plain'])).toBe('text/plain; charset=utf-8')
  expect(acceptedType('image/png', text, ['image/png'])).toBeNull()
  expect(acceptedType('video/mp4', text, ['*/*'])).toBeNull()
  expect(acceptedType('application/pdf', text, ['application/pdf'])).toBeNull()
  expect(acceptedType('application/zip', text, ['application/zip'])).toBeNull()
  expect(acceptedType('application/pdfx', text, ['application/pdfx'])).toBe('application/pdfx')
  expect(acceptedType('not-image/png', text, ['*/*'])).toBe('not-image/png')
})

it('accepts any claimed type in a bucket without a list of types', () => {
  for (const allowed of [null, []]) {
    expect(acceptedType('text/html', bytes('GIF89a'), allowed)).toBe('text/html')
    expect(mayBeAccepted('text/html', allowed)).toBe(true)
  }
})

it.each([
  ['image/png', ['image/png'], true],
  ['IMAGE/PNG ; q=1', ['image/png'], true],
  ['image/png', ['image/*'], true],
  ['image/png', ['*/*'], true],
  ['image/png', ['image/jpeg', 'video/*'], false],
  ['imagex/png', ['image/*'], false],
  ['image/png', ['image/'], false],
  ['', ['image/*'], false],
])('decides whether the type %j may be uploaded to a bucket for %j: %j', (claimed, allowed, isAllowed) => {
  expect(mayBeAccepted(claimed, allowed)).toBe(isAllowed)
})
