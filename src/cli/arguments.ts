/** What a person types after a command, as the till wants it: amounts, receipts, names, ports. */
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
  throw new Fault('command.malformed', { why: `a batch is named by its number, not "${text}"` });
};

/** Throws `amount.malformed`, also for nothing, and `currency.unknown`. */
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

/** Options whose values are addresses: a device's serial number in one is its own. */
const ADDRESSES: ReadonlySet<string> = new Set(['--terminal', '--gateway', '--channel', '--at']);

/**
 * What is typed is written down, as a name, a reason or a note: refused before any command begins. `args` stand behind
 * the program's name. Throws `text.cardData`.
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

// Options that a command and the command above it both have: the nearest that a person typed counts.

export const nearestFlag = (command: Command, name: string): unknown => {
  for (let at: Command | null = command; at !== null; at = at.parent) {
    if (at.getOptionValueSource(name) === 'cli') return at.getOptionValue(name);
  }
  return command.getOptionValue(name);
};

export const nearestText = (command: Command, name: string): string | undefined => {
  const value = nearestFlag(command, name);
  return typeof value === 'string' ? value : undefined;
};
