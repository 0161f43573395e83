import { useRef, useState } from 'react'
import { normalisePostalCode } from '#domain/south-africa.ts'
import type { CheckoutFields } from './checkout-fields.ts'

/** Fills in the province that code and city suggest, for as long as nobody has chosen one by hand. */
export function useProvinceGuess({ typed, change }: CheckoutFields) {
  const [guessed, setGuessed] = useState('')
  const isChosen = useRef(false)
  const isGuess = typed.state !== '' && typed.state === guessed

  /** To be called with what is being typed. */
  async function suggest(now: { zip_code?: string; city?: string }) {
    if (typed.state !== '' && !isGuess) return
    const { zip_code, city } = { ...typed, ...now }
    const { guessProvince } = await import('#domain/province-guess.ts')
    const guess = guessProvince({ postalCode: normalisePostalCode(zip_code), town: city })
    // It may have been chosen by hand while the towns were on their way.
    if (guess === '' || guess === typed.state || isChosen.current) return
    setGuessed(guess)
    change('state', guess)
  }

  return {
    isGuess,
    suggest(now: { zip_code?: string; city?: string }) {
      suggest(now).catch((error: unknown) => console.error('no province was suggested', error))
    },
    choose(province: string) {
      isChosen.current = true
      setGuessed('')
      change('state', province)
    },
  }
}
