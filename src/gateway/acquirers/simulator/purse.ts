/** What an approved authorisation did to its account, and what a capture, reversal or refund may still do. Pure. */
import { exponentOf, type Money } from '../../../base/money.ts';
import type { Reference } from '../acquirer.ts';

/**
 * An account holds thousandths of a unit, the finest a currency has, so no amount is ever rounded.
 * There is no exchange: one euro, one dollar and one yen weigh the same.
 */
export const thousandths = ({ minor, currency }: Money): bigint => minor * 10n ** BigInt(3 - exponentOf(currency));

/** The state of one approved authorisation or credit, in minor units of its own currency. */
export type Moved = {
  readonly type: 'PA' | 'DB' | 'CD';
  readonly currency: string;
  readonly authorised: bigint;
  readonly captured: bigint;
  readonly reversed: bigint;
  readonly refunded: bigint;
};

/** A preauthorisation holds; a debit is captured at once, a credit is too, the other way. */
export const opened = (type: Moved['type'], { minor, currency }: Money): Moved => ({
  type,
  currency,
  authorised: minor,
  captured: type === 'PA' ? 0n : minor,
  reversed: 0n,
  refunded: 0n,
});

/** What the account loses by it; negative for a credit. */
export const taken = (moved: Moved): bigint => {
  const minor = moved.authorised - moved.reversed - moved.refunded;
  return thousandths({ minor: moved.type === 'CD' ? -minor : minor, currency: moved.currency });
};

/** Held but not captured. */
const held = (moved: Moved): bigint => (moved.type === 'PA' ? moved.authorised - moved.captured - moved.reversed : 0n);

export const refusals = {
  amount: '100.550.300',
  currency: '700.100.500',
  capture: '700.400.100',
  refund: '700.400.200',
  reverse: '700.400.300',
} as const;

export type Referred = { ok: true; moved: Moved } | { ok: false; resultCode: string };

/**
 * The authorisation after one more operation on it, or the result code that refuses it.
 * A capture takes from what is held. A reversal gives back what is held, or undoes a debit or credit nobody refunded.
 * A refund gives back what was captured.
 */
export const refer = (moved: Moved, operation: Reference['operation'], { minor, currency }: Money): Referred => {
  if (currency !== moved.currency) return { ok: false, resultCode: refusals.currency };
  if (minor <= 0n) return { ok: false, resultCode: refusals.amount };
  return rules[operation](moved, minor);
};

const rules: Readonly<Record<Reference['operation'], (moved: Moved, minor: bigint) => Referred>> = {
  capture: (moved, minor) => {
    if (minor > held(moved)) return { ok: false, resultCode: refusals.capture };
    return { ok: true, moved: { ...moved, captured: moved.captured + minor } };
  },
  reverse: (moved, minor) => {
    const reversed = moved.reversed + minor;
    if (moved.type === 'PA' && minor <= held(moved)) return { ok: true, moved: { ...moved, reversed } };
    if (moved.type === 'PA' || moved.refunded > 0n || minor > moved.captured) {
      return { ok: false, resultCode: refusals.reverse };
    }
    return { ok: true, moved: { ...moved, reversed, captured: moved.captured - minor } };
  },
  refund: (moved, minor) => {
    if (minor > moved.captured - moved.refunded) return { ok: false, resultCode: refusals.refund };
    return { ok: true, moved: { ...moved, refunded: moved.refunded + minor } };
  },
};
