/** Intents as the till writes them, one for each operation. */
import type { Intent, Operation } from '../../../src/till/machine/facts.ts';

export const sale: Intent = {
  sale: 'a'.repeat(32),
  operation: 'sale',
  amount: { minor: 1250n, currency: 'EUR' },
  terminalId: '12345678',
  sequence: 7,
  receipt: 7,
  gateway: 'g',
  key: 'b'.repeat(32),
  at: 0,
};

const follows = { sale: 'c'.repeat(32), payment: 'd'.repeat(32), receipt: 3 };

/** An operation that begins with a card. */
export const withCard = (operation: Operation): Intent => ({ ...sale, operation });

/** A follow-up of a payment that the gateway knows. */
export const following = (operation: Operation): Intent => ({ ...sale, operation, follows });

/** A follow-up of a payment that itself waits to be sent. */
export const followerOf = (operation: Operation): Intent => ({
  ...sale,
  operation,
  follows: { ...follows, payment: '' },
});

export const giftCard: Intent = { ...sale, giftCard: { maskedNumber: '************0010' } };
export const amountLater: Intent = { ...sale, amount: { minor: 0n, currency: 'EUR' }, amountLater: true };
export const atTerminal: Intent = { ...sale, by: 'terminal' };
export const refundAtTerminal: Intent = {
  ...atTerminal,
  operation: 'refund',
  follows: { ...follows, payment: '4', at: { device: 'D', how: 'refund' } },
};
/** A refund of the whole payment, which the terminal makes by reversing it. */
export const refundByReversal: Intent = {
  ...atTerminal,
  operation: 'refund',
  follows: { ...follows, payment: '4', at: { device: 'D', how: 'reverse' } },
};
export const voidAtTerminal: Intent = {
  ...atTerminal,
  operation: 'void',
  follows: { ...follows, payment: '4', at: { device: 'D', how: 'reverse' } },
};
