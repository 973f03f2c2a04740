/** `till sell` and `till refund`: one sale from the command line to its receipt. */
import type { Command } from 'commander';
import { Fault } from '../base/fault.ts';
import { type Money, parseAmount } from '../base/money.ts';
import type { Ended, Progress } from '../runtime/outcome.ts';
import { outcomeJson } from '../runtime/outcome.ts';
import { receiptLines } from '../runtime/receipts.ts';
import type { RunningTill } from '../runtime/start-till.ts';
import { exitCodes, print, resultLines, stepWords, tell } from './terms.ts';
import { count, type TillFlags, withTill, withTillOptions } from './till-options.ts';

type SellFlags = TillFlags & { currency?: string; accept: string };

const interfaces = ['chip', 'tap', 'swipe', 'manual'] as const;
type CardInterface = (typeof interfaces)[number];

export const addSell = (till: Command): void => {
  withTillOptions(till.command('sell <amount>').description('take a card payment'))
    .option('--currency <code>', 'ISO 4217; the till’s own if left out')
    .option('--accept <list>', 'how a card may be presented: chip, tap, swipe, manual', 'chip,tap,swipe')
    .action(async (amount: string, flags: SellFlags) => {
      const accept = acceptOf(flags.accept);
      await withTill(flags, (running) => {
        const wanted = positive(parseAmount(amount, flags.currency ?? running.config.currency), amount);
        return settle(running, flags, (hear) => running.till.sell({ amount: wanted, options: { accept } }, hear));
      });
    });
};

export const addRefund = (till: Command): void => {
  withTillOptions(
    till
      .command('refund <receipt> [amount]')
      .description('give money back on an approved sale; all that is left, or an amount'),
  ).action(async (receipt: string, amount: string | undefined, flags: TillFlags) => {
    await withTill(flags, (running) => {
      const request = { receipt: receiptNumber(receipt), ...amountOf(running, amount) };
      return settle(running, flags, (hear) => running.till.refund(request, hear));
    });
  });
};

export const receiptNumber = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new Fault('command.malformed', { why: `"${text}" is not a receipt number` });
  return Number(text);
};

const amountOf = ({ config }: RunningTill, amount: string | undefined): { amount?: Money } =>
  amount === undefined ? {} : { amount: positive(parseAmount(amount, config.currency), amount) };

const positive = (amount: Money, text: string): Money => {
  if (amount.minor > 0n) return amount;
  throw new Fault('amount.malformed', { text, currency: amount.currency, why: 'it must be more than zero' });
};

const acceptOf = (list: string): CardInterface[] =>
  list.split(',').map((word) => {
    const known = interfaces.find((name) => name === word.trim());
    if (known === undefined)
      throw new Fault('command.malformed', { why: `--accept knows ${interfaces.join(', ')}, not "${word}"` });
    return known;
  });

/** Old messages first, then the sale, then what it left to send. Control-C asks for a cancel; the ending says more. */
const settle = async (
  running: RunningTill,
  flags: TillFlags,
  start: (hear: (progress: Progress) => void) => ReturnType<RunningTill['till']['sell']>,
): Promise<void> => {
  await drain(running);
  const sale = start((progress) => hear(progress, flags));
  const cancel = () => {
    tell('Cancelling. The result comes in a moment.');
    sale.cancel();
  };
  process.on('SIGINT', cancel);
  try {
    const ended = await sale.done;
    await drain(running);
    const last = running.till.find(ended.intent.receipt);
    show(last.at === 'ended' ? last : ended, running, flags);
  } finally {
    process.off('SIGINT', cancel);
  }
};

const drain = async ({ forwarder, outbox }: RunningTill): Promise<void> => {
  if (outbox.nextAt() === undefined) return;
  const { done, later, parked } = await forwarder.drain('all');
  if (done > 0) tell(`Sent ${count(done, 'stored message')}.`);
  if (later > 0) tell(`${count(later, 'message')} could not be sent yet and will be sent later.`);
  if (parked > 0) tell(`${count(parked, 'message')} needs a person: npm run till -- queue`);
};

const hear = (progress: Progress, flags: TillFlags): void => {
  const words = stepWords(progress);
  if (words !== undefined && flags.json !== true) tell(words);
};

const show = (sale: Ended, { config }: RunningTill, flags: TillFlags): void => {
  process.exitCode = exitCodes[sale.ending];
  const customer = receiptLines(sale, config, { copy: 'customer', width: 42 });
  const merchant = receiptLines(sale, config, { copy: 'merchant', width: 42 });
  if (flags.json === true) {
    print(JSON.stringify({ ...outcomeJson(sale), receiptText: { customer, merchant } }, null, 2));
    return;
  }
  for (const line of resultLines(sale)) tell(line);
  print(['', ...merchant, '', ...customer, ''].join('\n'));
};
