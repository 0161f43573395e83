/** The index of a camera's largest picture names some hundred extents; a made-up one could name millions in a few bytes. */
const MAX_EXTENTS = 10_000

/**
 * HEIC and AVIF (ISO 23008-12) store metadata as items with an index of file offsets. Overwrites them in place: cutting them
 * out would invalidate the other offsets. Throws a `RangeError` for a damaged index.
 */
export function blankHeif(file: Buffer): Buffer {
  const blanked = Buffer.from(file)
  const meta = findBox(blanked, 'meta', { start: 0, end: blanked.length })
  if (!meta) return blanked
  const inside = { start: meta.start + 4, end: meta.end }
  const privateItems = metadataItemIds(blanked, findBox(blanked, 'iinf', inside))
  const itemData = findBox(blanked, 'idat', inside)
  const places = itemLocations(blanked, findBox(blanked, 'iloc', inside))
  const ranges = places
    .filter(({ item }) => privateItems.has(item))
    .map(({ isInItemData, start, length }) => {
      const from = (isInItemData ? (itemData?.start ?? blanked.length) : 0) + start
      return { start: from, end: Math.min(from + length, blanked.length) }
    })
  fillOnce(blanked, ranges)
  return blanked
}

/** Overwrites each byte once: thousands of extents that overlap in a large file would take minutes. */
function fillOnce(file: Buffer, ranges: Box[]): void {
  let filledTo = 0
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    const from = Math.max(start, filledTo)
    if (from < end) file.fill(0, from, end)
    filledTo = Math.max(filledTo, end)
  }
}

/** The content of a box without its header, or an extent. */
interface Box {
  start: number
  end: number
}

function findBox(file: Buffer, wanted: string, within: Box): Box | null {
  let at = within.start
  while (at + 8 <= within.end) {
    const short = file.readUInt32BE(at)
    const header = short === 1 ? 16 : 8
    if (at + header > within.end) return null
    const length = short === 1 ? Number(file.readBigUInt64BE(at + 8)) : short === 0 ? within.end - at : short
    if (length < header) return null
    if (file.toString('latin1', at + 4, at + 8) === wanted) {
      return { start: at + header, end: Math.min(at + length, within.end) }
    }
    at += length
  }
  return null
}

function metadataItemIds(file: Buffer, iinf: Box | null): Set<number> {
  const items = new Set<number>()
  if (!iinf) return items
  let at = iinf.start + (file.readUInt8(iinf.start) === 0 ? 6 : 8)
  while (at + 20 <= iinf.end) {
    const isWide = file.readUInt8(at + 8) >= 3
    const item = isWide ? file.readUInt32BE(at + 12) : file.readUInt16BE(at + 12)
    const typeAt = at + (isWide ? 18 : 16)
    if (['Exif', 'mime', 'uri '].includes(file.toString('latin1', typeAt, typeAt + 4))) items.add(item)
    at += Math.max(8, file.readUInt32BE(at))
  }
  return items
}

interface ItemLocation {
  item: number
  isInItemData: boolean
  start: number
  length: number
}

function itemLocations(file: Buffer, iloc: Box | null): ItemLocation[] {
  if (!iloc) return []
  let at = iloc.start
  const take = (bytes: number) => {
    const value =
      bytes === 8 ? Number(file.readBigUInt64BE(at)) : bytes === 0 ? 0 : file.readUIntBE(at, bytes)
    at += bytes
    return value
  }
  const version = take(1)
  at += 3
  const sizes = take(1)
  const more = take(1)
  const [offsetSize, lengthSize, baseSize] = [sizes >> 4, sizes & 15, more >> 4]
  const indexSize = version > 0 ? more & 15 : 0
  const places: ItemLocation[] = []
  const count = take(version < 2 ? 2 : 4)
  for (let index = 0; index < count && at < iloc.end; index += 1) {
    const item = take(version < 2 ? 2 : 4)
    const isInItemData = version > 0 && (take(2) & 15) === 1
    at += 2
    const base = take(baseSize)
    const extents = take(2)
    for (let extent = 0; extent < extents && at < iloc.end; extent += 1) {
      if (places.length >= MAX_EXTENTS) throw new RangeError('The HEIF index has too many extents')
      at += indexSize
      const start = base + take(offsetSize)
      places.push({ item, isInItemData, start, length: take(lengthSize) })
    }
  }
  return places
}
