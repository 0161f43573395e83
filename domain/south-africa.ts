/** How South Africans write where they live and how they are reached. */

/** The nine, as the Constitution spells them (s103). */
export const PROVINCES = [
  'Eastern Cape',
  'Free State',
  'Gauteng',
  'KwaZulu-Natal',
  'Limpopo',
  'Mpumalanga',
  'Northern Cape',
  'North West',
  'Western Cape',
] as const

export type Province = (typeof PROVINCES)[number]

/**
 * `082 123 4567`, `+27 82 123 4567`, `0027…`, `27…` and the slip `+27 (0)82…` → `+27821234567`.
 * Anything else comes back tidied: a foreign number is no mistake.
 */
export function normalPhone(typed: string): string {
  const tidy = typed.trim().replace(/\s+/g, ' ')
  const digits = tidy.replace(/\D/g, '')
  const national = /^(?:00)?27(?:0)?([1-9]\d{8})$/.exec(digits) ?? /^0([1-9]\d{8})$/.exec(digits)
  return national ? `+27${national[1]}` : tidy
}

/** `+27821234567` → `082 123 4567`, as it is read out. */
export function spokenPhone(phone: string): string {
  const national = /^\+27(\d{2})(\d{3})(\d{4})$/.exec(normalPhone(phone))
  return national ? `0${national[1]} ${national[2]} ${national[3]}` : phone
}

/** Four digits with their leading zeros, also when written `6 191`, `ZA-6191` or `RSA 6191`. */
export function normalPostalCode(typed: string): string {
  const tidy = typed.trim().replace(/\s+/g, ' ')
  const bare = tidy.replace(/^(?:RSA|ZAF|ZA)[\s-]*/i, '').replaceAll(' ', '')
  return /^\d{4}$/.test(bare) ? bare : tidy
}

/** The province as it is spelled, from what was saved or filled in by the browser; empty when it is none of the nine. */
export function provinceNamed(typed: string): Province | '' {
  const wanted = lettersOf(typed)
  return PROVINCES.find((province) => lettersOf(province) === wanted) ?? ''
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^a-z]/g, '')
}
