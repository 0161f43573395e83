import { expect, it } from 'vitest'
import { findWaybill } from './waybill.ts'

// covers A13
it.each([
  ['TCG12345678', 'TCG12345678'],
  ['  TCG12345678\n', 'TCG12345678'],
  ['Your parcel is on its way! Waybill: PUDO-99887766. Track it on our site.', 'PUDO-99887766'],
  ['https://portal.thecourierguy.co.za/track?ref=TCG12345678', 'TCG12345678'],
  ['https://tracking.courier.example/parcel/2024001122ZA', '2024001122ZA'],
  ['https://courier.example/help?page=20241122', null],
  ['https://courier.example/track?WAYBILL=TCG12345678', 'TCG12345678'],
  ['tel:0821234567', null],
  ['(Waybill TCG12345678).', 'TCG12345678'],
  ['Ref 123456: your waybill is TCG12345678.', 'TCG12345678'],
  ['Thank you very much', null],
  ['42', null],
  ['', null],
])('reads the pasted or scanned text %j as the waybill %j', (text, waybill) => {
  expect(findWaybill(text)).toBe(waybill)
})
