import { Archive, ArchiveRestore, Pencil, Plus } from 'lucide-react'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Hint, Row, Stack, Text } from '#app/ui/layout.tsx'
import { DialogButton } from '../form/dialog-button.tsx'
import { Loaded } from '../list/resource-list.tsx'
import { useChangeCourier, useCouriers, type Courier } from '../orders/orders.ts'
import { CourierDialog, NewCourierDialog } from './courier-dialog.tsx'
import styles from './people.module.css'

/** Couriers are archived, never deleted, because shipped orders refer to them. */
export function CouriersSection() {
  return (
    <>
      <Loaded what="The couriers" query={useCouriers()} height={240}>
        {(couriers) =>
          couriers.length === 0 ? (
            <Hint>No couriers yet.</Hint>
          ) : (
            <Stack as="ul" aria-label="Couriers">
              {couriers.map((courier) => (
                <CourierRow key={courier.id} courier={courier} />
              ))}
            </Stack>
          )
        }
      </Loaded>
      <DialogButton renderDialog={(close) => <NewCourierDialog onClose={close} />}>
        <Plus size={18} aria-hidden /> Add a courier
      </DialogButton>
    </>
  )
}

function CourierRow({ courier }: { courier: Courier }) {
  const change = useChangeCourier()
  const { name, tracking_url, is_archived } = courier
  const contact = [courier.contact_person, courier.contact_phone].filter(Boolean).join(', ')
  const Icon = is_archived ? ArchiveRestore : Archive

  return (
    <Row as="li" gap={3} justify="between" wrap className={styles.person}>
      <Stack gap={1} align="start" breakWords className={styles.identity}>
        <Text as="span" weight={600}>
          {name}
        </Text>
        {contact && <Hint as="span">{contact}</Hint>}
        <Hint as="span">{tracking_url ?? 'No tracking URL: e-mails have no tracking link'}</Hint>
        {is_archived && <Badge>Archived</Badge>}
      </Stack>
      <Row gap={2} wrap>
        <DialogButton
          aria-label={`Edit ${name}`}
          renderDialog={(close) => <CourierDialog courier={courier} onClose={close} />}
        >
          <Pencil size={18} aria-hidden /> Edit
        </DialogButton>
        <Button
          aria-label={`${is_archived ? 'Restore' : 'Archive'} ${name}`}
          disabled={change.isPending}
          onClick={() => change.mutate({ seen: courier, values: { is_archived: !is_archived } })}
        >
          <Icon size={18} aria-hidden /> {is_archived ? 'Restore' : 'Archive'}
        </Button>
      </Row>
    </Row>
  )
}
