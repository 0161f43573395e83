/**
 * Error messages for the database constraints that staff can violate. A key `table.constraint` takes precedence over a plain
 * `constraint`. `supabase/tests/constraint-sentences.test.ts` finds constraints without a message.
 */
export const CONSTRAINT_SENTENCES: Record<string, string> = {
  // Products and colours
  malformed_slug: 'The name needs at least one letter or digit, because the web address is made from it.',
  malformed_name: 'The name is one line of 1 to 120 characters.',
  malformed_code: 'A code has 1 to 40 letters, digits, hyphens or underscores.',
  'saved_views.malformed_name': 'The name of a view is one line of 1 to 40 characters.',
  'courier_companies.malformed_name': 'The courier’s name is one line of 1 to 100 characters.',
  name_taken: 'Another product has this name.',
  slug_taken: 'Another product has this web address.',
  variant_name_taken: 'Another colour of this product has this name.',
  variant_slug_taken: 'Another colour of this product has this web address.',
  malformed_sku: 'An SKU is one line of at most 60 characters.',
  sku_taken: 'Another colour has this SKU.',
  malformed_category: 'The category is one line of at most 60 characters.',
  malformed_model: 'The model is one line of at most 60 characters.',
  malformed_hook_size: 'The recommended hook is one line of at most 40 characters.',
  malformed_customer_name: 'The name is one line of 1 to 100 characters.',
  malformed_description: 'The description has 1 to 2000 characters.',
  impossible_number_of_images: 'A submission has 1 to 20 photos.',
  malformed_image_urls: 'A photo’s address begins with https:// or /, and has no spaces in it.',
  image_url_not_the_first: 'The first photo must be the main one.',
  email_in_public: 'E-mail addresses are kept apart from photos.',
  description_too_long: 'The description has at most 5000 characters.',
  impossible_price: 'The price is between R0 and R1 000 000.',
  impossible_price_with_hooks: 'The price with hooks is between R0 and R1 000 000.',
  impossible_length: 'The length is between 1 and 2000 mm.',
  impossible_weight: 'The weight is between 1 and 20 000 g.',
  negative_stock: 'Stock is a whole number from 0 to 1 000 000.',
  impossible_stock: 'Stock is a whole number from 0 to 1 000 000.',
  malformed_image_url: 'A picture’s address begins with https:// or /, and has no spaces in it.',
  malformed_image_alt: 'The description of a picture has at most 300 characters.',
  malformed_images: 'Each picture needs a valid address and a description of at most 300 characters.',
  images_not_a_list: 'The pictures must be a list.',
  specs_not_a_list: 'The specs must be a list of labels and values.',
  live_product_with_publish_time: 'A product that is live has no date to be published at.',
  unknown_status: 'There is no such status.',
  // Promo codes
  unknown_discount_type: 'A discount is a percentage or an amount.',
  impossible_discount: 'The discount is between 0 and 1 000 000.',
  more_than_everything: 'A percentage is at most 100.',
  impossible_minimum: 'The minimum order is between R0 and R1 000 000.',
  usage_limit_below_one: 'The usage limit is at least 1.',
  per_customer_limit_below_one: 'The limit per customer is at least 1.',
  negative_uses: 'The number of uses cannot be negative.',
  code_taken: 'Another code has this name.',
  code_reads_alike: 'Another code reads the same: O and 0 count as one, I and 1 as well.',
  ends_before_it_starts: 'The code would expire before it starts.',
  // Couriers, clients, settings, orders and lists
  courier_twice: 'There is already a courier with this name.',
  malformed_contact_person: 'The contact person is one line of at most 100 characters.',
  malformed_contact_phone: 'The contact phone is one line of at most 40 characters.',
  malformed_tracking_url: 'A tracking address begins with https:// and has no spaces in it.',
  malformed_email: 'This is not a valid e-mail address.',
  malformed_full_name: 'The name is one line of at most 100 characters.',
  malformed_phone: 'The phone number is one line of at most 20 characters.',
  malformed_address: 'The address is one line of at most 200 characters.',
  malformed_city: 'The city is one line of at most 50 characters.',
  malformed_state: 'The province is one line of at most 50 characters.',
  malformed_zip_code: 'The postal code is one line of at most 10 characters.',
  impossible_threshold: 'The low-stock threshold is a whole number from 0 to 1000.',
  impossible_shipping_rate: 'The shipping rate is between R0 and R10 000.',
  impossible_free_shipping_from: 'Free shipping starts between R0 and R1 000 000.',
  malformed_tracking_number: 'The tracking number is one line of at most 100 characters.',
  malformed_shipping_address: 'The delivery address is too short or too long.',
  malformed_shipping_city: 'The city is too short or too long.',
  malformed_shipping_state: 'The province is too short or too long.',
  malformed_shipping_zip: 'The postal code is too short or too long.',
  malformed_locker_location: 'The locker is too short or too long.',
  notes_too_long: 'The customer’s note is too long.',
  past_payment_without_payment: 'The order is not paid yet.',
  view_named_twice: 'You already have a view with this name.',
  note_says_something: 'A note has 1 to 2000 characters.',
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
