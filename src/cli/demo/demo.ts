/** `demo`: a shop's day within seconds, with real protocol bytes. Exit code 0 only if every cent is accounted for. */
import type { Command } from 'commander';
import { systemClock } from '../../base/clock.ts';
import { parseAmount, printMoney } from '../../base/money.ts';
import { formatEnglish } from '../../base/placeholders.ts';
import { zLines } from '../../books/reports/print.ts';
import { comparisonOf } from '../../books/settlement-service.ts';
import { billOfSale, openHolds, receiptContextOf } from '../../ledger/bills.ts';
import { type Ended, isSigned, outcomeJson } from '../../ledger/outcome.ts';
import { receiptLines } from '../../printing/receipts.ts';
import type { AuditRow } from '../../recovery/audit.ts';
import { billState } from '../selling/live-sale.ts';
import { names, print, resultLines, tell } from '../terms.ts';
import { closing, holdsLine, settled } from './closing.ts';
import { day, type Scene } from './day.ts';
import { type DemoCounter, type DemoShop, openShop } from './shop.ts';

export const addDemo = (program: Command): void => {
  program
    .command('demo')
    .description(
      'a day in a shop: simulated cards and terminals, real protocols and cryptography, receipts, and a closing table',
    )
    .action(async () => {
      const since = systemClock.now();
      const shop = await openShop();
      try {
        const asExpected = await play(shop);
        const agrees = await close(shop, since);
        if (!asExpected) tell('A sale did not end as expected: see above.');
        process.exitCode = asExpected && agrees ? 0 : 1;
      } finally {
        await shop.close();
      }
    });
};

const play = async (shop: DemoShop): Promise<boolean> => {
  /** By the name of the scene. */
  const receipts = new Map<string, number>();
  let asExpected = true;
  let up = true;
  for (const [at, scene] of day.entries()) {
    print(`\n=== ${at + 1}. ${scene.says}`);
    if (scene.kind === 'line') {
      up = scene.up;
      await (up ? comeBack(shop) : shop.cutLine());
      continue;
    }
    const counter = shop.counters[scene.at];
    const ended = await act(counter, scene, receipts).done;
    if (scene.name !== undefined) receipts.set(scene.name, ended.intent.receipt);
    if (up) await counter.till.forwarder.drain('all');
    show(counter, ended);
    asExpected &&= ended.ending === scene.ends;
  }
  return asExpected;
};

/** Sends the sales that were taken offline, and prints the bank's answer to each. */
const comeBack = async (shop: DemoShop): Promise<void> => {
  const { till, forwarder, outbox, config } = shop.counters.first.till;
  const stored = outbox.waiting();
  await shop.mendLine();
  const { done, later, parked } = await forwarder.drain('all');
  for (const { sale } of stored) {
    const now = till.findSale(sale);
    if (now.at !== 'ended' || now.forwarded === undefined) continue;
    const { receipt, amount, operation } = now.intent;
    const word = now.answer?.statusText ?? (now.forwarded.approved ? 'APPROVED' : 'DECLINED');
    const said = [word, now.answer?.authorisationCode].filter(Boolean).join(' ');
    print(`${String(receipt).padStart(6, '0')}  ${names[operation]}  ${printMoney(amount)}  sent: ${said}`);
    const about = receiptContextOf(shop.counters.first.till, now);
    print(
      `\n${receiptLines(now, config, { mode: 'test', copy: 'merchant', width: 42, duplicate: true, about }).join('\n')}\n`,
    );
  }
  const sent =
    '{done, plural, one {# stored message was} other {# stored messages were}} answered, {later} will be retried, {parked} for a person.';
  print(formatEnglish(sent, { done, later, parked }));
};

const show = ({ till }: DemoCounter, ended: Ended): void => {
  for (const line of resultLines(outcomeJson(ended, till.mode))) print(line);
  const bill = billOfSale(till, ended);
  if (bill !== undefined) print(billState(bill));
  const about = receiptContextOf(till, ended);
  const paper = (copy: 'merchant' | 'customer') =>
    `\n${receiptLines(ended, till.config, { mode: till.mode, copy, width: 42, about }).join('\n')}`;
  if (isSigned(ended)) print(paper('merchant'));
  print(paper('customer'));
};

const close = async (shop: DemoShop, since: number): Promise<boolean> => {
  let allAgree = true;
  for (const { name, till } of Object.values(shop.counters)) {
    const rows: AuditRow[] = [];
    for await (const row of till.audit()) rows.push(row);
    const { lines, agrees } = closing(rows, till.config.currency);
    print(`\n=== The day's account, ${name}\n\n${lines.join('\n')}`);
    print(holdsLine(openHolds(till, systemClock.now())));
    allAgree &&= agrees;
  }
  for (const { name, till } of Object.values(shop.counters)) {
    print(`\n=== The batch is closed, ${name}\n`);
    const z = await till.books.close();
    print(zLines(z, till.config, { width: 42, mode: till.mode }).join('\n'));
    allAgree &&= z.differences.length === 0 && z.open.length === 0 && z.terminal?.agrees !== false;
  }
  return (await reconcile(shop, since)) && allAgree;
};

/** Only the first counter: the second terminal authorises by itself, so the gateway settles none of its payments. */
const reconcile = async ({ counters, settlementFile }: DemoShop, since: number): Promise<boolean> => {
  const { books, config } = counters.first.till;
  const file = await settlementFile(since);
  const result = await books.reconcile({ file });
  const { lines, agrees } = settled(comparisonOf(result), books.batches(), config.currency);
  print(`\n=== The acquirer's settlement file, first counter\n\n${lines.join('\n')}`);
  return agrees;
};

// Plays one scene of the demo's day at its counter.

export type Played = Exclude<Scene, { kind: 'line' }>;

/** `receipts`: the receipt of each named scene. Throws what the till throws. */
export const act = (counter: DemoCounter, scene: Played, receipts: ReadonlyMap<string, number>) => {
  const { till, config } = counter.till;
  const amountOf = (text: string) => parseAmount(text, config.currency);
  const receiptOf = (name: string): number => receipts.get(name) ?? 0;
  const amount = amountOf(scene.amount);
  const hear = () => {};
  if (scene.kind === 'gift') return till.payByGiftCard({ amount, number: scene.number }, hear);
  if (scene.kind === 'follow') {
    const { operation, of, tip } = scene;
    const request = { operation, receipt: receiptOf(of), amount, tip: tip === undefined ? undefined : amountOf(tip) };
    return till.follow(request, hear);
  }
  counter.comes(scene.comes);
  if (scene.operation === 'preauthorisation') return till.preauthorise({ amount }, hear);
  if (scene.operation === 'credit') return till.credit({ amount }, hear);
  const bill = scene.rest === undefined ? undefined : billOfSale(counter.till, till.find(receiptOf(scene.rest)));
  const { partial } = scene;
  return till.sell({ amount, partial, bill: bill && { id: bill.id, total: bill.total } }, hear);
};
