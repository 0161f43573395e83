import { SlidersHorizontal } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Form, useLocation, useNavigate, type Location } from 'react-router'
import { Button } from '#app/ui/button.tsx'
import { Checkbox, SelectField } from '#app/ui/form/field.tsx'
import { Row } from '#app/ui/layout.tsx'
import { hasActiveFilter, type FilterChoices, type CatalogueFilter } from '#domain/catalogue-filter.ts'
import { useLatestLocation } from '#app/ui/use-latest-location.ts'
import styles from './catalogue-filter.module.css'

interface CatalogueFilterFormProps {
  filter: CatalogueFilter
  choices: FilterChoices
  /** The current search, which filtering keeps. */
  query: string
}

/** A GET form: submits on each change, or with a button when scripts are off. */
export function CatalogueFilterForm({ filter, choices, query }: CatalogueFilterFormProps) {
  const navigate = useNavigate()
  const drawn = useLocation()
  const latest = useLatestLocation()
  const { types, lengthsMm, weightsGrams, maxPricesRand } = choices
  const isActive = hasActiveFilter(filter)
  const [startsOpen] = useState(isActive)
  const details = useRef<HTMLDetailsElement>(null)
  // Opens after Back, but never closes: that would hide the field that has the focus when its choice was the only one.
  useEffect(() => {
    if (isActive && details.current) details.current.open = true
  }, [isActive])

  return (
    <details ref={details} className={styles.filter} open={startsOpen}>
      <Row as="summary" inline gap={2} weight={650} className={styles.summary}>
        <SlidersHorizontal size={18} aria-hidden />
        Filter
      </Row>
      <Form
        action="/products"
        className={styles.form}
        aria-label="Filter"
        onChange={({ target }) => {
          // A page that was opened meanwhile has other parameters.
          const opened = latest().pathname === '/products' ? latest() : drawn
          const search = withChoice(opened, target)
          void navigate(`/products${search}`, { preventScrollReset: true })
        }}
      >
        {query && <input type="hidden" name="q" value={query} />}
        <FilterSelect label="Type" name="type" chosen={filter.type}>
          {types.map((type) => ({ value: type, text: type }))}
        </FilterSelect>
        <FilterSelect label="Length" name="length" chosen={filter.lengthMm}>
          {lengthsMm.map((mm) => ({ value: mm, text: `${mm} mm` }))}
        </FilterSelect>
        <FilterSelect label="Weight" name="weight" chosen={filter.weightGrams}>
          {weightsGrams.map((grams) => ({ value: grams, text: `${grams} g` }))}
        </FilterSelect>
        <FilterSelect label="Price" name="price" chosen={filter.maxPriceRand}>
          {maxPricesRand.map((rand) => ({ value: rand, text: `Up to R${rand}` }))}
        </FilterSelect>
        <InStock isChosen={filter.isInStock} />
        <noscript>
          <Button type="submit" look="solid">
            Show
          </Button>
        </noscript>
      </Form>
    </details>
  )
}

interface FilterSelectProps {
  label: ReactNode
  name: string
  chosen: string | number | null
  children: { value: string | number; text: string }[]
}

/** Renders nothing without options. */
function FilterSelect({ label, name, chosen, children }: FilterSelectProps) {
  const select = useRef<HTMLSelectElement>(null)
  // Uncontrolled, but follows the address after Back and Clear.
  useEffect(() => {
    if (select.current) select.current.value = String(chosen ?? '')
  }, [chosen])
  if (children.length === 0) return null
  return (
    <SelectField ref={select} label={label} name={name} defaultValue={chosen ?? ''}>
      <option value="">Any</option>
      {children.map(({ value, text }) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </SelectField>
  )
}

function InStock({ isChosen }: { isChosen: boolean }) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.checked = isChosen
  }, [isChosen])
  return (
    <Row touch>
      <Checkbox ref={box} name="stock" value="in" label="In stock" defaultChecked={isChosen} />
    </Row>
  )
}

/**
 * Returns the search of the address that is being opened, with the choice of a field and its first page. The other fields follow the
 * address only once its page is drawn: theirs may be cleared by now. Leaves out empty fields, because people share the address.
 */
function withChoice(opened: Location, field: EventTarget): string {
  const chosen = new URLSearchParams(opened.search)
  chosen.delete('page')
  if (field instanceof HTMLSelectElement) chosen.set(field.name, field.value)
  else if (field instanceof HTMLInputElement) chosen.set(field.name, field.checked ? field.value : '')
  const named = [...chosen].filter(([, value]) => value !== '')
  return named.length > 0 ? `?${new URLSearchParams(named)}` : ''
}
