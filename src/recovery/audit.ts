/** Compares every sale with what the gateway has of it, and says whether both agree about the money. */
import { add, type Money, money } from '../base/money.ts';
import { fill } from '../base/placeholders.ts';
import { codes } from '../base/result-codes.ts';
import type { FullLedger } from '../ledger/ledger.ts';
import { whyWords } from '../locales/reports.ts';
import type { Operation } from '../till/machine/facts.ts';
import { replay, type Sale } from '../till/machine/sale.ts';
import { chargedOn, holdOf } from '../till/payments.ts';
import type { Host, HostReply } from '../till/ports.ts';
import { type ListedPayment, listGatewayPayments } from './gateway-listing.ts';

/** One payment in the gateway's records under a sale's merchantTransactionId. */
type Booked = {
  readonly payment: string;
  readonly paymentType: string;
  readonly code: string;
  /** An approval that counts as money. A test system's approval counts at a test till and not at a live one. */
  readonly moved: boolean;
  readonly amount?: Money;
};

export type AuditRow = {
  sale: Sale;
  /** The amount moved according to the till: negative for money given back. */
  till: Money;
  /** Who has the payment: the gateway, or a terminal that authorised by itself, which is not asked here. */
  heldBy: 'gateway' | 'terminal';
  /** What the gateway has booked for this merchantTransactionId. Undefined when it did not answer or was not asked. */
  gateway: Money | undefined;
  /** For an open pre-authorisation that the gateway no longer holds: what the till believes to be held. */
  lostHold?: Money;
  /** Whether both agree. A terminal's own sale agrees once nothing about it is open. */
  agrees: boolean;
  /** The payments that make up the amount at the gateway. */
  evidence: readonly Booked[];
  /** Why they differ, briefly; empty when they agree. */
  why: string;
};

const INQUIRIES_AT_ONCE = 8;

/** The payments of each sale from a gateway's list: these sales are inquired about individually only if they differ. */
export type BySale = ReadonlyMap<string, readonly ListedPayment[]>;

type InquiryParts = { ledger: FullLedger; host: Host; listed: BySale };

/** A row for each sale, oldest first. Operations that follow a payment have their own rows. */
export async function* audit(ledger: FullLedger, host: Host, listed: BySale = new Map()): AsyncGenerator<AuditRow> {
  const requests: Promise<AuditRow>[] = [];
  for (const sale of ledger.all()) {
    const row = rowOf(sale, { ledger, host, listed });
    // The caller can stop reading before this row, and then nobody handles its failure.
    row.catch(() => {});
    requests.push(row);
    const [first] = requests;
    if (requests.length < INQUIRIES_AT_ONCE || first === undefined) continue;
    yield await first;
    requests.shift();
  }
  for (const row of requests) yield await row;
}

const rowOf = async (sale: Sale, { ledger, host, listed }: InquiryParts): Promise<AuditRow> => {
  const direction = directionOf(sale, ledger);
  const till = amountAtTill(sale, direction);
  if (sale.intent.by === 'terminal') {
    const agrees = isDecided(sale);
    const reason = agrees ? '' : whyWords.terminalSilent;
    return { sale, till, heldBy: 'terminal', gateway: undefined, agrees, evidence: [], why: reason };
  }
  const known = listed.get(sale.intent.sale);
  const row = known && judgeSale(sale, { ledger, direction, payments: known });
  // The list may be older than the sale's latest change.
  if (row?.agrees) return row;
  const reply = await host.find(sale.intent.sale, 'linked');
  return judgeSale(sale, { ledger, direction, payments: paymentsIn(reply, sale, { ledger, host }), reply });
};

/** The row of a sale that the gateway was not asked about. */
export const uncheckedRow = (sale: Sale, ledger: FullLedger): AuditRow =>
  judgeSale(sale, { ledger, direction: directionOf(sale, ledger), payments: undefined });

type AuditFacts = {
  ledger: FullLedger;
  direction: MoneyDirection;
  payments: readonly ListedPayment[] | undefined;
  reply?: HostReply;
};

const judgeSale = (sale: Sale, { ledger, direction, payments, reply }: AuditFacts): AuditRow => {
  const till = amountAtTill(sale, direction);
  const evidence = payments?.map(bookedOf);
  const gateway = evidence?.reduce((sum, one) => add(sum, movedBy(one, sale, direction)), nothingOf(sale));
  const lostHold = evidence && lostHoldOf(sale, { ledger, evidence });
  const why = hasUncountableApproval(evidence, sale)
    ? whyWords.foreign
    : difference(sale, { till, gateway, reply }) || (lostHold === undefined ? '' : whyWords.holdGone);
  return { sale, till, heldBy: 'gateway', gateway, agrees: why === '', evidence: evidence ?? [], why, lostHold };
};

/**
 * The amount held in the till's books and not at the gateway, because it was given back there or is not there at all.
 */
const lostHoldOf = (
  sale: Sale,
  { ledger, evidence }: { ledger: FullLedger; evidence: readonly Booked[] },
): Money | undefined => {
  if (sale.intent.operation !== 'preauthorisation') return undefined;
  const followers = ledger.followersOf(sale.intent.sale).flatMap((id) => replay(ledger.events(id)) ?? []);
  const { state, left } = holdOf({ sale, followers }, 0);
  if (state !== 'open') return undefined;
  const has = (type: string): boolean => evidence.some(({ paymentType, moved }) => moved && paymentType === type);
  return has('PA') && !has('RV') ? undefined : left;
};

const nothingOf = ({ intent }: Sale): Money => money(0n, intent.amount.currency);

/** A payment without an ending can still be confirmed by the terminal's next answer. */
const isDecided = (sale: Sale): boolean => sale.at === 'ended' && sale.ending !== 'unknown' && sale.reversal !== 'due';

/** Money to the shop, back to the card, or not moved at all. */
type MoneyDirection = 1n | 0n | -1n;

const directions: Readonly<Record<Exclude<Operation, 'void'>, MoneyDirection>> = {
  sale: 1n,
  preauthorisation: 0n,
  increment: 0n,
  completion: 1n,
  release: 0n,
  refund: -1n,
  credit: -1n,
};

/** A void moves money in the opposite direction of the operation it voids. */
const directionOf = ({ intent }: Sale, ledger: FullLedger): MoneyDirection => {
  if (intent.operation !== 'void') return directions[intent.operation];
  const parent = replay(ledger.events(intent.follows?.sale ?? ''))?.intent.operation ?? 'sale';
  return oppositeOf(parent === 'void' ? -1n : directions[parent]);
};

const oppositeOf = (direction: MoneyDirection): MoneyDirection => (direction === 0n ? 0n : direction === 1n ? -1n : 1n);

/** Stored sales count once the gateway has taken them; until then their money is still to come. */
const amountAtTill = (sale: Sale, direction: MoneyDirection): Money => {
  const zero = nothingOf(sale);
  if (sale.at !== 'ended' || sale.ending !== 'approved' || sale.reason === 'voidedBeforeSending') return zero;
  if (sale.offline !== undefined && sale.forwarded === undefined) return zero;
  return money(direction * chargedOn(sale).minor, zero.currency);
};

const types: Readonly<Record<string, MoneyDirection>> = { DB: 1n, CP: 1n, RF: -1n, CD: -1n };

/** A void is a reversal with its own id; a sale's own reversal has the sale's id and undoes it. */
const movedBy = ({ paymentType, moved, amount }: Booked, sale: Sale, direction: MoneyDirection): Money => {
  const zero = nothingOf(sale);
  if (amount?.currency !== zero.currency || !moved) return zero;
  const reversal = sale.intent.operation === 'void' ? direction : oppositeOf(direction);
  const sign = paymentType === 'RV' ? reversal : (types[paymentType] ?? 0n);
  return money(sign * amount.minor, amount.currency);
};

/** An approval whose amount cannot be counted: in another currency, or unreadable. */
const hasUncountableApproval = (evidence: readonly Booked[] | undefined, { intent }: Sale): boolean =>
  evidence?.some(
    ({ paymentType, moved, amount }) => paymentType in types && moved && amount?.currency !== intent.amount.currency,
  ) === true;

/** The payments of the sale, and payments that follow them and are unknown here: somebody made those at the gateway. */
const paymentsIn = (
  reply: HostReply,
  { intent }: Sale,
  { ledger, host }: Pick<InquiryParts, 'ledger' | 'host'>,
): ListedPayment[] | undefined => {
  if (reply.kind !== 'answered') return undefined;
  if (reply.code === codes.transactionNotFound) return [];
  const { payments } = reply.body;
  if (!Array.isArray(payments)) return undefined;
  const all = payments.flatMap((payment: unknown) => listGatewayPayments(host, payment, intent.amount.currency));
  const own = all.filter(({ saleId }) => saleId === intent.sale);
  const ids = new Set(own.map(({ payment }) => payment));
  const isStranger = ({ saleId }: ListedPayment): boolean => saleId === undefined || ledger.events(saleId).length === 0;
  return all.filter((one) => own.includes(one) || (ids.has(one.referencedId ?? '') && isStranger(one)));
};

const bookedOf = ({ payment, paymentType, code, means, amount }: ListedPayment): Booked => ({
  payment,
  paymentType,
  code,
  moved: means === 'approved' || means === 'liveAnswer',
  amount,
});

type AuditTexts = { till: Money; gateway: Money | undefined; reply: HostReply | undefined };

const difference = (sale: Sale, { till, gateway, reply }: AuditTexts): string => {
  if (gateway === undefined)
    return reply?.kind === 'answered' ? fill(whyWords.askedSaid, { code: reply.code }) : whyWords.noAnswer;
  if (gateway.minor === till.minor) return '';
  if (sale.at !== 'ended' || sale.ending === 'unknown') return whyWords.notSettled;
  if (sale.reversal === 'due') return whyWords.reversalToSend;
  if (till.minor === 0n) return whyWords.bookedThere;
  return gateway.minor === 0n ? whyWords.bookedHere : whyWords.otherAmount;
};
