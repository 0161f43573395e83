import { useState } from 'react'
import { guessProvince } from '#domain/province-guess.ts'
import { normalPostalCode } from '#domain/south-africa.ts'
import type { CheckoutFields } from './checkout-fields.ts'

/** Fills in the province that code and city suggest, for as long as nobody has chosen one by hand. */
export function useProvinceGuess({ typed, change }: CheckoutFields) {
  const [guessed, setGuessed] = useState('')
  const isGuess = typed.state !== '' && typed.state === guessed

  /** To be called with what is being typed. */
  function suggest(now: { zip_code?: string; city?: string }) {
    if (typed.state !== '' && !isGuess) return
    const { zip_code, city } = { ...typed, ...now }
    const guess = guessProvince({ postalCode: normalPostalCode(zip_code), town: city })
    if (guess === '' || guess === typed.state) return
    setGuessed(guess)
    change('state', guess)
  }

  return {
    isGuess,
    suggest,
    choose(province: string) {
      setGuessed('')
      change('state', province)
    },
  }
}
