/** A terminal that authorises by itself closes its own day with the batch; its paper is held against the till's sum. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Fault } from '../../src/base/fault.ts';
import { openBooks } from '../../src/runtime/books.ts';
import { booksDesk } from '../../src/runtime/books-desk.ts';
import { zLines } from '../../src/runtime/books-print.ts';
import type { RunningTill } from '../../src/runtime/start-till.ts';
import { tillSigner } from '../../src/runtime/till-signer.ts';
import { intent } from '../reconciliation/sale-cases.ts';
import { openShop, type Shop } from './shop.ts';

const signer = tillSigner(new Uint8Array(32).fill(7));

let shop: Shop;
let running: RunningTill | undefined;
beforeEach(() => {
  shop = openShop();
});
afterEach(async () => {
  await running?.close();
  shop.remove();
});

const paper = (lines: readonly string[], crash: boolean) => {
  let asked = 0;
  return {
    asked: () => asked,
    async endOfDay() {
      asked += 1;
      if (crash && asked === 1) throw new Fault('link.lost', { port: 'twin', why: 'as told' });
      return { lines };
    },
  };
};

test.each([
  ['its sum stands there', ['KASSENSCHNITT', 'SUMME EUR 1.234,56'], true],
  ['another one stands there', ['KASSENSCHNITT', 'SUMME EUR 1.234,00'], false],
])('a terminal with a day of its own closes it, once: %s', async (_, lines, agrees) => {
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
  const device = paper(lines, true);
  const rule = { cutOff: '04:00', timeZone: 'UTC' };
  const now = () => ({ at: Date.now(), trusted: true });
  const desk = () =>
    booksDesk({
      books: openBooks({ journal: till.journal, terminalId: till.config.terminalId, rule, now }),
      ...{ ledger: till.ledger, journal: till.journal, host: shop.host, merchantId: 'e'.repeat(32), signer },
      integrated: { get: async () => device as never, drop: async () => {} },
      drain: async () => {},
    });
  await expect(desk().close()).rejects.toMatchObject({ code: 'link.lost' });
  const z = await desk().close();
  expect(z.terminal).toEqual({ lines, till: '1234.56 EUR', agrees });
  expect(device.asked()).toBe(2);
  expect(zLines(z, till.config, 42).join('\n')).toContain(lines[1]);
});
