/** Listing the gateway's payments of a period, by time. */
import { expect, test } from 'vitest';
import { listWhole } from '../../src/recovery/gateway-listing.ts';
import type { Host, HostReply, Period } from '../../src/till/ports.ts';
import { issuerBooks, meaningOf } from '../support/till/issuer-books.ts';
import { createReply } from '../support/till/till-rig.ts';

const NOON = Date.UTC(2026, 0, 2, 12);
const DAY = { from: NOON, to: NOON + 86_399_999 };

/** A gateway with `count` payments, one every `everyMs`, which records the requested periods. */
const booksOf = (
  count: number,
  everyMs: number,
  fails: (requestCount: number) => HostReply | undefined = () => undefined,
) => {
  let now = NOON;
  const issuer = issuerBooks(
    () => true,
    () => 'test',
    { now: () => now },
  );
  for (let n = 0; n < count; n += 1) {
    now = NOON + n * everyMs;
    const terminalId = n % 3 === 0 ? '7' : '8';
    issuer.take(
      {
        paymentType: 'DB',
        merchantTransactionId: `sale-${n}`,
        amount: '1.00',
        currency: 'EUR',
        'pos.terminalId': terminalId,
      },
      `key-${n}`,
    );
  }
  const periods: Period[] = [];
  const list: Host['list'] = async (period) => {
    periods.push(period);
    return fails(periods.length) ?? issuer.list(period);
  };
  return { host: { list, meaningOf } as Host, periods, issuer };
};

const numbersOf = (payments: readonly { saleId?: string }[]): number[] =>
  payments.map(({ saleId = '' }) => Number(saleId.slice(5))).sort((left, right) => left - right);
const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

/** The numbers of the listed payments, each once; or that the answer is no list. */
const listed = async (host: Host, period: Period): Promise<number[] | 'unlisted'> => {
  const list = await listWhole(host, period);
  return list.kind === 'listed' ? numbersOf([...list.payments.values()]) : list.kind;
};

test('a period that fits one answer is one request', async () => {
  const { host, periods } = booksOf(499, 10_000);
  expect(await listed(host, DAY)).toEqual(upTo(499));
  expect(periods).toEqual([{ from: NOON, to: NOON + 86_399_000 }]);
});

test('after a full answer the time before its oldest payment is requested, and no payment is lost', async () => {
  const { host, periods } = booksOf(1_700, 50_000);
  expect(await listed(host, DAY)).toEqual(upTo(1_700));
  // Each answer has 500 payments; the next period ends with the second of the oldest one, which it lists again.
  expect(periods.map(({ to }) => (to - NOON) / 1_000)).toEqual([86_399, 60_000, 35_050, 10_100]);
  expect(new Set(periods.map(({ from }) => from))).toEqual(new Set([NOON]));
});

test('when the gateway’s times are in another zone, halves are requested, and no payment is lost', async () => {
  const { host, issuer, periods } = booksOf(1_700, 20_000);
  const AHEAD_MS = 2 * 3_600_000;
  const list: Host['list'] = async (period) => {
    periods.push(period);
    return issuer.list({ from: period.from - AHEAD_MS, to: period.to + AHEAD_MS });
  };
  expect(await listed({ ...host, list }, DAY)).toEqual(upTo(1_700));
});

test('an answer that is no list ends the listing, and is reported', async () => {
  const busy = createReply('800.120.100', 'later');
  const { host } = booksOf(1_700, 50_000, (requestCount) => (requestCount > 2 ? busy : undefined));
  expect(await listWhole(host, DAY)).toEqual({ kind: 'unlisted', reply: busy });
});

test('more payments in one second than an answer holds make no list', async () => {
  const { host } = booksOf(501, 1);
  expect(await listWhole(host, { from: NOON, to: NOON + 60_000 })).toEqual({ kind: 'unlisted', reply: undefined });
});

test('an answer that the gateway reports as truncated counts as full', async () => {
  const { host, issuer, periods } = booksOf(4, 60_000);
  const listInParts: Host['list'] = async (period) => {
    periods.push(period);
    const reply = issuer.list(period);
    const { payments = [] } = (reply.kind === 'answered' ? reply.body : {}) as { payments?: unknown[] };
    if (payments.length < 3) return reply;
    return createReply('000.000.100', 'approved', {
      payments: payments.slice(0, 2),
      resultDetails: { ExtendedDescription: '2 more do not fit into one answer' },
    });
  };
  expect(await listed({ ...host, list: listInParts }, { from: NOON, to: NOON + 200_000 })).toEqual(upTo(4));
});
