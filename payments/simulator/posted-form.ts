import type { PayfastAccount } from '#payments/payfast/account.ts'
import { formSignature } from '#payments/payfast/form.ts'

export type PostedForm = Record<string, string>

/** Returns PayFast's error message for an invalid form, or null for a valid one. */
export function findProblem(form: PostedForm, account: PayfastAccount, publicUrl: string): string | null {
  const problem =
    merchantProblem(form, account) ??
    (/^\d{1,7}\.\d{2}$/.test(form.amount ?? '')
      ? null
      : 'amount : The amount must be a number with two decimals') ??
    (form.item_name && form.item_name !== '0' ? null : 'item_name : The item name is required') ??
    // PayFast accepts any URL; a simulator that does would be an open redirect and could post to any server (SSRF).
    addressProblem(form, publicUrl) ??
    signatureProblem(form, account)
  return problem && `The supplied variables are not according to specification: ${problem}`
}

function merchantProblem(form: PostedForm, account: PayfastAccount): string | null {
  if (form.merchant_id !== account.merchantId) return 'merchant_id : Merchant id is invalid'
  if (form.merchant_key !== account.merchantKey) return 'merchant_key : Merchant key is invalid'
  return null
}

function addressProblem(form: PostedForm, publicUrl: string): string | null {
  for (const name of ['return_url', 'cancel_url', 'notify_url']) {
    const address = form[name]
    if (!address || !URL.canParse(address)) return `${name} : ${name} must be a valid URL`
    if (new URL(address).origin !== publicUrl) return `${name} : the simulator serves ${publicUrl} only`
  }
  return null
}

function signatureProblem(form: PostedForm, account: PayfastAccount): string | null {
  const expected = formSignature(new Map(Object.entries(form)), account.passphrase)
  return form.signature === expected
    ? null
    : 'signature : Generated signature does not match submitted signature'
}
