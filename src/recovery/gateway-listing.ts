/**
 * Lists the gateway's payments of a period, by time instead of sale by sale. This also finds payments under the till's
 * terminal ids that the till does not know.
 */
import type { Money } from '../base/money.ts';
import { codes } from '../base/result-codes.ts';
import { amountIn, textAt } from '../till/gateway/answer.ts';
import { gatewayTime } from '../till/gateway/learned.ts';
import { type Host, type HostReply, LIST_MOST, type Meaning, type Period } from '../till/ports.ts';

export type ListedPayment = {
  /** The gateway's id for it. */
  readonly payment: string;
  readonly paymentType: string;
  readonly code: string;
  readonly means: Meaning;
  /** Only for payments that were approved, or may have been. */
  readonly amount?: Money;
  /** Its merchantTransactionId, which is a sale's id if a till sent it. */
  readonly saleId?: string;
  /** The payment that it follows. */
  readonly referencedId?: string;
  readonly terminalId?: string;
  /** pos.transactionSequenceNumber. */
  readonly sequence?: number;
  /** In the gateway's format: `yyyy-MM-dd HH:mm:ss+0000`. */
  readonly timestamp?: string;
};

const SECOND_MS = 1_000;

/** Part of a period, with the gateway's answer about it. */
type ListedStretch =
  | {
      readonly kind: 'listed';
      readonly from: number;
      readonly payments: readonly unknown[];
      /** One second has more payments than an answer holds, and the rest is missing. */
      readonly isCut: boolean;
    }
  | { readonly kind: 'unlisted'; readonly reply: HostReply };

/**
 * Requests the whole period, and its halves where an answer is full: newest part first, none twice. Ends with the first
 * answer that is no list. Never rejects.
 */
export async function* listStretches(
  host: Pick<Host, 'list'>,
  period: Period,
): AsyncGenerator<ListedStretch, void, void> {
  /** The newest period is last and is requested next. */
  const open: Period[] = [{ from: toSecond(period.from), to: toSecond(period.to) }];
  for (;;) {
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

/**
 * All payments of a period by id, or the answer that is no list. There is no list when one second has too many
 * payments.
 */
export type ListResult =
  | { readonly kind: 'listed'; readonly payments: ReadonlyMap<string, ListedPayment> }
  | { readonly kind: 'unlisted'; readonly reply: HostReply | undefined };

/**
 * Each request ends with the second of the oldest payment in the full answer before, since answers contain the newest.
 */
export const listWhole = async (host: Pick<Host, 'list' | 'meaningOf'>, { from, to }: Period): Promise<ListResult> => {
  const payments = new Map<string, ListedPayment>();
  const add = (bodies: readonly unknown[]): void => {
    for (const one of bodies.flatMap((body) => listGatewayPayments(host, body))) payments.set(one.payment, one);
  };
  for (let endSeconds = toSecond(to); ; ) {
    const reply = await host.list({ from: toSecond(from), to: endSeconds });
    const page = listIn(reply);
    if (page === undefined) return { kind: 'unlisted', reply };
    add(page);
    if (!isFullWith(reply, page)) return { kind: 'listed', payments };
    const oldest = oldestIn(page);
    if (oldest === undefined || oldest >= endSeconds) {
      // The gateway's times are in another zone than the request's, so the period is halved instead.
      for await (const stretch of listStretches(host, { from, to: endSeconds })) {
        if (stretch.kind === 'unlisted') return { kind: 'unlisted', reply: stretch.reply };
        if (stretch.isCut) return { kind: 'unlisted', reply: undefined };
        add(stretch.payments);
      }
      return { kind: 'listed', payments };
    }
    endSeconds = oldest;
  }
};

/** The time of the oldest payment, to the second. Undefined when a payment has no time. */
const oldestIn = (bodies: readonly unknown[]): number | undefined => {
  const times = bodies.map((body) => gatewayTime(textAt(body, 'timestamp') ?? 'none'));
  return times.some((at) => at === undefined)
    ? undefined
    : toSecond(times.reduce<number>((first, at = first) => Math.min(first, at), Number.POSITIVE_INFINITY));
};

const toSecond = (ms: number): number => Math.floor(ms / SECOND_MS) * SECOND_MS;

/** Splits a period into its older and its newer half. No second is in both. */
const halvesOf = ({ from, to }: Period): [Period, Period] => {
  const middle = toSecond((from + to) / 2);
  return [
    { from, to: middle },
    { from: middle + SECOND_MS, to },
  ];
};

const NOTHING_FOUND = codes.transactionNotFound;

/** The payments of an answer. Undefined for an answer that is no list. */
const listIn = (reply: HostReply): readonly unknown[] | undefined => {
  if (reply.kind !== 'answered') return undefined;
  if (reply.code === NOTHING_FOUND) return [];
  const { payments } = reply.body;
  return reply.means === 'approved' && Array.isArray(payments) ? payments : undefined;
};

/** Full by the number of payments, or because the gateway says so: long payments fill an answer sooner. */
const isFullWith = (reply: HostReply, found: readonly unknown[]): boolean =>
  found.length >= LIST_MOST ||
  (found.length > 0 &&
    reply.kind === 'answered' &&
    textAt(reply.body, 'resultDetails.ExtendedDescription') !== undefined);

/** One payment of a list. Undefined when it has no id. */
export const listGatewayPayments = (
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
      amount,
      ...withValue('saleId', textAt(body, 'merchantTransactionId')),
      ...withValue('referencedId', textAt(body, 'referencedId')),
      ...withValue('terminalId', textAt(body, 'pos.terminalId')),
      sequence: Number.isSafeInteger(sequence) ? sequence : undefined,
      ...withValue('timestamp', textAt(body, 'timestamp')),
    },
  ];
};

const withValue = <Name extends string>(name: Name, value: string | undefined): { [K in Name]?: string } =>
  (value === undefined ? {} : { [name]: value }) as { [K in Name]?: string };
