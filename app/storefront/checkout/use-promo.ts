import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { loadBackend } from '#app/data/backend.ts'
import { useShippingTerms } from '#app/storefront/catalogue/shipping-terms.ts'
import { useToast } from '#app/ui/toaster.tsx'
import { meetsMinimum } from '#domain/pricing.ts'
import { savePromoCode, readPromoCode } from './draft.ts'
import { checkPromoCode, minimumText, savedText, type PromoResult } from './promo.ts'

const NOT_CHECKED = "We couldn't check this code, so the total doesn't include it. Press Apply to try again."

/** The promo code of this checkout: typed, refused or applied. */
export function usePromo(userId: string, subtotalCents: number) {
  const toast = useToast()
  const rates = useShippingTerms()
  const queries = useQueryClient()
  const [typed, setTyped] = useState(() => readPromoCode(userId))
  /** The applied code. After a reload it is the stored one, which is dropped silently when it has become invalid. */
  const [code, setCode] = useState(typed)
  const [error, setError] = useState<string | null>(null)

  const checkOf = (checked: string) =>
    queryOptions({
      queryKey: ['promo-code', checked],
      queryFn: async () => checkPromoCode(await loadBackend(), { code: checked, subtotalCents }),
      retry: false,
    })
  // Each check counts towards the buyer's rate limit. That of a stored code is retried once, because the buyer did not start it.
  const check = useQuery({ ...checkOf(code), enabled: code !== '', staleTime: Infinity, retry: 1 })
  const applied = code !== '' && check.data && 'promo' in check.data ? check.data.promo : null

  const applying = useMutation({
    mutationFn: (entered: string) => queries.fetchQuery(checkOf(entered)),
  })

  function showChecked(result: PromoResult, entered: string) {
    if ('promo' in result) {
      setCode(entered)
      setError(null)
      savePromoCode(userId, entered)
      const description = savedText(result.promo, { subtotalCents, rates })
      toast({ title: 'Promo Code Applied!', description })
    } else {
      setError(result.reason)
      toast({ title: result.title, description: result.reason, tone: 'destructive' })
    }
  }

  function showNotChecked(failure: Error) {
    console.error('the promo code was not checked', failure)
    toast({ title: 'Error', description: 'Failed to apply promo code', tone: 'destructive' })
  }

  /** Removes the code and shows the reason, if any. */
  function drop(reason: string | null) {
    setCode('')
    setError(reason)
    savePromoCode(userId, '')
  }

  const isMet = applied !== null && meetsMinimum(applied, subtotalCents)
  return {
    typed,
    type: (text: string) => {
      setTyped(text.toUpperCase())
      // A late check of the stored or entered code must not replace what the buyer types.
      setCode('')
      applying.reset()
      setError(null)
    },
    /** The code that counts towards the price; `null` below its minimum order. */
    promo: isMet ? applied : null,
    applied,
    error: applied && !isMet ? minimumText(applied) : check.isLoadingError ? NOT_CHECKED : error,
    isBusy: applying.isPending,
    /** No code is being checked: neither the entered one nor the one stored before a reload. */
    isSettled: !check.isLoading && !applying.isPending,
    apply: () => {
      const entered = typed.trim().toUpperCase()
      if (entered) applying.mutate(entered, { onSuccess: showChecked, onError: showNotChecked })
      else setError('Please enter a promo code')
    },
    remove: () => {
      drop(null)
      setTyped('')
      toast({ title: 'Promo Code Removed' })
    },
    refuse: drop,
    /** Validates the applied code again: it may have changed. */
    recheck: async () => {
      const { data: now } = applied ? await check.refetch() : {}
      if (now && !('promo' in now)) drop(now.reason)
    },
  }
}

export type PromoEntry = ReturnType<typeof usePromo>
