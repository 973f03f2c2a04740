/**
 * Converts the gateway's list of a sale that this till's journal does not know into records that the journal takes
 * over: a till whose folder was restored from an older copy learns its own sales again. Nothing is sent for them.
 */
import { type Money, money } from '../../base/money.ts';
import { safeText } from '../../emv/card-text.ts';
import { entryModes } from '../../emv/entry-mode.ts';
import type { SaleEvent } from '../machine/events.ts';
import type { CardFacts, FollowedSale, HostAnswer, Operation } from '../machine/facts.ts';
import type { Host, Meaning } from '../ports.ts';
import { amountIn, answerOf, textAt } from './answer.ts';
import { saleNumberIn } from './request.ts';

/** Everything the gateway has under one merchantTransactionId, in order of time. */
export type ListedSale = {
  /** The merchantTransactionId. */
  readonly sale: string;
  readonly terminalId: string;
  /** pos.transactionSequenceNumber of the first request. */
  readonly sequence: number;
  /** The gateway's wall time, ms. */
  readonly at: number;
  readonly payments: readonly unknown[];
};

/** A record that can be taken over: the intent without this till's own numbers, and its outcome. */
export type LearnedSale = {
  readonly operation: Operation;
  readonly amount: Money;
  readonly follows?: FollowedSale;
  readonly card?: CardFacts;
  readonly events: readonly SaleEvent[];
};

/** Sales of these terminals, oldest first. A sale without a terminal number in any of its requests belongs to none. */
export const listedSales = (payments: readonly unknown[], terminalIds: ReadonlySet<string>): ListedSale[] => {
  const groups = Map.groupBy(payments, (payment) => textAt(payment, 'merchantTransactionId') ?? '');
  groups.delete('');
  return [...groups]
    .flatMap(([sale, group]) => listedSale(sale, group, terminalIds) ?? [])
    .sort((left, right) => left.at - right.at || left.sequence - right.sequence);
};

const listedSale = (
  sale: string,
  payments: readonly unknown[],
  terminalIds: ReadonlySet<string>,
): ListedSale | undefined => {
  const own = payments.find((payment) => terminalIds.has(textAt(payment, 'pos.terminalId') ?? ''));
  const terminalId = textAt(own, 'pos.terminalId');
  if (terminalId === undefined) return undefined;
  const inTime = [...payments].sort((left, right) => timeOf(left) - timeOf(right));
  const numbers = payments.map(sequenceOf).filter((one) => one > 0);
  return {
    sale,
    terminalId,
    payments: inTime,
    sequence: numbers.length === 0 ? 0 : Math.min(...numbers),
    at: timeOf(inTime[0]),
  };
};

const sequenceOf = (payment: unknown): number => saleNumberIn(textAt(payment, 'pos.transactionSequenceNumber') ?? '');

/** `yyyy-MM-dd HH:mm:ss+0000`, ms; UTC without a zone. */
export const gatewayTime = (timestamp = ''): number | undefined => {
  const text = timestamp.replace(' ', 'T');
  const at = Date.parse(/[zZ]$|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(at) ? undefined : at;
};

const timeOf = (payment: unknown): number => gatewayTime(textAt(payment, 'timestamp')) ?? 0;

type Parent = { readonly followed: FollowedSale; readonly operation: Operation; readonly amount: Money };

export type LearningParts = Pick<Host, 'meaningOf'> & {
  /** The sale with this payment id at the gateway; undefined if the journal does not know it either. */
  parentOf(payment: string): Parent | undefined;
  /** The currency of declined payments, whose amount is not reported. */
  currency: string;
};

type Listed = {
  readonly paymentType: string;
  readonly means: Meaning;
  readonly referenced: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
};

/** The record of the sale; undefined while the gateway has not decided, and for follow-ups of an unknown payment. */
export const learnedFrom = ({ payments }: ListedSale, parts: LearningParts): LearnedSale | undefined => {
  const rows = payments.flatMap((body) => listedRow(body, parts));
  if (rows.some(({ means }) => !isDecided(means))) return undefined;
  const requests = rows.filter(({ paymentType }) => paymentType !== 'RV');
  const main = bestListed(requests) ?? bestListed(rows);
  if (main === undefined) return undefined;
  const parent = main.referenced === undefined ? undefined : parts.parentOf(main.referenced);
  const operation = operationOf(main, parent?.operation);
  if (operation === undefined || (main.referenced !== undefined && parent === undefined)) return undefined;
  const amount = amountIn(main.body) ?? parent?.amount ?? money(0n, parts.currency);
  // A reversal under the sale's own reference came from the till: it reversed the approval by itself.
  const reversal = requests.length === 0 ? undefined : rows.find((row) => row.paymentType === 'RV' && isYes(row.means));
  const card = cardIn(main.body);
  return { operation, amount, events: eventsOf(main, reversal), follows: parent?.followed, card };
};

const listedRow = (body: unknown, { meaningOf }: Pick<Host, 'meaningOf'>): Listed[] => {
  if (typeof body !== 'object' || body === null) return [];
  const means = meaningOf(textAt(body, 'result.code') ?? '', body);
  const [paymentType, referenced] = [textAt(body, 'paymentType') ?? '', textAt(body, 'referencedId')];
  return [{ paymentType, means, referenced, body: body as Listed['body'] }];
};

const isYes = (means: Meaning): boolean => means === 'approved' || means === 'liveAnswer';
const isDecided = (means: Meaning): boolean =>
  isYes(means) || means === 'declined' || means === 'refused' || means === 'testAnswer';

/** The approved one of several tries, otherwise the last. */
const bestListed = (rows: readonly Listed[]): Listed | undefined =>
  rows.find(({ means }) => isYes(means)) ?? rows.at(-1);

const operationOfType: Readonly<Record<string, Operation>> = { DB: 'sale', PA: 'preauthorisation', CD: 'credit' };
const following: Readonly<Record<string, Operation>> = { RF: 'refund', CP: 'completion', PA: 'increment', RV: 'void' };

const operationOf = ({ paymentType, referenced }: Listed, parent: Operation | undefined): Operation | undefined => {
  if (referenced === undefined) return operationOfType[paymentType];
  return paymentType === 'RV' && parent === 'preauthorisation' ? 'release' : following[paymentType];
};

const eventsOf = (main: Listed, reversal: Listed | undefined): SaleEvent[] => {
  const answer = answerIn(main);
  if (!isYes(main.means)) return [{ on: 'hostDeclined', answer }];
  if (reversal === undefined) return [{ on: 'hostApproved', answer }];
  return [{ on: 'restarted' }, { on: 'reversed', how: 'reversed', answer }];
};

const answerIn = ({ body }: Listed): HostAnswer =>
  answerOf({
    code: textAt(body, 'result.code') ?? '',
    description: safeText(textAt(body, 'result.description') ?? ''),
    body,
  });

/** First six and last four digits, as the gateway reports them; it does not say how the customer was verified. */
const cardIn = (body: unknown): CardFacts | undefined => {
  const [bin, last4] = [textAt(body, 'card.bin') ?? '', textAt(body, 'card.last4Digits') ?? ''];
  const entryMode = entryModes.find((mode) => mode === textAt(body, 'pos.entryMode'));
  if (entryMode === undefined || !/^\d{6}$/.test(bin) || !/^\d{4}$/.test(last4)) return undefined;
  return { entryMode, maskedPan: `${bin}******${last4}`, verification: 'none' };
};
