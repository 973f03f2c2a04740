/** Parses what a person types after a command: amounts, receipts, card interfaces, ports; and refuses card data. */
import type { Command } from 'commander';
import type { CardInterface } from '../../drivers/terminal.ts';
import { Fault } from '../base/fault.ts';
import { type Money, parseAmount } from '../base/money.ts';
import { cardDataIn } from '../emv/card-text.ts';

/** Throws `command.malformed`. */
export const receiptNumber = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new Fault('command.malformed', { why: `"${text}" is not a receipt number` });
  return Number(text);
};

/** Throws `command.malformed`. */
export const batchNumber = (text: string): number => {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Fault('command.malformed', { why: `"${text}" is not the number of a batch` });
};

/** Throws `amount.malformed`, also for zero, and `currency.unknown`. */
export const positiveAmount = (text: string, currency: string): Money => {
  const amount = parseAmount(text, currency);
  if (amount.minor > 0n) return amount;
  throw new Fault('amount.malformed', { text, currency: amount.currency, why: 'it must be more than zero' });
};

const interfaces: readonly CardInterface[] = ['chip', 'tap', 'swipe', 'manual'];

/** Throws `command.malformed`. */
export const acceptOf = (list: string): CardInterface[] =>
  list.split(',').map((word) => {
    const known = interfaces.find((name) => name === word.trim());
    if (known === undefined)
      throw new Fault('command.malformed', { why: `--accept knows ${interfaces.join(', ')}, not "${word}"` });
    return known;
  });

/** Options whose values are addresses. A long number in an address is a serial number. */
const ADDRESSES: ReadonlySet<string> = new Set(['--terminal', '--gateway', '--channel', '--at']);

/**
 * Refuses card data before any command begins, because names, reasons and notes are stored. `args`: the words after the
 * program's name. Throws `text.cardData`.
 */
export const refuseCardData = (args: readonly string[]): void => {
  for (const [at, text] of args.entries()) {
    const before = args[at - 1] ?? '';
    const kind = ADDRESSES.has(before) ? undefined : (cardDataIn(text) ?? cardDataIn(`${before} ${text}`));
    if (kind !== undefined)
      throw new Fault('text.cardData', { where: before.startsWith('--') ? `${before}, ${kind}` : kind });
  }
};

export const portOf = (text: string): number => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new Fault('command.malformed', { why: `"${text}" is not a TCP port, 0 to 65535` });
};

/** The options of a command and of its parents. A typed value wins over a default, and a nearer one over a parent's. */
export const optionsOf = <T extends object>(command: Command): T => {
  const typed = (at: Command): object => ({
    ...(at.parent && typed(at.parent)),
    ...Object.fromEntries(Object.entries(at.opts()).filter(([name]) => at.getOptionValueSource(name) === 'cli')),
  });
  return { ...command.optsWithGlobals(), ...command.opts(), ...typed(command) } as T;
};
