import { describe, expect, it } from 'vitest'
import { guessProvince } from './province-guess.ts'

describe('a postal code', () => {
  // covers S28
  it.each([
    ['0002', 'Gauteng', 'Pretoria'],
    ['0250', 'North West', 'Brits'],
    ['0299', 'North West', 'Rustenburg'],
    ['0699', 'Limpopo', 'Polokwane'],
    ['1035', 'Mpumalanga', 'eMalahleni'],
    ['1200', 'Mpumalanga', 'Mbombela'],
    ['1380', 'Limpopo', 'Hoedspruit'],
    ['1947', 'Free State', 'Sasolburg'],
    ['2196', 'Gauteng', 'Sandton'],
    ['2499', 'Gauteng', 'Carletonville'],
    ['2520', 'North West', 'Potchefstroom'],
    ['4001', 'KwaZulu-Natal', 'Durban'],
    ['4700', 'KwaZulu-Natal', 'Kokstad'],
    ['4730', 'Eastern Cape', 'Matatiele'],
    ['5201', 'Eastern Cape', 'East London'],
    ['6001', 'Eastern Cape', 'Gqeberha'],
    ['6191', 'Eastern Cape', 'Kenton-on-Sea'],
    ['6529', 'Western Cape', 'George'],
    ['7000', 'Northern Cape', 'De Aar'],
    ['7200', 'Western Cape', 'Hermanus'],
    ['8001', 'Western Cape', 'Cape Town'],
    ['8160', 'Western Cape', 'Vredendal'],
    ['8240', 'Northern Cape', 'Springbok'],
    ['8301', 'Northern Cape', 'Kimberley'],
    ['8601', 'North West', 'Vryburg'],
    ['9301', 'Free State', 'Bloemfontein'],
    ['9750', 'Eastern Cape', 'Aliwal North'],
    ['9795', 'Northern Cape', 'Colesberg'],
  ])('guesses from the postal code %s the province %s (%s)', (postalCode, province) => {
    expect(guessProvince({ postalCode, town: '' })).toBe(province)
  })

  it.each(['9000', '0430', '61', '61910', 'SW1A', ''])(
    'guesses no province from the postal code %j',
    (postalCode) => {
      expect(guessProvince({ postalCode, town: 'Nowhere' })).toBe('')
    },
  )
})

it.each([
  ['Kenton on Sea', 'Eastern Cape'],
  ['St. Francis Bay', 'Eastern Cape'],
  ['Simon’s Town', 'Western Cape'],
  ['UMHLANGA', 'KwaZulu-Natal'],
])('guesses the province from the town %s', (town, province) => {
  expect(guessProvince({ postalCode: '', town })).toBe(province)
})

// covers S28
it('guesses the province from the town before the postal code, which may be a head office’s', () => {
  expect(guessProvince({ postalCode: '2000', town: 'Ballito' })).toBe('KwaZulu-Natal')
})
