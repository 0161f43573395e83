import { PRODUCT_FIELDS, type ProductField } from '#domain/product-fields.ts'

/**
 * Error messages for the database constraints that staff can violate. A key `table.constraint` takes precedence over a plain
 * `constraint`. `supabase/tests/constraint-sentences.test.ts` finds constraints without a message.
 */
export const CONSTRAINT_SENTENCES: Record<string, string> = {
  // Products and colours
  ...fieldConstraints(),
  malformed_code: 'A promo code must consist of 1 to 40 letters, digits, hyphens or underscores.',
  'saved_views.malformed_name': 'The name of a view must be one line of 1 to 40 characters.',
  'courier_companies.malformed_name': 'The courier’s name must be one line of 1 to 100 characters.',
  variant_name_taken: 'Another colour of this product has this name.',
  variant_slug_taken: 'Another colour of this product has this web address.',
  malformed_sku: 'An SKU must be one line of at most 60 characters.',
  sku_taken: 'Another colour has this SKU.',
  malformed_customer_name: 'The name must be one line of 1 to 100 characters.',
  malformed_description: 'The description must have 1 to 2000 characters.',
  impossible_number_of_images: 'A submission must have 1 to 20 photos.',
  malformed_image_urls: 'A photo’s web address must start with https:// or / and contain no spaces.',
  image_url_not_the_first: 'The first photo must be the main one.',
  email_in_public: 'E-mail addresses must not be stored with photos.',
  negative_stock: 'Stock must be a whole number from 0 to 1 000 000.',
  impossible_stock: 'Stock must be a whole number from 0 to 1 000 000.',
  malformed_image_url: 'A picture’s web address must start with https:// or / and contain no spaces.',
  malformed_image_alt: 'The description of a picture can have at most 300 characters.',
  unknown_status: 'This status does not exist.',
  // Promo codes
  unknown_discount_type: 'A discount must be a percentage or an amount.',
  impossible_discount: 'The discount must be between 0 and 1 000 000.',
  more_than_everything: 'A percentage can be at most 100.',
  impossible_minimum: 'The minimum order must be between R0 and R1 000 000.',
  usage_limit_below_one: 'The usage limit must be at least 1.',
  per_customer_limit_below_one: 'The limit per customer must be at least 1.',
  negative_uses: 'The number of uses cannot be negative.',
  code_taken: 'Another promo code has this name.',
  code_reads_alike: 'Another promo code looks the same: O and 0 count as equal, and so do I and 1.',
  ends_before_it_starts: 'The code would expire before it starts.',
  // Couriers, clients, settings, orders and lists
  courier_twice: 'A courier with this name already exists.',
  malformed_contact_person: 'The contact person must be one line of at most 100 characters.',
  malformed_contact_phone: 'The contact phone must be one line of at most 40 characters.',
  malformed_tracking_url: 'A tracking URL must start with https:// and contain no spaces.',
  malformed_email: 'This is not a valid e-mail address.',
  malformed_full_name: 'The name must be one line of at most 100 characters.',
  malformed_phone: 'The phone number must be one line of at most 20 characters.',
  malformed_address: 'The address must be one line of at most 200 characters.',
  malformed_city: 'The city must be one line of at most 50 characters.',
  malformed_state: 'The province must be one line of at most 50 characters.',
  malformed_zip_code: 'The postal code must be one line of at most 10 characters.',
  impossible_threshold: 'The low-stock threshold must be a whole number from 0 to 1000.',
  impossible_shipping_rate: 'The shipping rate must be between R0 and R10 000.',
  impossible_free_shipping_from: 'Free shipping must start between R0 and R1 000 000.',
  malformed_tracking_number: 'The tracking number must be one line of at most 100 characters.',
  malformed_shipping_address: 'The delivery address is too short or too long.',
  malformed_shipping_city: 'The city is too short or too long.',
  malformed_shipping_state: 'The province is too short or too long.',
  malformed_shipping_zip: 'The postal code is too short or too long.',
  malformed_locker_location: 'The locker is too short or too long.',
  notes_too_long: 'The customer’s note is too long.',
  past_payment_without_payment: 'The order is not paid yet.',
  view_named_twice: 'You already have a view with this name.',
  note_says_something: 'A note must have 1 to 2000 characters.',
}

/** The messages for the constraints of single product fields. */
function fieldConstraints(): Record<string, string> {
  const fields: ProductField[] = Object.values(PRODUCT_FIELDS)
  return Object.assign({}, ...fields.map(({ constraints }) => constraints))
}

const NAMES = /(?:relation|table) "(\w+)".*?constraint "(\w+)"|constraint "(\w+)"/s

/** Returns the reader's message for PostgreSQL's constraint violation; `null` for any other message. */
export function constraintSentence(message: string): string | null {
  const [, table, constraint, bare] = NAMES.exec(message) ?? []
  const name = constraint ?? bare
  if (name === undefined) return null
  return (
    CONSTRAINT_SENTENCES[`${table}.${name}`] ??
    CONSTRAINT_SENTENCES[name] ??
    `This cannot be saved: ${name.replaceAll('_', ' ')}.`
  )
}
