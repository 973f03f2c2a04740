/** `demo`: one shop day in seconds, without a question, on real bytes. Exit 0 only if every cent is accounted for. */
import type { Command } from 'commander';
import { systemClock } from '../../base/clock.ts';
import { parseAmount, printMoney } from '../../base/money.ts';
import type { AuditRow } from '../../runtime/audit.ts';
import { aboutSale, billOfSale, openHolds } from '../../runtime/bills.ts';
import { type Ended, isSigned } from '../../runtime/outcome.ts';
import { receiptLines } from '../../runtime/receipts.ts';
import { billState } from '../bill-words.ts';
import { names, print, resultLines, tell } from '../terms.ts';
import { closing, holdsLine } from './closing.ts';
import { day, type Scene } from './day.ts';
import { type Counter, openShop, type Shop } from './shop.ts';

export const addDemo = (program: Command): void => {
  program
    .command('demo')
    .description(
      'one shop day: simulated cards and terminal, real bytes and cryptography, receipts, and a closing table',
    )
    .action(async () => {
      const shop = await openShop();
      try {
        const asExpected = await play(shop);
        const agrees = await close(shop);
        if (!asExpected) tell('A sale did not end as it should have: see above.');
        process.exitCode = asExpected && agrees ? 0 : 1;
      } finally {
        await shop.close();
      }
    });
};

const play = async (shop: Shop): Promise<boolean> => {
  /** By the names of their scenes. */
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

type Played = Exclude<Scene, { kind: 'line' }>;

const act = (counter: Counter, scene: Played, receipts: ReadonlyMap<string, number>) => {
  const { till, config } = counter.till;
  const amountOf = (text: string) => parseAmount(text, config.currency);
  const receiptOf = (name: string): number => receipts.get(name) ?? 0;
  const amount = amountOf(scene.amount);
  const hear = () => {};
  if (scene.kind === 'gift') return till.payByGiftCard({ amount, number: scene.number }, hear);
  if (scene.kind === 'follow') {
    const { operation, of, tip } = scene;
    const request = { operation, receipt: receiptOf(of), amount, ...(tip !== undefined && { tip: amountOf(tip) }) };
    return till.follow(request, hear);
  }
  counter.comes(scene.comes);
  if (scene.operation === 'preauthorisation') return till.preauthorise({ amount }, hear);
  if (scene.operation === 'credit') return till.credit({ amount }, hear);
  const bill = scene.rest === undefined ? undefined : billOfSale(counter.till, till.find(receiptOf(scene.rest)));
  const { partial } = scene;
  return till.sell(
    { amount, ...(partial && { partial }), ...(bill && { bill: { id: bill.id, total: bill.total } }) },
    hear,
  );
};

/** Each sale that was taken offline, and what the bank made of it. */
const comeBack = async (shop: Shop): Promise<void> => {
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
    const about = aboutSale(shop.counters.first.till, now);
    print(`\n${receiptLines(now, config, { copy: 'merchant', width: 42, duplicate: true, about }).join('\n')}\n`);
  }
  print(`${done} stored messages sent and answered, ${later} to be tried again, ${parked} for a person.`);
};

const show = ({ till }: Counter, ended: Ended): void => {
  for (const line of resultLines(ended)) print(line);
  const bill = billOfSale(till, ended);
  if (bill !== undefined) print(billState(bill));
  const about = aboutSale(till, ended);
  const paper = (copy: 'merchant' | 'customer') =>
    `\n${receiptLines(ended, till.config, { copy, width: 42, about }).join('\n')}`;
  if (isSigned(ended)) print(paper('merchant'));
  print(paper('customer'));
};

const close = async ({ counters }: Shop): Promise<boolean> => {
  let allAgree = true;
  for (const { name, till } of Object.values(counters)) {
    const rows: AuditRow[] = [];
    for await (const row of till.audit()) rows.push(row);
    const { lines, agrees } = closing(rows, till.config.currency);
    print(`\n=== The day's account, ${name}\n\n${lines.join('\n')}`);
    print(holdsLine(openHolds(till, systemClock.now())));
    allAgree &&= agrees;
  }
  return allAgree;
};
