import { useEffect, useRef, useState } from 'react'
import { loadBackend } from '#app/session/backend.ts'
import { useToast } from '#app/ui/toaster.tsx'
import { meetsMinimum, type Promo } from '#domain/pricing.ts'
import { keepPromoCode, readPromoCode } from './draft.ts'
import { askForPromo, minimumText, savedText } from './promo.ts'

/** The promo code of this checkout: typed, refused with a reason, or applied. */
export function usePromo(subtotalCents: number) {
  const toast = useToast()
  const [typed, setTyped] = useState(readPromoCode)
  const [promo, setPromo] = useState<Promo | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const atFirst = useRef({ code: typed, subtotalCents })
  /** Counts what the buyer did with codes; an answer nobody waited for must not undo it. */
  const acts = useRef(0)

  // A code that was applied before the reload is asked for again, without a word when it no longer holds.
  useEffect(() => {
    const { code, subtotalCents: subtotal } = atFirst.current
    if (!code) return
    loadBackend()
      .then((client) => askForPromo(client, { code, subtotalCents: subtotal }))
      .then((answer) => 'promo' in answer && acts.current === 0 && setPromo(answer.promo))
      .catch((failure: unknown) => console.error('the promo code was not checked', failure))
  }, [])

  async function apply() {
    acts.current += 1
    const code = typed.trim().toUpperCase()
    if (!code) {
      setError('Please enter a promo code')
      return
    }
    setIsBusy(true)
    try {
      const answer = await askForPromo(await loadBackend(), { code, subtotalCents })
      if ('promo' in answer) {
        setPromo(answer.promo)
        setError(null)
        keepPromoCode(code)
        toast({ title: 'Promo Code Applied!', description: savedText(answer.promo, subtotalCents) })
      } else {
        setError(answer.reason)
        toast({ title: answer.title, description: answer.reason, tone: 'destructive' })
      }
    } catch (failure) {
      console.error('the promo code was not checked', failure)
      toast({ title: 'Error', description: 'Failed to apply promo code', tone: 'destructive' })
    } finally {
      setIsBusy(false)
    }
  }

  function remove() {
    acts.current += 1
    take(null)
    setTyped('')
    toast({ title: 'Promo Code Removed' })
  }

  /** Takes the code off, with the reason why it does not hold any more. */
  function take(reason: string | null) {
    setPromo(null)
    setError(reason)
    keepPromoCode('')
  }

  /** Its worth may have been changed since it was applied. */
  async function askAgain() {
    if (!promo) return
    const askedAt = acts.current
    const answer = await askForPromo(await loadBackend(), { code: promo.code, subtotalCents })
    if (acts.current !== askedAt) return
    if ('promo' in answer) setPromo(answer.promo)
    else take(answer.reason)
  }

  const holds = promo !== null && meetsMinimum(promo, subtotalCents)
  return {
    typed,
    type(code: string) {
      acts.current += 1
      setTyped(code.toUpperCase())
      setError(null)
    },
    /** The code that counts; a cart that has shrunk below its minimum keeps it, uncounted. */
    promo: holds ? promo : null,
    applied: promo,
    error: promo && !holds ? minimumText(promo) : error,
    isBusy,
    apply,
    remove,
    refuse: take,
    askAgain,
  }
}

export type PromoEntry = ReturnType<typeof usePromo>
