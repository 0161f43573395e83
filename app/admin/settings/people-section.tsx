import { CircleAlert, ShieldCheck } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { Link } from 'react-router'
import { useSession } from '#app/data/session.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { SelectField, TextField } from '#app/ui/form/field.tsx'
import { Hint, Row, Stack, Text } from '#app/ui/layout.tsx'
import type { Role } from '#app/data/staff-role.ts'
import { Loaded } from '../list/resource-list.tsx'
import styles from './people.module.css'
import { RoleDialog } from './role-dialog.tsx'
import { useStaff, type Colleague, type RoleChange } from './staff.ts'

/** The staff and their roles. New staff first sign up for an account themselves. */
export function PeopleSection() {
  const [roleChange, setRoleChange] = useState<RoleChange | null>(null)
  const [email, setEmail] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const close = () => setRoleChange(null)

  return (
    <>
      <Loaded what="The staff list" query={useStaff()} height={88}>
        {(staff) => (
          <Stack as="ul" aria-label="People">
            {staff.map((colleague) => (
              <Person key={colleague.id} colleague={colleague} onChangeRole={setRoleChange} />
            ))}
          </Stack>
        )}
      </Loaded>
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
    </>
  )
}

const ROLE_NAMES: Record<Role, string> = { admin: 'Admin', packer: 'Packer' }

interface PersonProps {
  colleague: Colleague
  onChangeRole: (roleChange: RoleChange) => void
}

function Person({ colleague, onChangeRole }: PersonProps) {
  const { user } = useSession()
  const { id, name, email, role, has_second_factor } = colleague
  const other = role === 'admin' ? 'packer' : 'admin'

  return (
    <Row as="li" gap={3} justify="between" wrap className={styles.person}>
      <Stack gap={1} align="start" breakWords className={styles.identity}>
        <Text as={Link} weight={600} to={`/admin/history?who=${id}`}>
          {name}
        </Text>
        {name !== email && <Hint as="span">{email}</Hint>}
        <Row as="span" gap={2} wrap>
          <Badge>{ROLE_NAMES[role]}</Badge>
          {has_second_factor ? (
            <Badge icon={ShieldCheck} tone="success" label="Second step" />
          ) : (
            <Badge icon={CircleAlert} tone="warning" label="Password only" />
          )}
        </Row>
      </Stack>
      {id === user?.id ? (
        <Row gap={2} wrap>
          <Hint as="span">You</Hint>
          <ButtonLink to="/account/details">
            {name === email ? 'Add your name' : 'Change your name'}
          </ButtonLink>
        </Row>
      ) : (
        <Row gap={2} wrap>
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
        </Row>
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
