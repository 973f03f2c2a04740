/**
 * What the gateway has of a terminal in a period: asked by time, and not sale by sale. So a till also learns of
 * payments under its terminal id that it does not know itself.
 */

import type { Money } from '../base/money.ts';
import { codes } from '../base/result-codes.ts';
import { textAt } from '../till/answer.ts';
import { amountIn } from '../till/evidence.ts';
import { type Host, type HostReply, LIST_MOST, type Meaning, type Period } from '../till/ports.ts';
import type { Sale } from '../till/sale.ts';

/** A payment as the gateway lists it. */
export type ListedPayment = {
  /** The gateway's id of it. */
  readonly payment: string;
  readonly paymentType: string;
  readonly code: string;
  readonly means: Meaning;
  /** Only of payments that were approved, or may be. */
  readonly amount?: Money;
  /** Its merchantTransactionId, which is a sale's id where a till sent it. */
  readonly saleId?: string;
  /** The payment that it follows. */
  readonly referencedId?: string;
  readonly terminalId?: string;
  /** pos.transactionSequenceNumber. */
  readonly sequence?: number;
  /** As the gateway writes it: `yyyy-MM-dd HH:mm:ss+0000`. */
  readonly timestamp?: string;
};

export type Listing = {
  /** The newest part of the period first. */
  readonly payments: readonly ListedPayment[];
  /**
   * Everything from this time on, to the end of the period, is listed. It is later than what was asked for where the
   * gateway did not answer any more, or where it had too much; undefined where nothing can be said of any time.
   */
  readonly from: number | undefined;
};

export type ListOptions = {
  /** So many requests at most: what is older is not listed then. */
  requestsMost: number;
  /** What is of interest; all of it where nothing is said. */
  keeps?(payment: ListedPayment): boolean;
};

export type TerminalListing = Pick<Listing, 'from'> & {
  /** All that the gateway has under the terminal's id. */
  readonly listed: readonly ListedPayment[];
  /** Of these, what belongs to no sale of the journal: another till's, or an older copy's of this one. */
  readonly unknownHere: readonly ListedPayment[];
  /** Of the given sales, those of which nothing is listed: a gateway may still have them under another time. */
  readonly missingThere: readonly Sale[];
  /** The payments of each given sale, and what follows these without being known to the journal. */
  readonly bySale: ReadonlyMap<string, readonly ListedPayment[]>;
};

export type TerminalQuestion = {
  terminalId: string;
  period: Period;
  /** The journal's sales of that time. */
  sales: readonly Sale[];
  /** Whether the journal has this sale. */
  knows(saleId: string): boolean;
  requestsMost: number;
};

/** Compares the gateway's payments of a terminal with the journal's sales. Never rejects. */
export const listTerminal = async (
  host: Host,
  { terminalId, period, sales, knows, requestsMost }: TerminalQuestion,
): Promise<TerminalListing> => {
  const ids = new Set(sales.map(({ intent }) => intent.sale));
  const isUnknown = ({ saleId }: ListedPayment): boolean => saleId === undefined || !knows(saleId);
  const isOurs = (one: ListedPayment): boolean => one.terminalId === terminalId;
  const { payments, from } = await listPeriod(host, period, {
    requestsMost,
    keeps: (one) => isOurs(one) || ids.has(one.saleId ?? '') || (one.referencedId !== undefined && isUnknown(one)),
  });
  const own = Map.groupBy(payments, ({ saleId = '' }) => saleId);
  const strangers = Map.groupBy(payments.filter(isUnknown), ({ referencedId = '' }) => referencedId);
  const bySale = new Map(
    sales.flatMap(({ intent: { sale: id, at } }) => {
      const mine = isAllListed(at, { from, period }) ? own.get(id) : undefined;
      return mine === undefined
        ? []
        : [[id, [...mine, ...mine.flatMap(({ payment }) => strangers.get(payment) ?? [])]]];
    }),
  );
  const listed = payments.filter(isOurs);
  return {
    ...{ listed, from, bySale },
    unknownHere: listed.filter(isUnknown),
    missingThere: sales.filter(({ intent }) => !bySale.has(intent.sale)),
  };
};

/** Clocks of tills and gateways differ by less. */
const CLOCKS_MS = 3_600_000;

/** Of a sale that was begun before what is listed there may be more than the list has. */
const isAllListed = (at: number, { from, period }: Pick<Listing, 'from'> & { period: Period }): boolean =>
  from !== undefined && (from <= period.from || from <= at - CLOCKS_MS);

const SECOND_MS = 1_000;

/** One stretch of a period, as the gateway answered about it. */
type ListedStretch =
  | {
      readonly kind: 'listed';
      readonly from: number;
      readonly payments: readonly unknown[];
      /** One second has more than an answer holds: the rest of it is not told. */
      readonly isCut: boolean;
    }
  | { readonly kind: 'unlisted'; readonly reply: HostReply };

/**
 * Asks for the whole period, and for its halves where an answer is full: the newest stretch first, none twice. Ends
 * with the first answer that is no list. `requestsMost`: what is older is not asked for then. Never rejects.
 */
export async function* listStretches(
  host: Pick<Host, 'list'>,
  period: Period,
  requestsMost = Number.POSITIVE_INFINITY,
): AsyncGenerator<ListedStretch, void, void> {
  /** The newest last: it is asked for next. */
  const open: Period[] = [{ from: toSecond(period.from), to: toSecond(period.to) }];
  for (let requests = 0; requests < requestsMost; requests += 1) {
    const next = open.pop();
    if (next === undefined) return;
    const reply = await host.list(next);
    const payments = listIn(reply);
    if (payments === undefined) {
      yield { kind: 'unlisted', reply };
      return;
    }
    const isFull = isFullWith(reply, payments);
    if (isFull && next.from < next.to) open.push(...halvesOf(next));
    else yield { kind: 'listed', from: next.from, payments, isCut: isFull };
  }
}

/** The payments of a period, as far back as the gateway lists them without a gap. Never rejects. */
export const listPeriod = async (
  host: Host,
  period: Period,
  { requestsMost, keeps = () => true }: ListOptions,
): Promise<Listing> => {
  const payments = new Map<string, ListedPayment>();
  let from: number | undefined;
  for await (const stretch of listStretches(host, period, requestsMost)) {
    // More in one second than an answer has: nothing older can be counted on.
    if (stretch.kind === 'unlisted' || stretch.isCut) break;
    from = stretch.from;
    for (const one of stretch.payments.flatMap((body) => listedIn(host, body)))
      if (keeps(one)) payments.set(one.payment, one);
  }
  return { payments: [...payments.values()], from };
};

const toSecond = (ms: number): number => Math.floor(ms / SECOND_MS) * SECOND_MS;

/** The older half, and the newer one. No second is in both. */
const halvesOf = ({ from, to }: Period): [Period, Period] => {
  const middle = toSecond((from + to) / 2);
  return [
    { from, to: middle },
    { from: middle + SECOND_MS, to },
  ];
};

const NOTHING_FOUND = codes.transactionNotFound;

/** The payments of an answer; undefined for one that is no list. */
const listIn = (reply: HostReply): readonly unknown[] | undefined => {
  if (reply.kind !== 'answered') return undefined;
  if (reply.code === NOTHING_FOUND) return [];
  const { payments } = reply.body;
  return reply.means === 'approved' && Array.isArray(payments) ? payments : undefined;
};

/** By their number, or because the gateway says so: long payments fill an answer sooner. */
const isFullWith = (reply: HostReply, found: readonly unknown[]): boolean =>
  found.length >= LIST_MOST ||
  (found.length > 0 &&
    reply.kind === 'answered' &&
    textAt(reply.body, 'resultDetails.ExtendedDescription') !== undefined);

/** One payment of a list, or nothing where it names none. */
export const listedIn = (
  host: Pick<Host, 'meaningOf'>,
  body: unknown,
  currency?: Money['currency'],
): ListedPayment[] => {
  const payment = textAt(body, 'id');
  if (payment === undefined) return [];
  const code = textAt(body, 'result.code') ?? '';
  const amount = amountIn(body, currency);
  const sequence = Number(textAt(body, 'pos.transactionSequenceNumber') ?? 'none');
  return [
    {
      payment,
      paymentType: textAt(body, 'paymentType') ?? '',
      code,
      means: host.meaningOf(code, body),
      ...(amount && { amount }),
      ...named('saleId', textAt(body, 'merchantTransactionId')),
      ...named('referencedId', textAt(body, 'referencedId')),
      ...named('terminalId', textAt(body, 'pos.terminalId')),
      ...(Number.isSafeInteger(sequence) && { sequence }),
      ...named('timestamp', textAt(body, 'timestamp')),
    },
  ];
};

const named = <Name extends string>(name: Name, value: string | undefined): { [K in Name]?: string } =>
  (value === undefined ? {} : { [name]: value }) as { [K in Name]?: string };
