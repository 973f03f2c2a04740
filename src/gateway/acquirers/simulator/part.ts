/** Approvals of less than was asked for, where the request takes them: the rest of the bill is paid otherwise. */
import { exponentOf, type Money, money, parseAmount, printAmount } from '../../../base/money.ts';
import { type AcquirerAnswer, type Authorisation, takesPart } from '../acquirer.ts';
import { claimedOffline } from './triggers.ts';
import { unitWorth, worthOf } from './worth.ts';

/** ISO 8583 DE 39 of a partial approval. The chip is told 00: not every one knows 10. */
const PARTIAL_APPROVAL = '10';

type PartialRequest = Pick<Authorisation, 'paymentType' | 'amount' | 'customParameters'>;

/**
 * What an account with too little in it pays of the request: all it has, as far as the currency can say it. Undefined
 * where the request takes no part, where there is nothing, and for a record kept offline: its goods are gone.
 */
export const partOf = (request: PartialRequest, available: bigint): Money | undefined => {
  const { paymentType, amount } = request;
  if (paymentType === 'CD' || !takesPart(request) || claimedOffline(request) !== 'no') return undefined;
  const step = unitWorth(amount.currency);
  const minor = wholeUnits(available / step, amount.currency);
  if (minor <= 0n || minor * step >= worthOf(amount)) return undefined;
  return money(minor, amount.currency);
};

/** Amounts of the host API have two decimals: the third of a currency with three is always zero. */
const wholeUnits = (minor: bigint, currency: string): bigint =>
  exponentOf(currency) === 3 ? minor - (minor % 10n) : minor;

/** The answer of a partial approval, its amount and what was asked for in it. */
export const inPart = (answer: AcquirerAnswer, asked: Money, approved: Money): AcquirerAnswer => ({
  ...answer,
  approvedAmount: printAmount(approved),
  details: { ...answer.details, AcquirerResponse: PARTIAL_APPROVAL, RequestedAmount: printAmount(asked) },
});

/** What this approval is of. */
export const approvedOf = (asked: Money, { approvedAmount }: AcquirerAnswer): Money =>
  approvedAmount === undefined ? asked : parseAmount(approvedAmount, asked.currency);
