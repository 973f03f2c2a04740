/** `till receipt`, `till sales`, `till queue`: what happened, and what is still to be sent. */
import type { Command } from 'commander';
import { dateTime } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import { printMoney } from '../base/money.ts';
import { outcomeJson, type Sale } from '../runtime/outcome.ts';
import { receiptLines } from '../runtime/receipts.ts';
import { receiptNumber } from './sell.ts';
import { print, tell } from './terms.ts';
import { count, type TillFlags, withTill, withTillOptions } from './till-options.ts';

type ReceiptFlags = TillFlags & { copy: string; width: string };

export const addReceipt = (till: Command): void => {
  withTillOptions(till.command('receipt <receipt>').description('print a receipt again, marked DUPLICATE'))
    .option('--copy <copy>', 'customer or merchant', 'customer')
    .option('--width <mm>', 'paper: 58 or 80 mm', '80')
    .action(async (receipt: string, flags: ReceiptFlags) => {
      const options = { copy: copyOf(flags.copy), width: widthOf(flags.width), duplicate: true } as const;
      await withTill(flags, async ({ till: open, config }) => {
        const sale = open.find(receiptNumber(receipt));
        if (sale.at !== 'ended') throw new Fault('till.unresolved', { sale: sale.intent.sale });
        const lines = receiptLines(sale, config, options);
        print(
          flags.json === true
            ? JSON.stringify({ ...outcomeJson(sale), receiptText: lines }, null, 2)
            : lines.join('\n'),
        );
      });
    });
};

export const addSales = (till: Command): void => {
  withTillOptions(till.command('sales').description('the last sales, newest first'))
    .option('--most <n>', 'how many', '20')
    .action(async (flags: TillFlags & { most: string }) => {
      if (!/^\d{1,6}$/.test(flags.most)) throw new Fault('command.malformed', { why: '--most takes a whole number' });
      await withTill(flags, async ({ ledger }) => {
        const sales = ledger.sales(Number(flags.most));
        if (flags.json === true) print(JSON.stringify(sales.map(json), null, 2));
        else if (sales.length === 0) tell('No sales yet. Take one with: npm run till -- sell 12.50');
        else for (const sale of sales) print(saleLine(sale));
      });
    });
};

export const addQueue = (till: Command): void => {
  withTillOptions(till.command('queue').description('what is still to be sent to the gateway'))
    .option('--send', 'try to send all of it now')
    .action(async (flags: TillFlags & { send?: true }) => {
      await withTill(flags, async ({ outbox, forwarder }) => {
        if (flags.send === true) {
          const { done, later, parked } = await forwarder.drain('all');
          tell(`${count(done, 'message')} settled, ${later} to be tried again, ${parked} for a person.`);
        }
        const messages = [...outbox.waiting().map(line('waiting')), ...outbox.parked().map(line('parked'))];
        if (flags.json === true) print(JSON.stringify(messages, null, 2));
        else if (messages.length === 0) tell('Nothing is waiting: the gateway has answered everything.');
        else
          for (const { state, kind, sale, attempts, next, note } of messages)
            print(`${state}  ${kind}  ${sale}  tries ${attempts}  next ${next}  ${note}`);
      });
    });
};

type Waiting = { id: string; kind: string; sale: string; attempts: number; dueAt: number; note: string };

const line =
  (state: 'waiting' | 'parked') =>
  ({ kind, sale, attempts, dueAt, note }: Waiting) => ({
    state,
    kind,
    sale,
    attempts,
    next: state === 'parked' ? 'a person' : dateTime(dueAt),
    note,
  });

const json = (sale: Sale) =>
  sale.at === 'ended' ? outcomeJson(sale) : { ending: 'open', receipt: sale.intent.receipt };

const saleLine = (sale: Sale): string => {
  const { receipt, at, amount, operation } = sale.intent;
  const ending = sale.at === 'ended' ? `${sale.ending}${sale.offline ? ', offline' : ''}  ${sale.reason}` : 'open';
  return `${String(receipt).padStart(6, '0')}  ${dateTime(at)}  ${operation.padEnd(6)}  ${printMoney(amount).padStart(14)}  ${sale.card?.maskedPan ?? ''}  ${ending}`;
};

const copyOf = (copy: string): 'customer' | 'merchant' => {
  if (copy === 'customer' || copy === 'merchant') return copy;
  throw new Fault('command.malformed', { why: `--copy is customer or merchant, not "${copy}"` });
};

const widthOf = (width: string): 32 | 42 => {
  if (width === '58') return 32;
  if (width === '80') return 42;
  throw new Fault('command.malformed', { why: `--width is 58 or 80, not "${width}"` });
};
