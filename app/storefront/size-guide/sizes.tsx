import { Link } from 'react-router'
import { Stack, Text } from '#app/ui/layout.tsx'
import { shop } from '#shop'
import { productPath } from '../paths.ts'
import { sizeOf, type MeasuredLure } from '../catalogue/measured-lure.ts'
import { SizeTable, type SizeRow } from './size-table.tsx'

const namedSizes: SizeRow[] = shop.sizes.map(({ name, lengthMm }) => ({
  key: name,
  name,
  lengthMm,
  shape: 'bar',
}))

export function Sizes({ lures }: { lures: MeasuredLure[] }) {
  const lureRows = lures.toSorted((one, other) => one.lengthMm - other.lengthMm).map(rowOf)
  const scaleMm = Math.max(...[...namedSizes, ...lureRows].map(({ lengthMm }) => lengthMm))
  return (
    <>
      <SizeTable caption="Our size names" nameColumn="Size" rows={namedSizes} scaleMm={scaleMm} />
      {lureRows.length > 0 && (
        <Stack gap={4}>
          <SizeTable caption="Our lures" nameColumn="Lure" rows={lureRows} scaleMm={scaleMm} />
          <Text tone="muted" measure={62}>
            Each lure has its own length. Our size names are reference points for comparison.
          </Text>
        </Stack>
      )}
    </>
  )
}

function rowOf({ slug, name, lengthMm, shape, weightGrams, hookSize }: MeasuredLure): SizeRow {
  const more = [weightGrams && `${weightGrams}\u00a0g`, hookSize && `${hookSize} hooks`, sizeOf(lengthMm)]
  return {
    key: slug,
    name: <Link to={productPath({ slug })}>{name}</Link>,
    lengthMm,
    shape,
    more: more.filter(Boolean).join(', '),
  }
}
