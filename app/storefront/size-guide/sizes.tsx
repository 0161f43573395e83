import { Link } from 'react-router'
import { shop } from '#shop'
import { productPath } from '../paths.ts'
import type { MeasuredLure } from './measured-lure.ts'
import { SizeTable, type SizeRow } from './size-table.tsx'

const namedSizes: SizeRow[] = shop.sizes.map(({ name, lengthMm }) => ({ key: name, name, lengthMm }))

/** What small, medium and large mean, and what each lure measures, drawn to one scale. */
export function Sizes({ lures }: { lures: MeasuredLure[] }) {
  const lureRows = lures.toSorted((one, other) => one.lengthMm - other.lengthMm).map(rowOf)
  const scaleMm = Math.max(...[...namedSizes, ...lureRows].map(({ lengthMm }) => lengthMm))
  return (
    <>
      <SizeTable caption="Our size names" nameColumn="Size" rows={namedSizes} scaleMm={scaleMm} />
      {lureRows.length > 0 && (
        <SizeTable caption="Our lures" nameColumn="Lure" rows={lureRows} scaleMm={scaleMm} />
      )}
    </>
  )
}

function rowOf({ slug, name, lengthMm, weightGrams, hookSize }: MeasuredLure): SizeRow {
  const more = [weightGrams && `${weightGrams}\u00a0g`, hookSize && `${hookSize} hooks`]
  return {
    key: slug,
    name: <Link to={productPath({ slug })}>{name}</Link>,
    lengthMm,
    more: more.filter(Boolean).join(', '),
  }
}
