/**
 * A terminal that authorises by itself closes its own day with the batch; its report is compared with the till's sum.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunningTill } from '../../src/app/start-till.ts';
import { systemClock } from '../../src/base/clock.ts';
import { Fault } from '../../src/base/fault.ts';
import { openBooks } from '../../src/books/books.ts';
import { hasSum } from '../../src/books/closing/close.ts';
import { openClosingGate } from '../../src/books/closing/gate.ts';
import { zLines } from '../../src/books/reports/print.ts';
import { openTerminalBooks } from '../../src/books/till-books.ts';
import { tillSigner } from '../../src/folder/keys/till-signer.ts';
import { openAgreement } from '../../src/recovery/gateway-agreement.ts';
import { openShop, type Shop } from '../app/shop.ts';
import { intent } from '../reconciliation/sale-cases.ts';

const signer = tillSigner(new Uint8Array(32).fill(7));

let shop: Shop;
let running: RunningTill | undefined;
beforeEach(() => {
  shop = openShop();
});
afterEach(async () => {
  await running?.close();
  running = undefined;
  shop.remove();
});

const openPaper = (lines: readonly string[], crash: boolean) => {
  let requestCount = 0;
  return {
    asked: () => requestCount,
    async endOfDay() {
      requestCount += 1;
      if (crash && requestCount === 1) throw new Fault('link.lost', { port: 'twin', why: 'as told' });
      return { lines };
    },
  };
};

const AGAIN = 'asked again';

test.each([
  [
    'its report has the sum',
    ['KASSENSCHNITT', 'SUMME EUR 1.234,56'],
    { agrees: true, breaks: false, says: 'The same' },
  ],
  [
    'its report has another sum',
    ['KASSENSCHNITT', 'SUMME EUR 1.234,00'],
    { agrees: false, breaks: false, says: 'is not below' },
  ],
  [
    'an interruption, then its sum',
    ['KASSENSCHNITT', 'SUMME EUR 1.234,56'],
    { agrees: true, breaks: true, says: 'The same' },
  ],
  [
    'an interruption, then an empty day',
    ['KEINE UMSÄTZE', 'SUMME EUR 0,00'],
    { agrees: false, breaks: true, says: AGAIN },
  ],
])('a terminal closes its own day: %s', async (_, lines, { agrees, breaks, says }) => {
  const till = await shop.start();
  running = till;
  const own = { terminal: { receiptNumber: '0001', amount: { minor: 123_456n, currency: 'EUR' } } };
  const sale = intent({ receipt: 1, sequence: 1, by: 'terminal', terminalId: till.config.terminalId });
  till.ledger.record(sale.sale, { on: 'intended', intent: { ...sale, amount: own.terminal.amount } });
  till.ledger.record(sale.sale, { on: 'terminalNoted', device: 'TWIN', before: { text: 'none' } });
  till.ledger.record(sale.sale, {
    on: 'terminalApproved',
    payment: own.terminal,
    slip: { customer: [], merchant: [] },
  });
  const device = openPaper(lines, breaks);
  const rule = { cutOff: '04:00', timeZone: 'UTC' };
  const now = () => ({ at: Date.now(), trusted: true });
  const { journal, ledger } = till;
  const books = openBooks({ journal, terminalId: till.config.terminalId, rule, now });
  const reported = { gateway: 'twin', batches: books.batches, now: Date.now, clock: systemClock };
  const service = () =>
    openTerminalBooks({
      ...{ books, ledger, journal, host: shop.host, merchantId: 'e'.repeat(32), signer },
      agreement: openAgreement({ journal, ledger, host: shop.host, ...reported }),
      integrated: { get: async () => device as never, drop: async () => {} },
      drain: async () => {},
      ...{ clock: systemClock, gate: openClosingGate(systemClock) },
    });
  if (breaks) await expect(service().close()).rejects.toMatchObject({ code: 'link.lost' });
  const z = await service().close();
  expect(z.terminal).toEqual({ lines, till: '1234.56 EUR', agrees, askedAgain: breaks || undefined });
  expect(device.asked()).toBe(breaks ? 2 : 1);
  const printed = zLines(z, till.config, { width: 42, mode: till.mode }).join('\n');
  expect(printed).toContain(lines[1]);
  expect(printed).toContain(says);
});

const zero = { minor: 0n, currency: 'EUR' };

test.each([
  ['SUMME EUR 1.234,56', { minor: 123_456n, currency: 'EUR' }, true],
  ['TOTAL 1,234.56', { minor: 123_456n, currency: 'EUR' }, true],
  ['-5,00', { minor: -500n, currency: 'EUR' }, true],
  ['TOTAL 11.234,56', { minor: 123_456n, currency: 'EUR' }, false],
  ['TOTAL 1.234,567', { minor: 123_456n, currency: 'EUR' }, false],
  ['TOTAL 0,00', zero, true],
  ['TOTAL JPY 1,234', { minor: 1_234n, currency: 'JPY' }, true],
  ['TOTAL JPY 1234', { minor: 1_234n, currency: 'JPY' }, true],
  ['TERMINAL 1234', { minor: 1_234n, currency: 'JPY' }, false],
  ['TOTAL TND 1.234,567', { minor: 1_234_567n, currency: 'TND' }, true],
  ['TOTAL TND 1.234,56', { minor: 123_456n, currency: 'TND' }, false],
] as const)('a line "%s" names %o: %s', (line, sum, is) => {
  expect(hasSum([line], sum)).toBe(is);
});
