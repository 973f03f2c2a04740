/**
 * The pretend issuer of simulated terminals that ask a host of their own: it approves or declines by the card's profile
 * and the amount. Nothing is asked of anybody, and no money moves.
 */
import { printMoney } from '../../src/base/money.ts';
import type { EntryMode } from '../../src/emv/entry-mode.ts';
import type { Verification } from '../terminal.ts';
import type { Presentation } from './simulator.ts';

/** Why a payment does not come about; each protocol has a code of its own for it. */
export type IssuerRefusal =
  | 'pulled'
  | 'typed'
  | 'unsupported'
  | 'chipRefuses'
  | 'useChip'
  | 'lost'
  | 'stolen'
  | 'restricted'
  | 'expired'
  | 'wrongPin'
  | 'noMoney'
  | 'stopped';

/** How the card came in, or why it did not. */
export type CardRead = { entryMode: EntryMode } | { why: IssuerRefusal };

/** What the reader makes of the card: chip, tap, and the stripe only of a card without a chip that can be read. */
export const readCard = ({ card, by, pullsCardAt }: Presentation): CardRead => {
  if (pullsCardAt === 'read') return { why: 'pulled' };
  if (by === 'manual') return { why: 'typed' };
  if (by === 'chip') {
    return card.chip === 'good' ? { entryMode: 'ICC' } : { why: card.chip === 'none' ? 'unsupported' : 'chipRefuses' };
  }
  if (by === 'tap') return card.contactless === 'none' ? { why: 'unsupported' } : { entryMode: 'NFC_ICC' };
  return card.chip === 'good' ? { why: 'useChip' } : { entryMode: 'MAGSTRIPE' };
};

/** How this card verifies its holder. Taps here go without. */
export const verificationOf = ({ card }: Presentation, entryMode: EntryMode): Verification => {
  if (entryMode === 'NFC_ICC') return 'none';
  const [first = 'noCvm'] = card.cvms;
  return first === 'noCvm' ? 'none' : first;
};

/** `spent`: what was spent of each account, minor units, by card number. `at`: ms since 1970. */
export type IssuerQuestion = {
  presentation: Presentation;
  verification: Verification;
  amountMinor: bigint;
  at: number;
  spent: ReadonlyMap<string, bigint>;
};

/** Undefined for a yes, or why not. In order: account, expiry, PIN, money, then the chip's own last word. */
export const refusalOf = ({
  presentation,
  verification,
  amountMinor,
  at,
  spent,
}: IssuerQuestion): IssuerRefusal | undefined => {
  const { card, pin, pullsCardAt } = presentation;
  const wantsPin = verification === 'onlinePin' || verification === 'offlinePin';
  if (card.account !== 'open') return card.account;
  if (isExpired(card.expiry, at)) return 'expired';
  if (wantsPin && pin !== undefined && pin !== card.pin) return 'wrongPin';
  if ((spent.get(card.pan) ?? 0n) + amountMinor > card.availableMinor) return 'noMoney';
  const refuses = pullsCardAt === 'complete' || (card.secondCryptogram === 'refuses' && presentation.by === 'chip');
  return refuses ? 'chipRefuses' : undefined;
};

/** YYMM: good to the end of its month. */
const isExpired = (expiry: string, at: number): boolean =>
  at >= Date.UTC(2000 + Number(expiry.slice(0, 2)), Number(expiry.slice(2)), 1);

// The sums of a simulated terminal's own day, as its closing receipt prints them.

export type DayRow = { kind: 'payment' | 'refund' | 'reversal'; amountMinor: bigint; currency: string };

/** Payments, refunds and reversals, how many and how much, and what is left of it: four lines. */
export const dayLines = (day: readonly DayRow[]): string[] => {
  const currency = day[0]?.currency ?? 'EUR';
  const sumOf = (kind: DayRow['kind']) => {
    const own = day.filter((row) => row.kind === kind);
    return { count: own.length, minor: own.reduce((sum, { amountMinor }) => sum + amountMinor, 0n) };
  };
  const line = (title: string, kind: DayRow['kind']): string => {
    const { count, minor } = sumOf(kind);
    return `${title} ${count}  ${printMoney({ minor, currency })}`;
  };
  return [
    line('PAYMENTS', 'payment'),
    line('REFUNDS', 'refund'),
    line('REVERSALS', 'reversal'),
    `TOTAL ${printMoney({ minor: totalOf(day), currency })}`,
  ];
};

/** What was paid without what went back, minor units. */
export const totalOf = (day: readonly DayRow[]): bigint =>
  day.reduce((sum, { kind, amountMinor }) => (kind === 'payment' ? sum + amountMinor : sum - amountMinor), 0n);
