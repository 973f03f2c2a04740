/** What the risk rules look at, read once from a request's flat wire names (spec 2.5, 2.9, 2.10, 2.27). */
import { exponentOf } from '../../base/money.ts';
import { addressOf } from './ranges.ts';
import type { Subject } from './rules.ts';

/** A request, or a request and the stored account that it charges, under flat wire names. */
export type RiskRequest = Readonly<Record<string, string | undefined>>;

export type RiskFacts = {
  request: RiskRequest;
  currency: string;
  /** risk.amount if it was sent, else amount; minor units of the currency. */
  minor: bigint;
  /** Which of the two it is. */
  judged: 'risk.amount' | 'amount';
  /** In canonical form, so that equal ones are equal text. */
  subjects: Readonly<Partial<Record<Subject, string>>>;
  /** Of customer.ip. Undefined when it is none. */
  address?: bigint;
};

/** Reads a request whose amount and currency were checked. Throws `currency.unknown` for a currency that is none. */
export const riskFactsOf = (request: RiskRequest): RiskFacts => {
  const currency = request['currency'] ?? '';
  const judged = request['risk.amount'] === undefined ? 'amount' : 'risk.amount';
  const address = addressIn(request);
  return {
    request,
    currency,
    minor: minorOf(request[judged] ?? '0', currency),
    judged,
    subjects: riskSubjectsOf(request),
    ...(address === undefined ? {} : { address }),
  };
};

/** Who pays, in canonical form. One IP address has many spellings; what is none is still one and the same text. */
const riskSubjectsOf = (request: RiskRequest): RiskFacts['subjects'] => ({
  ...subject('card', request['card.number'] ?? request['tokenAccount.number']),
  ...subject('email', request['customer.email']?.toLowerCase()),
  ...subject('ip', addressIn(request)?.toString(16) ?? request['customer.ip']?.toLowerCase()),
  ...subject('customer', request['customer.merchantCustomerId']),
});

const addressIn = (request: RiskRequest): bigint | undefined => addressOf(request['customer.ip']?.trim() ?? '');

const subject = (name: Subject, text: string | undefined): Partial<Record<Subject, string>> => {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? {} : { [name]: trimmed };
};

/**
 * Minor units of an amount as the host API writes it. Unlike an amount of money, a limit of 50.50 may stand beside a
 * currency without a minor unit: it is 50 then.
 */
export const minorOf = (text: string, currency: string): bigint => {
  const [whole = '', decimals = '00'] = text.split('.');
  const hundredths = BigInt(whole + decimals);
  const exponent = exponentOf(currency);
  return exponent >= 2 ? hundredths * 10n ** BigInt(exponent - 2) : hundredths / 100n;
};
