import { SelectField, TextField } from '#app/ui/form/field.tsx'
import { PROVINCES } from '#domain/south-africa.ts'
import formStyles from '../form/form-dialog.module.css'

type Part = 'locker_location' | 'address' | 'city' | 'zip_code' | 'state'

interface Props {
  isLocker: boolean
  lockerLabel: string
  /** The option for a missing province. */
  noProvince?: string
  fieldOf: (part: Part) => { value: string; error?: string; onValue: (value: string) => void }
}

/** Where a parcel goes, with the errors of the database. */
export function AddressFields({ isLocker, lockerLabel, noProvince = '', fieldOf }: Props) {
  const state = fieldOf('state')
  const field = (part: Part, label: string) => (
    <TextField label={label} autoComplete="off" {...fieldOf(part)} />
  )
  return (
    <>
      {isLocker && field('locker_location', lockerLabel)}
      {field('address', 'Street Address')}
      <div className={formStyles.pair}>
        {field('city', 'City')}
        {field('zip_code', 'Postal Code')}
      </div>
      <SelectField label="State/Province" {...state}>
        {[...new Set([state.value, ...(noProvince ? [''] : []), ...PROVINCES])].map((province) => (
          <option key={province} value={province}>
            {province || noProvince}
          </option>
        ))}
      </SelectField>
    </>
  )
}
