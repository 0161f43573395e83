import { LocateFixed } from 'lucide-react'
import { useId } from 'react'
import { Button } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/form/field.tsx'
import { Hint, Row, Text } from '#app/ui/layout.tsx'
import type { Locker } from '#domain/lockers.ts'
import type { CheckoutFields } from './draft.ts'
import styles from './locker-field.module.css'
import { useLockerSearch, type LockerSuggestion } from './use-locker-search.ts'

/**
 * The locker: chosen from the courier's list, which gives the waybill its terminal code, or free text, because the list may
 * lack new lockers.
 */
export function LockerField({ fields: { typed, change, textField, focus } }: { fields: CheckoutFields }) {
  const listId = useId()
  const input = textField('locker_location')
  const search = useLockerSearch({
    query: typed.locker_location,
    onChoose: (text) => change('locker_location', text),
  })
  const { suggestions, active } = search
  /** Lets the arrow keys choose. After a tap the focus would open the phone's keyboard. */
  const focusFrom = (button: Element) => {
    if (button.matches(':focus-visible')) focus('locker_location')
  }
  return (
    <div>
      <TextField
        label="Nearest Locker Location"
        hint="Search by suburb or locker code, or describe where it is, e.g. “Spar, Kenton-on-Sea”."
        required
        autoComplete="off"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={suggestions.length > 0}
        aria-controls={listId}
        aria-activedescendant={suggestions[active] && `${listId}-${active}`}
        {...input}
        onFocus={() => void search.load()}
        onBlur={() => {
          search.close()
          input.onBlur()
        }}
        onChange={(event) => {
          input.onChange(event)
          search.onType()
        }}
        onKeyDown={search.onKeyDown}
      />
      <Suggestions id={listId} suggestions={suggestions} active={active} onChoose={search.choose} />
      <Row columnGap={3} wrap>
        <Button
          look="quiet"
          place="flush"
          onClick={({ currentTarget }) => void search.showNearby(() => focusFrom(currentTarget))}
        >
          <LocateFixed size={18} aria-hidden />
          Lockers near me
        </Button>
        <Hint role="status">{search.message}</Hint>
      </Row>
    </div>
  )
}

interface SuggestionsProps {
  id: string
  suggestions: LockerSuggestion[]
  active: number
  onChoose: (locker: Locker) => void
}

function Suggestions({ id, suggestions, active, onChoose }: SuggestionsProps) {
  return (
    <div
      className={styles.suggestions}
      id={id}
      role="listbox"
      aria-label="Lockers"
      hidden={suggestions.length === 0}
    >
      {suggestions.map(({ locker, kilometres }, position) => (
        // Combobox pattern: the field keeps the focus and handles the keys.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
        <div
          key={locker.code}
          id={`${id}-${position}`}
          role="option"
          aria-selected={position === active}
          className={styles.suggestion}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(locker)}
        >
          <Text as="span" weight={650}>
            {locker.name}{' '}
            <Hint as="span" numeric>
              {locker.code}
            </Hint>
          </Text>
          <Hint as="span">
            {[locker.address, locker.town, locker.postalCode].filter(Boolean).join(', ')}
            {kilometres !== null && ` · ${kilometres.toFixed(1)} km`}
          </Hint>
        </div>
      ))}
    </div>
  )
}
