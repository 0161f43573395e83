import { useRef, useState } from 'react'
import { normalisePostalCode } from '#domain/south-africa.ts'
import type { CheckoutFields } from './draft.ts'

const importGuess = () => import('#domain/province-guess.ts')

/** For the first focus: a failed load is repeated when postal code or city are typed. */
export function prepareProvinceGuess(): void {
  importGuess().catch(() => undefined)
}

/** Fills in the province from postal code and city until the buyer chooses one. */
export function useProvinceGuess({ typed, change }: CheckoutFields) {
  const [guessed, setGuessed] = useState('')
  const isChosen = useRef(false)
  const isGuess = typed.state !== '' && typed.state === guessed

  /** Call on every change with the new value. */
  async function suggest(now: { zip_code?: string; city?: string }) {
    if (typed.state !== '' && !isGuess) return
    const { zip_code, city } = { ...typed, ...now }
    const { guessProvince } = await importGuess()
    const guess = guessProvince({ postalCode: normalisePostalCode(zip_code), town: city })
    // The buyer may have chosen one while the list of towns loaded.
    if (guess === '' || guess === typed.state || isChosen.current) return
    setGuessed(guess)
    change('state', guess)
  }

  return {
    isGuess,
    suggest(now: { zip_code?: string; city?: string }) {
      suggest(now).catch((error: unknown) => console.error('the province guess failed', error))
    },
    choose(province: string) {
      isChosen.current = true
      setGuessed('')
      change('state', province)
    },
  }
}
