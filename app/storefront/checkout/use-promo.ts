import { useEffect, useRef, useState } from 'react'
import { loadBackend } from '#app/session/backend.ts'
import { useShippingTerms } from '#app/storefront/shipping-terms.ts'
import { useToast } from '#app/ui/toaster.tsx'
import { meetsMinimum, type Promo } from '#domain/pricing.ts'
import { keepPromoCode, readPromoCode } from './draft.ts'
import { askForPromo, minimumText, savedText } from './promo.ts'

/** The promo code of this checkout: typed, refused with a reason, or applied. */
export function usePromo(subtotalCents: number) {
  const toast = useToast()
  const rates = useShippingTerms()
  const [typed, setTyped] = useState(readPromoCode)
  const [promo, setPromo] = useState<Promo | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  /** Counts what the buyer did with codes; an answer nobody waited for must not undo it. */
  const acts = useRef(0)

  const isSettled = useKeptCode({ code: typed, subtotalCents }, (kept) => {
    if (acts.current === 0) setPromo(kept)
  })

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
        toast({
          title: 'Promo Code Applied!',
          description: savedText(answer.promo, { subtotalCents, rates }),
        })
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
    /** The code kept from before a reload has been checked. */
    isSettled,
    apply,
    remove,
    refuse: take,
    askAgain,
  }
}

/**
 * Validates the code that was applied before a reload, and drops it without a word when it no longer holds. Answers whether the
 * outcome is known.
 */
function useKeptCode(
  kept: { code: string; subtotalCents: number },
  onHolds: (promo: Promo) => void,
): boolean {
  const atFirst = useRef({ kept, onHolds })
  const [isSettled, setIsSettled] = useState(kept.code === '')

  useEffect(() => {
    const { kept: asked, onHolds: apply } = atFirst.current
    if (!asked.code) return
    loadBackend()
      .then((client) => askForPromo(client, asked))
      .then((answer) => 'promo' in answer && apply(answer.promo))
      .catch((failure: unknown) => console.error('the promo code was not checked', failure))
      .finally(() => setIsSettled(true))
  }, [])

  return isSettled
}

export type PromoEntry = ReturnType<typeof usePromo>
