import { parseProvince, type Province } from './south-africa.ts'

/**
 * Guesses the province of a postal code or a town. Only a suggestion: the Post Office's codes are older than the provinces and do not
 * follow their borders. Codes that would often be guessed wrong are left out.
 *
 * The ranges follow the Post Office's regions; the finer ones are towns across a border.
 */
const RANGES: readonly (readonly [from: number, to: number, province: Province])[] = [
  [1, 239, 'Gauteng'],
  [240, 349, 'North West'],
  [380, 380, 'Limpopo'],
  [450, 471, 'Limpopo'],
  [480, 999, 'Limpopo'],
  [1000, 1021, 'Gauteng'],
  [1022, 1119, 'Mpumalanga'],
  [1120, 1157, 'Limpopo'],
  [1158, 1379, 'Mpumalanga'],
  [1380, 1399, 'Limpopo'],
  [1400, 1931, 'Gauteng'],
  [1932, 1932, 'Free State'],
  [1933, 1945, 'Gauteng'],
  [1946, 1949, 'Free State'],
  [1950, 2199, 'Gauteng'],
  [2200, 2498, 'Mpumalanga'],
  [2499, 2502, 'Gauteng'],
  [2503, 2899, 'North West'],
  [2900, 4729, 'KwaZulu-Natal'],
  [4730, 5949, 'Eastern Cape'],
  [5950, 5959, 'Northern Cape'],
  [5960, 6459, 'Eastern Cape'],
  [6460, 6919, 'Western Cape'],
  [6920, 6929, 'Northern Cape'],
  [6930, 6959, 'Western Cape'],
  [6960, 6969, 'Northern Cape'],
  [6970, 6999, 'Western Cape'],
  [7000, 7099, 'Northern Cape'],
  [7100, 8179, 'Western Cape'],
  [8180, 8579, 'Northern Cape'],
  [8580, 8629, 'North West'],
  [8700, 8709, 'Northern Cape'],
  [8710, 8719, 'Free State'],
  [8720, 8999, 'Northern Cape'],
  [9300, 9743, 'Free State'],
  [9744, 9789, 'Eastern Cape'],
  [9795, 9797, 'Northern Cape'],
  [9800, 9999, 'Free State'],
]

/** Towns and cities whose name exists in one province only, coastal ones first. */
const TOWNS: Record<Province, string> = {
  'Eastern Cape':
    'gqeberha, port elizabeth, east london, port alfred, kenton-on-sea, jeffreys bay, st francis bay, port st johns, coffee bay, makhanda, grahamstown, mthatha, komani, queenstown, kariega, uitenhage, qonce, bhisho, cradock, graaff-reinet, aliwal north, gonubie, hamburg, bathurst, humansdorp',
  'Western Cape':
    'cape town, hermanus, gansbaai, mossel bay, george, knysna, plettenberg bay, stilbaai, struisbaai, langebaan, saldanha, st helena bay, velddrif, lamberts bay, yzerfontein, hout bay, simons town, strand, somerset west, stellenbosch, paarl, worcester, bellville, durbanville, wilderness, sedgefield, oudtshoorn, bredasdorp, swellendam, malmesbury, gordons bay, kleinmond',
  'KwaZulu-Natal':
    'durban, ballito, umhlanga, amanzimtoti, scottburgh, margate, port edward, port shepstone, richards bay, st lucia, sodwana bay, umkomaas, salt rock, zinkwazi, pietermaritzburg, newcastle, ladysmith, empangeni, hillcrest, pinetown, kokstad, mtunzini, hluhluwe, uvongo, shelly beach',
  'Northern Cape':
    'kimberley, upington, port nolloth, springbok, alexander bay, hondeklip bay, kuruman, de aar, colesberg, calvinia, kathu, postmasburg',
  Gauteng:
    'johannesburg, pretoria, tshwane, sandton, randburg, roodepoort, centurion, midrand, boksburg, benoni, kempton park, edenvale, germiston, alberton, springs, brakpan, krugersdorp, soweto, vereeniging, vanderbijlpark, bronkhorstspruit, heidelberg, fourways, carletonville',
  'Free State':
    'bloemfontein, welkom, bethlehem, sasolburg, kroonstad, clarens, parys, harrismith, phuthaditjhaba, ficksburg, virginia, heilbron',
  Limpopo:
    'polokwane, tzaneen, phalaborwa, thohoyandou, bela-bela, mokopane, hoedspruit, louis trichardt, makhado, musina, lephalale, modimolle, thabazimbi',
  Mpumalanga:
    'mbombela, nelspruit, emalahleni, witbank, middelburg, secunda, ermelo, white river, hazyview, standerton, lydenburg, mashishing, barberton, komatipoort, dullstroom',
  'North West':
    'rustenburg, mahikeng, mafikeng, potchefstroom, klerksdorp, brits, hartbeespoort, lichtenburg, vryburg, zeerust, sun city, orkney',
}

/** Prefers the town to the postal code. Returns an empty string when neither is conclusive. */
export function guessProvince({ postalCode, town }: { postalCode: string; town: string }): Province | '' {
  return provinceOfTown(town) || provinceOfCode(postalCode)
}

function provinceOfCode(postalCode: string): Province | '' {
  if (!/^\d{4}$/.test(postalCode)) return ''
  const code = Number(postalCode)
  return RANGES.find(([from, to]) => from <= code && code <= to)?.[2] ?? ''
}

function provinceOfTown(town: string): Province | '' {
  const wanted = plain(town)
  const found = Object.entries(TOWNS).find(([, towns]) => towns.split(', ').map(plain).includes(wanted))
  return parseProvince(found?.[0] ?? '')
}

/** Ignores case and punctuation: `St. Francis Bay`, `Simon’s Town` and `Kenton on Sea` have several spellings. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '')
}
