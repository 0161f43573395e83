/**
 * Money is counted in integer cents. The database stores rand with two decimals (`numeric(10,2)`), which JSON
 * carries as numbers; they are converted here.
 */

/** Converts rand (`400`, `"1234.5"`, `"R1 234.50"`) to cents. Returns `null` for anything that is not an amount. */
export function parseRand(amount: number | string): number | null {
  const text = String(amount).replace(/[R\s\u00a0]/g, '')
  const match = /^(-?)(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text)
  if (!match) return null
  const [, sign, rand, fraction = ''] = match
  const cents = Number(rand) * 100 + Number(fraction.padEnd(2, '0'))
  return sign ? -cents : cents
}

/** Converts rand to cents. Throws a RangeError for anything that is not an amount: use it for trusted values only. */
export function centsFromRand(amount: number | string): number {
  const cents = parseRand(typeof amount === 'number' ? amount.toFixed(2) : amount)
  if (cents === null) throw new RangeError(`not an amount in rand: ${amount}`)
  return cents
}

/** `123450` → `"1234.50"`, for PayFast and the database. */
export function randText(cents: number): string {
  const sign = cents < 0 ? '-' : ''
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** `123450` → `R1 234.50`, `-14000` → `−R140.00`. */
export function formatTotal(cents: number): string {
  const [rand = '', fraction = ''] = randText(Math.abs(cents)).split('.')
  return `${cents < 0 ? '−' : ''}R${rand.replace(/\B(?=(\d{3})+$)/g, '\u00a0')}.${fraction}`
}

/** Like formatTotal(), but whole rand without decimals: `R400`. */
export function formatPrice(cents: number): string {
  return cents % 100 === 0 ? formatTotal(cents).slice(0, -3) : formatTotal(cents)
}

/** Like formatPrice(), but without spaces, as the specification writes shipping rates and minimum orders: `R1500`. */
export function formatRate(cents: number): string {
  return formatPrice(cents).replaceAll('\u00a0', '')
}
