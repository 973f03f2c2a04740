/**
 * The risk rules of a channel (spec 2.27), with amounts as the host API writes them; and the facts of a request that
 * they check.
 */
import { exponentOf } from '../../base/money.ts';
import { addressOf } from './ranges.ts';

// The rules that a channel checks before the acquirer is asked (spec 2.27). Amounts as the host API writes them.

export type Subject = 'card' | 'email' | 'ip' | 'customer';

export type RiskRules = {
  /** Refuses a higher amount; risk.amount counts if it is sent. */
  amountMax?: string;
  /** Refuses more than `most` payments, or more than `total` in sum, of one subject within the time. */
  velocity?: readonly { per: Subject; withinMinutes: number; most?: number; total?: string }[];
  /**
   * Refuses these. Card numbers as first digits (6 to 8) or a range of them (`411111-411119`), whole e-mail addresses
   * or `@domain`, IP addresses or ranges of them (`10.0.0.0/8`), ISO countries of the billing address.
   */
  deny?: {
    bins?: readonly string[];
    emails?: readonly string[];
    ips?: readonly string[];
    countries?: readonly string[];
  };
  /** Allows these, whatever the other rules say. */
  allow?: { emails?: readonly string[]; ips?: readonly string[]; customers?: readonly string[] };
  /** Points for each sign of risk; refuses at the limit. The answer to every checked payment contains its score. */
  score?: { refuseFrom: number };
};

/** The ending of a payment that breaks a rule: a code of the catalogue, and a sentence without the request's values. */
export type RiskRefusal = { resultCode: string; why: string };

/** A request, or a request and the stored account that it charges, by flat wire names. */
export type RiskRequest = Readonly<Record<string, string | undefined>>;

export type RiskFacts = {
  request: RiskRequest;
  currency: string;
  /** risk.amount if it was sent, otherwise amount; minor units of the currency. */
  minor: bigint;
  /** Which of the two was used. */
  judgedParameter: 'risk.amount' | 'amount';
  /** In canonical form, so that equal subjects are equal texts. */
  subjects: Readonly<Partial<Record<Subject, string>>>;
  /** From customer.ip. Undefined if that is not an address. */
  address?: bigint;
};

/** Reads a request with a valid amount and currency. Throws `currency.unknown` for an unknown currency. */
export const riskFactsOf = (request: RiskRequest): RiskFacts => {
  const currency = request['currency'] ?? '';
  const judged = request['risk.amount'] === undefined ? 'amount' : 'risk.amount';
  const address = addressOfRequest(request);
  return {
    request,
    currency,
    minor: minorOf(request[judged] ?? '0', currency),
    judgedParameter: judged,
    subjects: riskSubjectsOf(request),
    address,
  };
};

/**
 * The payer's data in canonical form. One IP address has many spellings; an invalid address stays an unchanged text.
 */
const riskSubjectsOf = (request: RiskRequest): RiskFacts['subjects'] => ({
  card: subject(request['card.number'] ?? request['tokenAccount.number']),
  email: subject(request['customer.email']?.toLowerCase()),
  ip: subject(addressOfRequest(request)?.toString(16) ?? request['customer.ip']?.toLowerCase()),
  customer: subject(request['customer.merchantCustomerId']),
});

const addressOfRequest = (request: RiskRequest): bigint | undefined => addressOf(request['customer.ip']?.trim() ?? '');

const subject = (text: string | undefined): string | undefined => text?.trim() || undefined;

/**
 * Minor units of an amount as the host API writes it. Unlike an amount of money, a limit of 50.50 is allowed for a
 * currency without a minor unit: it then means 50.
 */
export const minorOf = (text: string, currency: string): bigint => {
  const [integerPart = '', decimals = '00'] = text.split('.');
  const hundredths = BigInt(integerPart + decimals);
  const exponent = exponentOf(currency);
  return exponent >= 2 ? hundredths * 10n ** BigInt(exponent - 2) : hundredths / 100n;
};
