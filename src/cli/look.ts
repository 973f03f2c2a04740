/** `till receipt`, `till sales`, `till queue`: what happened, and what is still to be sent. */
import type { Command } from 'commander';
import { dateTime, systemClock } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import { printMoney } from '../base/money.ts';
import { type Ended, outcomeJson, type Sale } from '../runtime/outcome.ts';
import { receiptLines } from '../runtime/receipts.ts';
import type { RunningTill } from '../runtime/start-till.ts';
import { receiptNumber } from './sell.ts';
import { FAULT, print, shortLine, tell } from './terms.ts';
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

type QueueFlags = TillFlags & { send?: true; retryParked?: true };

export const addQueue = (till: Command): void => {
  withTillOptions(
    till
      .command('queue')
      .description('what is still to be sent to the gateway, and what a terminal is still to be asked'),
  )
    .option('--send', 'try to send all of it now')
    .option('--retry-parked', 'give what was parked for a person another turn, when its cause is mended')
    .action(async (flags: QueueFlags) => {
      await withTill(flags, async (running) => {
        const { outbox } = running;
        if (flags.retryParked === true) tell(`${count(outbox.unpark(systemClock.now()), 'message')} taken up again.`);
        if (flags.send === true) await send(running);
        const atTerminal = running.till.openAtTerminal();
        const messages = [
          ...outbox.waiting().map(line(running, 'waiting')),
          ...outbox.parked().map(line(running, 'parked')),
          ...atTerminal.map(terminalLine),
        ];
        if (flags.json === true) print(JSON.stringify(messages, null, 2));
        else if (messages.length === 0) tell('Nothing is waiting: everything has been answered.');
        else for (const one of messages) print(queueLine(one));
        if (outbox.parked().length > 0) needPerson();
        if (atTerminal.some(({ forPerson }) => forPerson === true)) needLook();
      });
    });
};

const send = async ({ forwarder, till }: RunningTill): Promise<void> => {
  for (const sale of await till.settleAtTerminal()) tell(`The terminal says: ${shortLine(sale)}`);
  const { done, later, parked } = await forwarder.drain('all');
  tell(`${count(done, 'message')} settled, ${later} to be tried again, ${parked} for a person.`);
};

const needPerson = (): void => {
  process.exitCode = FAULT;
  tell(
    'Parked messages wait for a person. Mend the cause their note names, then: npm run till -- queue --retry-parked --send',
  );
};

const needLook = (): void => {
  process.exitCode = FAULT;
  tell(
    'Look for these in the terminal’s own journal, then say: npm run till -- settle RECEIPT --charged (or --not-charged)',
  );
};

type Waiting = { kind: string; sale: string; attempts: number; dueAt: number; note: string };
type QueueRow = {
  state: string;
  kind: string;
  receipt: number;
  amount: string;
  attempts: number;
  next: string;
  note: string;
};

const line =
  ({ till }: RunningTill, state: 'waiting' | 'parked') =>
  ({ kind, sale, attempts, dueAt, note }: Waiting): QueueRow => {
    const { receipt, amount } = till.findSale(sale).intent;
    const next = state === 'parked' ? 'a person' : dateTime(dueAt);
    return { state, kind, receipt, amount: printMoney(amount), attempts, next, note };
  };

/** What waits for a terminal that authorises by itself, or for the person who looks into its journal. */
const terminalLine = ({ intent, terminal, reversal, forPerson, why = '' }: Ended): QueueRow => ({
  state: forPerson === true ? 'person' : 'waiting',
  kind: reversal === 'due' ? 'reversal' : 'inquiry',
  receipt: intent.receipt,
  amount: printMoney(intent.amount),
  attempts: 0,
  next: forPerson === true ? 'a person' : `with the terminal ${terminal?.device ?? ''}`,
  note: why,
});

const queueLine = ({ state, kind, receipt, amount, attempts, next, note }: QueueRow): string =>
  `${state}  ${kind.padEnd(8)}  receipt ${String(receipt).padStart(6, '0')}  ${amount.padStart(14)}  tries ${attempts}  next ${next}  ${note}`;

const json = (sale: Sale) =>
  sale.at === 'ended' ? outcomeJson(sale) : { ending: 'open', receipt: sale.intent.receipt };

const saleLine = (sale: Sale): string => {
  const { receipt, at, amount, operation } = sale.intent;
  const ending = sale.at === 'ended' ? `${sale.ending}${sale.offline ? ', offline' : ''}  ${sale.reason}` : 'open';
  return `${String(receipt).padStart(6, '0')}  ${dateTime(at)}  ${operation.padEnd(6)}  ${printMoney(amount).padStart(14)}  ${panOf(sale)}  ${ending}`;
};

const panOf = ({ card, terminal }: Sale): string => card?.maskedPan ?? terminal?.payment?.maskedPan ?? '';

const copyOf = (copy: string): 'customer' | 'merchant' => {
  if (copy === 'customer' || copy === 'merchant') return copy;
  throw new Fault('command.malformed', { why: `--copy is customer or merchant, not "${copy}"` });
};

const widthOf = (width: string): 32 | 42 => {
  if (width === '58') return 32;
  if (width === '80') return 42;
  throw new Fault('command.malformed', { why: `--width is 58 or 80, not "${width}"` });
};
