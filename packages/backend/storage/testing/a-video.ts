/** Videos of a few hundred bytes with the structure that cameras write: an index that contains the place. */

export const PLACE = '+33.9249+018.4241/'

const text = (value: string) => Buffer.from(value, 'latin1')
const number = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

export function box(type: string, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([number(content.length + 8), text(type), content])
}

function track(handler: string): Buffer {
  const dated = Buffer.concat([Buffer.alloc(4), text('TAKENNOW'), Buffer.alloc(80)])
  return box(
    'trak',
    box('tkhd', dated),
    box('meta', text(PLACE)),
    box('mdia', box('mdhd', dated), box('hdlr', Buffer.alloc(8), text(handler)), box('minf', box('stbl'))),
  )
}

/** `handler` is the type of the second track; the first track is video. */
export function anMp4(handler = 'soun'): Buffer {
  const dated = Buffer.concat([Buffer.alloc(4), text('TAKENNOW'), Buffer.alloc(88)])
  const place = box('udta', box('\u00a9xyz', Buffer.from([0, PLACE.length, 0x15, 0xc7]), text(PLACE)))
  const long = Buffer.concat([number(1), text('mdat'), number(0), number(16 + 6), text('frames')])
  return Buffer.concat([
    box('ftyp', text('isom')),
    box('moov', box('mvhd', dated), track('vide'), track(handler), place),
    long,
    box('uuid', Buffer.alloc(16), text(`<x:xmpmeta>${PLACE}</x:xmpmeta>`)),
  ])
}

export function element(id: number[], content: Buffer, isOpen = false): Buffer {
  const length = isOpen
    ? Buffer.from([0xff])
    : Buffer.from([0x40 | (content.length >> 8), content.length & 0xff])
  return Buffer.concat([Buffer.from(id), length, content])
}

/** `type` is the type of the second track: 2 is sound, 17 subtitles. `isOpen` omits lengths, as browsers do when recording. */
export function aWebm({ type = 2, isOpen = false } = {}): Buffer {
  const entry = (kind: number) => element([0xae], element([0x83], Buffer.from([kind])))
  const info = [
    element([0x2a, 0xd7, 0xb1], Buffer.from([15])),
    element([0x44, 0x61], text('TAKENNOW')),
    element([0x7b, 0xa9], text(PLACE)),
  ]
  const parts = [
    element([0x15, 0x49, 0xa9, 0x66], Buffer.concat(info)),
    element([0x16, 0x54, 0xae, 0x6b], Buffer.concat([entry(1), entry(type)])),
    element([0x1f, 0x43, 0xb6, 0x75], element([0xa3], text('frames')), isOpen),
    element([0x12, 0x54, 0xc3, 0x67], text(PLACE)),
    element([0x19, 0x41, 0xa4, 0x69], text(PLACE)),
  ]
  return Buffer.concat([
    element([0x1a, 0x45, 0xdf, 0xa3], Buffer.alloc(4)),
    element([0x18, 0x53, 0x80, 0x67], Buffer.concat(parts), isOpen),
  ])
}
