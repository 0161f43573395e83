/** A delivery with nothing filled in. The keys are those of `place_order`. */
export const EMPTY_DELIVERY = {
  full_name: '',
  email: '',
  phone: '',
  shipping_method: 'locker',
  locker_location: '',
  address: '',
  city: '',
  state: '',
  zip_code: '',
  notes: '',
}
