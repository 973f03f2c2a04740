/** `demo`: one shop day in seconds, without a question, on real bytes. Exit 0 only if every cent is accounted for. */
import type { Command } from 'commander';
import { parseAmount, printMoney } from '../../base/money.ts';
import type { AuditRow } from '../../runtime/audit.ts';
import { type Ended, isSigned } from '../../runtime/outcome.ts';
import { receiptLines } from '../../runtime/receipts.ts';
import { print, resultLines, tell } from '../terms.ts';
import { closing } from './closing.ts';
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
  const receipts: number[] = [];
  let asExpected = true;
  for (const [at, scene] of day.entries()) {
    print(`\n=== ${at + 1}. ${scene.says}`);
    if (scene.kind === 'line') {
      receipts.push(0);
      await (scene.up ? comeBack(shop) : shop.cutLine());
      continue;
    }
    const counter = shop.counters[scene.at];
    const ended = await act(counter, scene, receipts);
    receipts.push(ended.intent.receipt);
    await counter.till.forwarder.drain('all');
    show(counter, ended);
    asExpected &&= ended.ending === scene.ends;
  }
  return asExpected;
};

const act = (
  counter: Counter,
  scene: Exclude<Scene, { kind: 'line' }>,
  receipts: readonly number[],
): Promise<Ended> => {
  const { till, config } = counter.till;
  const amount = parseAmount(scene.amount, config.currency);
  if (scene.kind === 'refund') return till.refund({ receipt: receipts[scene.of] ?? 0, amount }, () => {}).done;
  counter.comes(scene.comes);
  return till.sell({ amount }, () => {}).done;
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
    const { receipt, amount } = now.intent;
    print(
      `${String(receipt).padStart(6, '0')}  ${printMoney(amount)}  sent: ${now.answer?.statusText ?? ''} ${now.answer?.authorisationCode ?? ''}`,
    );
    print(`\n${receiptLines(now, config, { copy: 'merchant', width: 42, duplicate: true }).join('\n')}\n`);
  }
  print(`${done} stored sales sent and answered, ${later} to be tried again, ${parked} for a person.`);
};

const show = ({ till }: Counter, ended: Ended): void => {
  for (const line of resultLines(ended)) print(line);
  if (isSigned(ended)) print(`\n${receiptLines(ended, till.config, { copy: 'merchant', width: 42 }).join('\n')}`);
  print(`\n${receiptLines(ended, till.config, { copy: 'customer', width: 42 }).join('\n')}`);
};

const close = async ({ counters }: Shop): Promise<boolean> => {
  let allAgree = true;
  for (const { name, till } of Object.values(counters)) {
    const rows: AuditRow[] = [];
    for await (const row of till.audit()) rows.push(row);
    const { lines, agrees } = closing(rows, till.config.currency);
    print(`\n=== The day's account, ${name}\n\n${lines.join('\n')}`);
    allAgree &&= agrees;
  }
  return allAgree;
};
