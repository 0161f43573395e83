import { useMutation, useQueryClient } from '@tanstack/react-query'
import { failureText } from '#app/data/failure-text.ts'
import { queryBackend } from '#app/data/query-backend.ts'
import { replaceData } from '#app/data/query-keys.ts'
import { Form } from '#app/ui/form/form.tsx'
import { useForm } from '#app/ui/form/use-form.ts'
import { Button } from '#app/ui/button.tsx'
import { SelectField, TextField } from '#app/ui/form/field.tsx'
import { ErrorText, Grid, Text } from '#app/ui/layout.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { PROVINCES, parseProvince, formatPhone } from '#domain/south-africa.ts'
import { validateProfile, type StoredProfile, type Profile } from '#domain/validation/profile.ts'
import { useCustomer } from '../account-gate.tsx'
import styles from './profile-form.module.css'

const savingFailure = failureText({
  refused: 'Your details were not saved, but they’re still in the form. Please try again.',
  lost: 'We didn’t get an answer, so your details may already be saved. They’re still in the form. Please try again.',
})

export function ProfileForm({ profile }: { profile: StoredProfile }) {
  const { textField, formProps } = useForm(draftOf(profile), validateProfile)
  const saving = useSaveProfile()

  return (
    <Form
      gap={4}
      align="start"
      className={styles.form}
      {...formProps((values) => saving.isPending || saving.mutate(values))}
    >
      <Text tone="muted">We fill these in for you at checkout. Only your name is required.</Text>
      <TextField label="Full Name" autoComplete="name" required {...textField('full_name')} />
      <TextField label="Phone" type="tel" autoComplete="tel" isOptional {...textField('phone')} />
      <TextField
        label="Street Address"
        hint="Street, number and suburb. Couriers cannot deliver to a PO box."
        autoComplete="street-address"
        isOptional
        {...textField('address')}
      />
      <Grid columns="repeat(auto-fit, minmax(min(220px, 100%), 1fr))" gap={4}>
        <TextField label="City" autoComplete="address-level2" isOptional {...textField('city')} />
        <TextField
          label="Postal Code"
          inputMode="numeric"
          autoComplete="postal-code"
          isOptional
          {...textField('zip_code')}
        />
      </Grid>
      <SelectField label="State/Province" autoComplete="address-level1" isOptional {...textField('state')}>
        <option value="">Choose your province</option>
        {PROVINCES.map((province) => (
          <option key={province} value={province}>
            {province}
          </option>
        ))}
      </SelectField>
      {saving.isError && <ErrorText role="alert">{savingFailure(saving.error)}</ErrorText>}
      <Button type="submit" look="action" size="large" disabled={saving.isPending}>
        {saving.isPending ? 'Saving...' : 'Save my details'}
      </Button>
    </Form>
  )
}

function draftOf(profile: StoredProfile): Profile {
  return {
    full_name: profile.full_name ?? '',
    phone: formatPhone(profile.phone ?? ''),
    address: profile.address ?? '',
    city: profile.city ?? '',
    state: parseProvince(profile.state ?? ''),
    zip_code: profile.zip_code ?? '',
  }
}

function useSaveProfile() {
  const { id } = useCustomer()
  const queries = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: (values: StoredProfile) =>
      queryBackend((backend) => backend.from('profiles').update(values).eq('id', id)),
    onSuccess: (_result, values) => {
      replaceData(queries, ['own-profile', id], values)
      toast({ title: 'Saved', description: 'We’ll fill these in for you at checkout.' })
    },
  })
}
