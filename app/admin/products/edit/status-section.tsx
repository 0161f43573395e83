import { useState } from 'react'
import { Choices } from '#app/ui/form/choices.tsx'
import { DateTimeField } from '../../form/date-time-field.tsx'
import { Panel, Section, Text } from '#app/ui/layout.tsx'
import { momentOf, southAfricanDateTime } from '#domain/south-african-time.ts'
import type { ProductStatus } from '../fields.ts'
import { STATUS_BADGES, statusChange } from '../product.ts'
import { lacksStockForLaunch } from '../launch-stock.ts'
import { PRODUCT_FIELDS } from '#domain/product-fields.ts'
import { PRODUCT_ROW } from './edits.ts'
import type { ProductRecord } from './record.ts'
import type { ProductEditor } from './use-product-editor.ts'

const MEANINGS: Record<ProductStatus, string> = {
  draft: 'Visible to staff only.',
  announced: 'In the shop with a countdown; for sale from its launch.',
  live: 'For sale in the shop.',
  hidden: 'No longer for sale; its page says so.',
}
const STATUSES: ProductStatus[] = ['draft', 'announced', 'live', 'hidden']

export function StatusSection({ record, editor }: { record: ProductRecord; editor: ProductEditor }) {
  const chosen = editor.cell('status')
  // A product that was live may have links to its page, so it can be hidden but never becomes a draft again.
  const offered = STATUSES.filter(
    (status) => status !== 'draft' || !['hidden', 'live'].includes(record.status),
  )

  const isAnnounced = chosen === 'announced'
  const [now] = useState(() => new Date())
  const problems = editor.problems[PRODUCT_ROW]
  const launch = {
    publish_at: editor.cell('publish_at'),
    made_to_order: editor.cell('made_to_order'),
    stock_quantity: record.stock_quantity,
  }

  const choose = (status: ProductStatus) => {
    const { publish_at } = statusChange(status)
    editor.editProduct('status', status)
    if (publish_at === null) editor.editProduct('publish_at', null)
  }
  return (
    <Section title="Visibility" justify="start">
      <Choices legend="Status">
        {offered.map((status) => (
          <label key={status}>
            <input type="radio" name="status" checked={chosen === status} onChange={() => choose(status)} />
            <Text as="span" tone="muted" size="s">
              <Text as="strong" tone="ink">
                {STATUS_BADGES[status].label}
              </Text>{' '}
              {MEANINGS[status]}
            </Text>
          </label>
        ))}
      </Choices>
      {chosen !== 'live' && (
        <DateTimeField
          label={PRODUCT_FIELDS.publish_at.label}
          isOptional={!isAnnounced}
          hint={PRODUCT_FIELDS.publish_at.hint}
          error={problems?.['publish_at'] ?? (isAnnounced ? problems?.['status'] : undefined)}
          value={localTime(launch.publish_at)}
          onValue={(value) => editor.editProduct('publish_at', instant(value, record.publish_at))}
        />
      )}
      {chosen !== 'live' && lacksStockForLaunch(launch, now) && (
        <Panel as="p" kind="warning" size="s" role="status">
          The launch is near and no colour has stock.
        </Panel>
      )}
    </Section>
  )
}

const localTime = (moment: string | null) => (moment === null ? '' : southAfricanDateTime(moment))

/** Returns the database's own text for an unchanged minute, so that it does not count as an edit. */
function instant(local: string, before: string | null): string | null {
  return local !== '' && local === localTime(before) ? before : momentOf(local)
}
