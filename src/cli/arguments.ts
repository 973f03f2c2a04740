/** Parses what a person types after a command: amounts, receipts, card interfaces, ports; and refuses card data. */
import type { Command } from 'commander';
import type { CardInterface } from '../../drivers/terminal.ts';
import { errorText, Fault } from '../base/fault.ts';
import { readTextFile } from '../base/files.ts';
import { type Money, parseAmount } from '../base/money.ts';
import { cardDataIn } from '../emv/card-text.ts';

export const malformed = (why: string, cause?: unknown): Fault => new Fault('command.malformed', { why }, cause);

/** A number of at most nine digits, up to `most`. Throws `command.malformed` with `why`. */
export const wholeNumber = (text: string, why: string, most = 999_999_999): number => {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number <= most) return number;
  throw malformed(why);
};

export const receiptNumber = (text: string): number => wholeNumber(text, `"${text}" is not a receipt number`);

export const batchNumber = (text: string): number => wholeNumber(text, `"${text}" is not the number of a batch`);

export const portOf = (text: string): number => wholeNumber(text, `"${text}" is not a TCP port, 0 to 65535`, 65_535);

/** One of these words. Throws `command.malformed`. */
export const choiceIn = <const Choice extends string>(
  text: string,
  choices: readonly Choice[],
  option: string,
): Choice => {
  const choice = choices.find((one) => one === text);
  if (choice !== undefined) return choice;
  throw malformed(`${option} is ${choices.join(' or ')}, not "${text}"`);
};

/** The text of a file. Throws what `unreadable` makes of the reason, if it cannot be read. */
export const textOfFile = (file: string | 0, unreadable: (why: string, cause: unknown) => Fault): string => {
  try {
    return readTextFile(file);
  } catch (error) {
    throw unreadable(errorText(error), error);
  }
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
    if (known === undefined) throw malformed(`--accept knows ${interfaces.join(', ')}, not "${word}"`);
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

/** The options of a command and of its parents. A typed value wins over a default, and a nearer one over a parent's. */
export const optionsOf = <T extends object>(command: Command): T => {
  const typed = (at: Command): object => ({
    ...(at.parent && typed(at.parent)),
    ...Object.fromEntries(Object.entries(at.opts()).filter(([name]) => at.getOptionValueSource(name) === 'cli')),
  });
  return { ...command.optsWithGlobals(), ...command.opts(), ...typed(command) } as T;
};
