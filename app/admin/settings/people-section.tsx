import { CircleAlert, ShieldCheck } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { Link } from 'react-router'
import { useSession } from '#app/data/session.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { SelectField, TextField } from '#app/ui/form/field.tsx'
import { Row, Stack, Text } from '#app/ui/layout.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { Role } from '#app/data/staff-role.ts'
import { QueryFailure } from '../list/resource-list.tsx'
import styles from './people.module.css'
import { RoleDialog } from './role-dialog.tsx'
import settingsStyles from './settings.module.css'
import { useStaff, type Colleague, type RoleChange } from './staff.ts'

/** The staff and their roles. New staff first sign up for an account themselves. */
export function PeopleSection() {
  const staff = useStaff()
  const [roleChange, setRoleChange] = useState<RoleChange | null>(null)
  const [email, setEmail] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const close = () => setRoleChange(null)

  return (
    <div className={settingsStyles.block}>
      {staff.isPending && <Skeleton height={88} />}
      <QueryFailure what="The staff list" query={staff} />
      <Stack as="ul" className={styles.people} aria-label="People">
        {staff.data?.map((colleague) => (
          <Person key={colleague.id} colleague={colleague} onChangeRole={setRoleChange} />
        ))}
      </Stack>
      <GrantRoleForm
        email={email}
        problem={problem}
        onType={(typed) => {
          setEmail(typed)
          setProblem(null)
        }}
        onGrant={(role) => setRoleChange({ role, email: email.trim(), colleague: null })}
      />
      {roleChange && (
        <RoleDialog
          roleChange={roleChange}
          onDone={() => {
            if (roleChange.colleague === null) setEmail('')
            close()
          }}
          onRejected={(reason) => {
            setProblem(reason)
            close()
          }}
          onClose={close}
        />
      )}
    </div>
  )
}

const ROLE_NAMES: Record<Role, string> = { admin: 'Admin', packer: 'Packer' }

function Person({
  colleague,
  onChangeRole,
}: {
  colleague: Colleague
  onChangeRole: (roleChange: RoleChange) => void
}) {
  const { user } = useSession()
  const { id, name, email, role, has_second_factor } = colleague
  const other = role === 'admin' ? 'packer' : 'admin'

  return (
    <Row as="li" gap={3} justify="between" wrap className={styles.person}>
      <div className={styles.identity}>
        <Text as={Link} weight={600} to={`/admin/history?who=${id}`}>
          {name}
        </Text>
        {name !== email && <span className={styles.email}>{email}</span>}
        <span className={styles.badges}>
          <Badge>{ROLE_NAMES[role]}</Badge>
          {has_second_factor ? (
            <Badge tone="success">
              <ShieldCheck size={14} aria-hidden /> Second step
            </Badge>
          ) : (
            <Badge tone="warning">
              <CircleAlert size={14} aria-hidden /> Password only
            </Badge>
          )}
        </span>
      </div>
      {id === user?.id ? (
        <div className={styles.actions}>
          <span className={styles.you}>You</span>
          <ButtonLink to="/account/details">
            {name === email ? 'Add your name' : 'Change your name'}
          </ButtonLink>
        </div>
      ) : (
        <div className={styles.actions}>
          <Button
            aria-label={`Make ${name} ${other === 'admin' ? 'an admin' : 'a packer'}`}
            onClick={() => onChangeRole({ role: other, email, colleague })}
          >
            {other === 'admin' ? 'Make admin' : 'Make packer'}
          </Button>
          <Button
            aria-label={`Remove access of ${name}`}
            onClick={() => onChangeRole({ role: 'none', colleague })}
          >
            Remove access
          </Button>
        </div>
      )}
    </Row>
  )
}

interface GrantRoleProps {
  email: string
  problem: string | null
  onType: (email: string) => void
  onGrant: (role: Role) => void
}

function GrantRoleForm({ email, problem, onType, onGrant }: GrantRoleProps) {
  const [role, setRole] = useState<Role>('packer')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onGrant(role)
  }

  return (
    <form className={styles.grant} onSubmit={submit} data-saves-nothing>
      <TextField
        label="E-mail of their account"
        hint="They sign up and confirm their e-mail first."
        type="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
        required
        error={problem}
        value={email}
        onValue={onType}
      />
      <SelectField
        label="Role"
        hint="You’ll see what the role allows before you confirm."
        value={role}
        onValue={(value) => setRole(value === 'admin' ? 'admin' : 'packer')}
      >
        <option value="packer">Packer</option>
        <option value="admin">Admin</option>
      </SelectField>
      <Button type="submit" look="solid" className={styles.submit}>
        Add
      </Button>
    </form>
  )
}
