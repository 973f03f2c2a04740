/** `till sell` and `till refund`: one sale from the command line to its receipt. */
import type { Command } from 'commander';
import { systemClock, within } from '../base/clock.ts';
import { Fault, wordsOf } from '../base/fault.ts';
import { type Money, parseAmount } from '../base/money.ts';
import type { Ended, Progress } from '../runtime/outcome.ts';
import { isSigned, outcomeJson } from '../runtime/outcome.ts';
import { receiptLines } from '../runtime/receipts.ts';
import type { RunningTill } from '../runtime/start-till.ts';
import { exitCodeOf, print, resultLines, stepWords, tell } from './terms.ts';
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
      await withTill(flags, async (running) => {
        const wanted = positive(parseAmount(amount, flags.currency ?? running.config.currency), amount);
        // A terminal that cannot be had is no sale: it is said before anything is begun.
        await running.terminalReady();
        await settle(running, { flags, accept }, (hear) =>
          running.till.sell({ amount: wanted, options: { accept } }, hear),
        );
      });
    });
};

export const addRefund = (till: Command): void => {
  withTillOptions(
    till
      .command('refund <receipt> [amount]')
      .description('give money back on an approved sale; all that is left, or an amount'),
  ).action(async (receipt: string, amount: string | undefined, flags: TillFlags) => {
    await withTill(flags, async (running) => {
      const request = { receipt: receiptNumber(receipt), ...amountOf(running, amount) };
      if (running.till.find(request.receipt).intent.by === 'terminal') await running.terminalReady();
      return settle(running, { flags, accept: [] }, (hear) => running.till.refund(request, hear));
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

type Start = (hear: (progress: Progress) => void) => ReturnType<RunningTill['till']['sell']>;
type How = { flags: TillFlags; accept: readonly CardInterface[] };

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The sale; its result in words at once; what it left to send; its receipts. A signal asks for a cancel. */
const settle = async (running: RunningTill, { flags, accept }: How, start: Start): Promise<void> => {
  const quiet = flags.json === true;
  const sale = start((progress) => {
    if (!quiet) hear(progress, accept);
  });
  let cancelAsked = false;
  const cancel = () => {
    cancelAsked = true;
    tell('Cancelling. The result comes in a moment.');
    sale.cancel();
  };
  for (const signal of SIGNALS) process.on(signal, cancel);
  try {
    const ended = await sale.done;
    process.exitCode = exitCodeOf(ended);
    if (cancelAsked && ended.ending === 'approved' && ended.intent.operation === 'sale') {
      tell(`It was too late to cancel. To give it back: npm run till -- refund ${ended.intent.receipt}`);
    }
    await drainBriefly(running);
    const last = running.till.find(ended.intent.receipt);
    show(last.at === 'ended' ? last : ended, ended, { running, quiet });
  } finally {
    for (const signal of SIGNALS) process.off(signal, cancel);
  }
};

/** Nobody waits longer than this for old messages; what is left goes with the next command. */
const DRAIN_WITHIN_MS = 5_000;

/** What is stored goes out now if the gateway is quick. A failure here changes nothing about the sale before it. */
const drainBriefly = async ({ forwarder, outbox }: RunningTill): Promise<void> => {
  if (outbox.nextAt() === undefined) return;
  const late = () => new Fault('host.silent', { why: 'it took too long' });
  try {
    const { done, later, parked } = await within(systemClock, DRAIN_WITHIN_MS, forwarder.drain('all'), late);
    if (done > 0) tell(`Sent ${count(done, 'stored message')}.`);
    if (later > 0) tell(`${count(later, 'message')} could not be sent yet; the next command tries again.`);
    if (parked > 0) tell(`${count(parked, 'message')} for a person to look at: npm run till -- queue`);
  } catch (error) {
    tell(`Stored messages could not be sent yet: ${wordsOf(error)}.`);
  }
};

const hear = (progress: Progress, accept: readonly CardInterface[]): void => {
  if (progress.kind === 'sale' && progress.sale.at === 'ended')
    for (const line of resultLines(progress.sale)) tell(line);
  const words = stepWords(progress, accept);
  if (words !== undefined) tell(words);
};

/** `told` is the sale as its result was said; what has changed since is said again. */
const show = (sale: Ended, told: Ended, { running, quiet }: { running: RunningTill; quiet: boolean }): void => {
  process.exitCode = exitCodeOf(sale);
  const paper = copiesOf(sale).map((copy) => [copy, receiptLines(sale, running.config, { copy, width: 42 })] as const);
  if (quiet) {
    print(JSON.stringify({ ...outcomeJson(sale), receiptText: Object.fromEntries(paper) }, null, 2));
    return;
  }
  if (sale.forwarded !== told.forwarded || sale.ending !== told.ending)
    for (const line of resultLines(sale)) tell(line);
  for (const [, lines] of paper) print(['', ...lines].join('\n'));
};

/** Without a card there is nothing to hand out. A terminal that authorised by itself keeps the merchant's account. */
const copiesOf = (sale: Ended): readonly ('merchant' | 'customer')[] => {
  const { card, terminal, intent } = sale;
  if (intent.by !== 'terminal')
    return card === undefined && intent.follows === undefined ? [] : ['merchant', 'customer'];
  if (terminal?.payment === undefined && !terminal?.slip?.customer.some((line) => line !== '')) return [];
  return sale.ending === 'approved' && isSigned(sale) ? ['merchant', 'customer'] : ['customer'];
};
