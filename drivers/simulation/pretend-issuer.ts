/**
 * The pretend issuer of simulated terminals with a host of their own: it approves or declines by the card's profile and
 * the amount. It contacts nobody, and no money moves.
 */
import { printMoney } from '../../src/base/money.ts';
import type { EntryMode } from '../../src/emv/entry-mode.ts';
import type { Verification } from '../terminal.ts';
import type { Presentation } from './simulator.ts';

/** Why a payment fails; each protocol has its own code for it. */
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

/** How the card was read, or why not. */
export type CardRead = { entryMode: EntryMode } | { why: IssuerRefusal };

/** What the reader reads from the card: chip, tap, or the stripe of a card without a readable chip. */
export const readCard = ({ card, by, pullsCardAt }: Presentation): CardRead => {
  if (pullsCardAt === 'read') return { why: 'pulled' };
  if (by === 'manual') return { why: 'typed' };
  if (by === 'chip') {
    return card.chip === 'good' ? { entryMode: 'ICC' } : { why: card.chip === 'none' ? 'unsupported' : 'chipRefuses' };
  }
  if (by === 'tap') return card.contactless === 'none' ? { why: 'unsupported' } : { entryMode: 'NFC_ICC' };
  return card.chip === 'good' ? { why: 'useChip' } : { entryMode: 'MAGSTRIPE' };
};

/** How this card verifies its holder. Taps need no verification here. */
export const verificationOf = ({ card }: Presentation, entryMode: EntryMode): Verification => {
  if (entryMode === 'NFC_ICC') return 'none';
  const [first = 'noCvm'] = card.cvms;
  return first === 'noCvm' ? 'none' : first;
};

/** `spent`: the total spent per account in minor units, by card number. `at`: ms since 1970. */
export type IssuerQuestion = {
  presentation: Presentation;
  verification: Verification;
  amountMinor: bigint;
  at: number;
  spent: ReadonlyMap<string, bigint>;
};

/**
 * Undefined for an approval, else the reason. Checked in order: account, expiry, PIN, money, the chip's own decision.
 */
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

/** YYMM: valid to the end of its month. */
const isExpired = (expiry: string, at: number): boolean =>
  at >= Date.UTC(2000 + Number(expiry.slice(0, 2)), Number(expiry.slice(2)), 1);

// The totals of a simulated terminal's own business day, as its closing receipt prints them.

export type DayRow = { kind: 'payment' | 'refund' | 'reversal'; amountMinor: bigint; currency: string };

/** Payments, refunds and reversals, count and amount, and the total: four lines. */
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

/** Payments minus refunds and reversals, minor units. */
export const totalOf = (day: readonly DayRow[]): bigint =>
  day.reduce((sum, { kind, amountMinor }) => (kind === 'payment' ? sum + amountMinor : sum - amountMinor), 0n);
