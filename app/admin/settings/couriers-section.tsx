import { Archive, ArchiveRestore, Pencil, Plus } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Row, Stack, Text } from '#app/ui/layout.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { QueryFailure } from '../list/resource-list.tsx'
import { NewCourierForm, useChangeCourier, useCouriers, type Courier } from '../orders/orders.ts'
import { CourierDialog } from './courier-dialog.tsx'
import styles from './people.module.css'
import settingsStyles from './settings.module.css'

/** Couriers are archived, never deleted, because shipped orders refer to them. */
export function CouriersSection() {
  const couriers = useCouriers()
  const [edited, setEdited] = useState<Courier | null>(null)
  const [isAdding, setIsAdding] = useState(false)

  return (
    <div className={settingsStyles.block}>
      {couriers.isPending && <Skeleton height={240} />}
      <QueryFailure what="The couriers" query={couriers} />
      {couriers.data?.length === 0 && <p className={settingsStyles.hint}>No couriers yet.</p>}
      <Stack as="ul" className={styles.people} aria-label="Couriers">
        {couriers.data?.map((courier) => (
          <CourierRow key={courier.id} courier={courier} onEdit={() => setEdited(courier)} />
        ))}
      </Stack>
      {isAdding ? (
        <NewCourierForm onAdded={() => setIsAdding(false)} onCancel={() => setIsAdding(false)} />
      ) : (
        <Button onClick={() => setIsAdding(true)}>
          <Plus size={18} aria-hidden /> Add a courier
        </Button>
      )}
      {edited && <CourierDialog courier={edited} onClose={() => setEdited(null)} />}
    </div>
  )
}

function CourierRow({ courier, onEdit }: { courier: Courier; onEdit: () => void }) {
  const change = useChangeCourier()
  const { name, tracking_url, is_archived } = courier
  const contact = [courier.contact_person, courier.contact_phone].filter(Boolean).join(', ')

  return (
    <Row as="li" gap={3} justify="between" wrap className={styles.person}>
      <div className={styles.identity}>
        <Text as="span" weight={600}>
          {name}
        </Text>
        {contact && <span className={styles.email}>{contact}</span>}
        <span className={styles.email}>
          {tracking_url ?? 'No tracking URL: e-mails have no tracking link'}
        </span>
        {is_archived && (
          <span className={styles.badges}>
            <Badge>Archived</Badge>
          </span>
        )}
      </div>
      <div className={styles.actions}>
        <Button aria-label={`Edit ${name}`} onClick={onEdit}>
          <Pencil size={18} aria-hidden /> Edit
        </Button>
        <Button
          aria-label={`${is_archived ? 'Restore' : 'Archive'} ${name}`}
          disabled={change.isPending}
          onClick={() => change.mutate({ seen: courier, values: { is_archived: !is_archived } })}
        >
          {is_archived ? <ArchiveRestore size={18} aria-hidden /> : <Archive size={18} aria-hidden />}{' '}
          {is_archived ? 'Restore' : 'Archive'}
        </Button>
      </div>
    </Row>
  )
}
