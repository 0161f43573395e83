/** Spelled as in the Constitution (s103). */
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
 * `082 123 4567`, `+27 82 123 4567`, `0027…`, `27…` and the common mistake `+27 (0)82…` → `+27821234567`.
 * Any other number only loses extra spaces, because foreign numbers are valid.
 */
export function normalisePhoneNumber(typed: string): string {
  const tidy = typed.trim().replace(/\s+/g, ' ')
  const digits = tidy.replace(/\D/g, '')
  const national = /^(?:00)?27(?:0)?([1-9]\d{8})$/.exec(digits) ?? /^0([1-9]\d{8})$/.exec(digits)
  return national ? `+27${national[1]}` : tidy
}

/** `+27821234567` → `082 123 4567` */
export function formatPhone(phone: string): string {
  const national = /^\+27(\d{2})(\d{3})(\d{4})$/.exec(normalisePhoneNumber(phone))
  return national ? `0${national[1]} ${national[2]} ${national[3]}` : phone
}

/** `6 191`, `ZA-6191` and `RSA 6191` → `6191`. Any other input only loses extra spaces. */
export function normalisePostalCode(typed: string): string {
  const tidy = typed.trim().replace(/\s+/g, ' ')
  const bare = tidy.replace(/^(?:RSA|ZAF|ZA)[\s-]*/i, '').replaceAll(' ', '')
  return /^\d{4}$/.test(bare) ? bare : tidy
}

/** Returns the province for any spelling, such as the browser's autofill, or an empty string. */
export function parseProvince(typed: string): Province | '' {
  const wanted = lettersOf(typed)
  return PROVINCES.find((province) => lettersOf(province) === wanted) ?? ''
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^a-z]/g, '')
}
