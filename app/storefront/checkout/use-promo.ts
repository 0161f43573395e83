import { useEffect, useRef, useState } from 'react'
import { loadBackend } from '#app/data/backend.ts'
import { useShippingTerms } from '#app/storefront/catalogue/shipping-terms.ts'
import { useToast } from '#app/ui/toaster.tsx'
import { meetsMinimum, type Promo } from '#domain/pricing.ts'
import { savePromoCode, readPromoCode } from './draft.ts'
import { checkPromoCode, minimumText, savedText } from './promo.ts'

/** The promo code of this checkout: typed, refused or applied. */
export function usePromo(subtotalCents: number) {
  const toast = useToast()
  const rates = useShippingTerms()
  const [typed, setTyped] = useState(readPromoCode)
  const [promo, setPromo] = useState<Promo | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  /** Counts the buyer's edits, so that a late response does not undo them. */
  const edits = useRef(0)

  const isSettled = useStoredCode({ code: typed, subtotalCents }, (stored) => {
    if (edits.current === 0) setPromo(stored)
  })

  async function apply() {
    edits.current += 1
    const code = typed.trim().toUpperCase()
    if (!code) {
      setError('Please enter a promo code')
      return
    }
    setIsBusy(true)
    try {
      const result = await checkPromoCode(await loadBackend(), { code, subtotalCents })
      if ('promo' in result) {
        setPromo(result.promo)
        setError(null)
        savePromoCode(code)
        toast({
          title: 'Promo Code Applied!',
          description: savedText(result.promo, { subtotalCents, rates }),
        })
      } else {
        setError(result.reason)
        toast({ title: result.title, description: result.reason, tone: 'destructive' })
      }
    } catch (failure) {
      console.error('the promo code was not checked', failure)
      toast({ title: 'Error', description: 'Failed to apply promo code', tone: 'destructive' })
    } finally {
      setIsBusy(false)
    }
  }

  function remove() {
    edits.current += 1
    drop(null)
    setTyped('')
    toast({ title: 'Promo Code Removed' })
  }

  /** Removes the code and shows the reason, if any. */
  function drop(reason: string | null) {
    setPromo(null)
    setError(reason)
    savePromoCode('')
  }

  /** Validates the applied code again: it may have changed. */
  async function recheck() {
    if (!promo) return
    const editsBefore = edits.current
    const result = await checkPromoCode(await loadBackend(), { code: promo.code, subtotalCents })
    if (edits.current !== editsBefore) return
    if ('promo' in result) setPromo(result.promo)
    else drop(result.reason)
  }

  const isMet = promo !== null && meetsMinimum(promo, subtotalCents)
  return {
    typed,
    type(code: string) {
      edits.current += 1
      setTyped(code.toUpperCase())
      setError(null)
    },
    /** The code that counts towards the price; `null` below its minimum order. */
    promo: isMet ? promo : null,
    applied: promo,
    error: promo && !isMet ? minimumText(promo) : error,
    isBusy,
    /** The code stored before a reload has been validated. */
    isSettled,
    apply,
    remove,
    refuse: drop,
    recheck,
  }
}

/**
 * Validates the code that was applied before a reload and silently drops an invalid one. Returns true when the outcome is
 * known.
 */
function useStoredCode(
  stored: { code: string; subtotalCents: number },
  onValid: (promo: Promo) => void,
): boolean {
  const initial = useRef({ stored, onValid })
  const [isSettled, setIsSettled] = useState(stored.code === '')

  useEffect(() => {
    const { stored: request, onValid: apply } = initial.current
    if (!request.code) return
    loadBackend()
      .then((client) => checkPromoCode(client, request))
      .then((result) => 'promo' in result && apply(result.promo))
      .catch((failure: unknown) => console.error('the promo code was not checked', failure))
      .finally(() => setIsSettled(true))
  }, [])

  return isSettled
}

export type PromoEntry = ReturnType<typeof usePromo>
