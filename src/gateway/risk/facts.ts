/**
 * What a channel has looked at before the acquirer is asked (spec 2.27), amounts as the host API writes them; and what
 * of a request it is looked for in.
 */
import { exponentOf } from '../../base/money.ts';
import { addressOf } from './ranges.ts';

// What a channel has looked at before the acquirer is asked (spec 2.27). Amounts as the host API writes them.

export type Subject = 'card' | 'email' | 'ip' | 'customer';

export type RiskRules = {
  /** Refuses above this amount; risk.amount counts if it is sent. */
  amountMax?: string;
  /** Refuses more than `most` payments, or more than `total` in sum, of one subject within the time. */
  velocity?: readonly { per: Subject; withinMinutes: number; most?: number; total?: string }[];
  /**
   * Refuses these. Card numbers as first digits (6 to 8) or a range of them (`411111-411119`), e-mails whole or
   * `@domain`, IP addresses or ranges of them (`10.0.0.0/8`), ISO countries of the billing address.
   */
  deny?: {
    bins?: readonly string[];
    emails?: readonly string[];
    ips?: readonly string[];
    countries?: readonly string[];
  };
  /** Lets these pass whatever the other rules say. */
  allow?: { emails?: readonly string[]; ips?: readonly string[]; customers?: readonly string[] };
  /** Points for each sign of risk; refuses at the limit. Every screened payment's answer carries its score. */
  score?: { refuseFrom: number };
};

/** What a broken rule ends a payment with: a code of the catalogue, and a sentence without the request's values. */
export type RiskRefusal = { resultCode: string; why: string };

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
    address,
  };
};

/** Who pays, in canonical form. One IP address has many spellings; what is none is still one and the same text. */
const riskSubjectsOf = (request: RiskRequest): RiskFacts['subjects'] => ({
  card: subject(request['card.number'] ?? request['tokenAccount.number']),
  email: subject(request['customer.email']?.toLowerCase()),
  ip: subject(addressIn(request)?.toString(16) ?? request['customer.ip']?.toLowerCase()),
  customer: subject(request['customer.merchantCustomerId']),
});

const addressIn = (request: RiskRequest): bigint | undefined => addressOf(request['customer.ip']?.trim() ?? '');

const subject = (text: string | undefined): string | undefined => text?.trim() || undefined;

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
