/** The value of money in a simulated account: every currency in grains of the euro, by powers of ten. */
import { exponentOf, type Money } from '../../../base/money.ts';

/**
 * An account holds grains: a hundred-millionth of a euro, at most the value of the smallest unit of any currency, so
 * that no amount is ever rounded. There is no exchange rate: a currency has the power of ten nearest to how many of its
 * units a euro buys.
 */
const GRAIN_DIGITS = 8;

export const GRAINS_PER_CENT = 1_000_000n;
/** A stored document counts thousandths of a euro, and the remaining grains separately. */
export const GRAINS_PER_THOUSANDTH = 100_000n;

/** How many units of a currency a euro buys, as a power of ten; currencies not listed have 0, about one. */
const buys: readonly (readonly [power: number, currencies: string])[] = [
  [1, 'AED BOB BRL BWP BYN CNY CUP CZK DKK GHS GTQ HKD ILS LSL LYD MAD MDL MOP MVR MXN MYR NAD NOK PEN PLN QAR RON'],
  [1, 'SAR SCR SEK SLE STN SVC SZL TJS TND TTD VED VES ZAR ZMW ZWG'],
  [
    2,
    'AFN ALL BDT BTN CVE DJF DOP DZD EGP ERN ETB GMD GYD HNL HTG INR ISK JMD JPY KES KGS KPW LRD MKD MRU MUR MZN NIO',
  ],
  [2, 'NPR PHP RSD RUB SRD THB TRY TWD UAH UYU VUV XPF YER'],
  [3, 'AMD AOA ARS CDF CLP CRC HUF IQD KMF KRW KZT LKR MMK MWK NGN PKR RWF SDG SOS TZS XAF XOF'],
  [4, 'BIF COP GNF IDR KHR LAK MGA MNT PYG SSP SYP UGX UZS VND'],
  [5, 'IRR LBP'],
];

const powers: ReadonlyMap<string, number> = new Map(
  buys.flatMap(([power, currencies]) => currencies.split(' ').map((currency) => [currency, power] as const)),
);

const units = new Map<string, bigint>();

/** The grains of the smallest unit of a currency. */
export const unitWorth = (currency: string): bigint => {
  const unit = units.get(currency);
  if (unit !== undefined) return unit;
  const worth = 10n ** BigInt(GRAIN_DIGITS - exponentOf(currency) - (powers.get(currency) ?? 0));
  units.set(currency, worth);
  return worth;
};

export const worthOf = ({ minor, currency }: Money): bigint => minor * unitWorth(currency);
