/** Cardholder verification: the simulated kernel goes through the card's CVM list (EMV Book 3 section 10.5). */
import { fromHex } from '../../src/base/hex.ts';
import { type CvmRule, parseCvmList } from '../../src/emv/cvm.ts';
import { type Bit, isMarked, mark, tsiBits, tvrBits } from './results.ts';
import type { Transaction } from './transaction.ts';

export type PinNeed = 'onlinePin' | 'offlinePin';

export type Verifier = {
  /** The PIN that is wanted now, or undefined when verification is over. Asks nothing twice. */
  needs(): PinNeed | undefined;
  /** The customer typed this. A wrong offline PIN leaves the need as it was, while tries are left. */
  typed(pin: string): void;
};

/** The methods this terminal can do, by the low six bits of the rule's code. */
const methods: Readonly<Record<number, PinNeed | 'signature' | 'none'>> = {
  1: 'offlinePin',
  2: 'onlinePin',
  30: 'signature',
  31: 'none',
};

const codeOf = ({ code }: CvmRule): number => Number.parseInt(code, 16);

/** Cash, cashback and amount conditions do not come up at a shop's terminal with lists of zero amounts. */
const applies = ({ condition }: CvmRule): boolean => condition === '00' || condition === '02' || condition === '03';

const cvmSupported = [1, 5] as const;

/** Tag 9F33: plaintext PIN for the card, enciphered PIN for the issuer. */
const pinBits = { offlinePin: [2, 8], onlinePin: [2, 7] } as const satisfies Record<PinNeed, Bit>;

/** Whether this terminal takes such a PIN. */
export const takesPin = ({ values }: Pick<Transaction, 'values'>, need: PinNeed): boolean =>
  isMarked(values.get('9F33') ?? new Uint8Array(3), pinBits[need]);

/** Verifies the cardholder of a contact chip; the outcome is in tags 9F34, 95 and 9B. */
export const verifier = (transaction: Transaction): Verifier => {
  const { card, tvr, tsi, values } = transaction;
  const supported = isMarked(values.get('82') ?? new Uint8Array(2), cvmSupported);
  const rules = supported ? parseCvmList(values.get('8E') ?? new Uint8Array(0)).rules.filter(applies) : [];
  let at = 0;
  let need: PinNeed | undefined;

  const end = (rule: CvmRule | undefined, result: '00' | '01' | '02'): undefined => {
    values.set('9F34', fromHex(rule === undefined ? '3F0000' : `${rule.code}${rule.condition}${result}`));
    if (supported) mark(tsi, tsiBits.cardholderVerification);
    if (result === '01') mark(tvr, tvrBits.verificationFailed);
    at = rules.length;
    need = undefined;
  };

  /** The rule failed: the next one when it allows that, else the whole verification failed. */
  const failed = (rule: CvmRule): PinNeed | undefined => {
    at += 1;
    need = undefined;
    const goesOn = (codeOf(rule) & 0x40) !== 0;
    if (goesOn && at < rules.length) return next();
    return end(rule, '01');
  };

  /** A rule for terminals that support its method does not apply to others; any other rule fails. */
  const withoutPad = (rule: CvmRule): PinNeed | undefined => {
    if (rule.condition === '03') {
      at += 1;
      return next();
    }
    mark(tvr, tvrBits.noPinPad);
    return failed(rule);
  };

  const next = (): PinNeed | undefined => {
    const rule = rules[at];
    if (rule === undefined) return values.has('9F34') ? undefined : end(undefined, '00');
    const method = methods[codeOf(rule) & 0x3f];
    if (method === 'none') return end(rule, '02');
    if (method === 'signature') return end(rule, '00');
    if (method === undefined) {
      mark(tvr, tvrBits.unrecognisedMethod);
      return failed(rule);
    }
    if (!takesPin(transaction, method)) return withoutPad(rule);
    if (method === 'offlinePin' && card.pinTriesLeft() === 0) {
      mark(tvr, tvrBits.pinTriesExceeded);
      return failed(rule);
    }
    need = method;
    return need;
  };

  return {
    needs: () => need ?? next(),
    typed(pin) {
      const rule = rules[at];
      if (rule === undefined || need === undefined) return;
      if (need === 'onlinePin') {
        mark(tvr, tvrBits.onlinePinEntered);
        end(rule, '00');
      } else if (card.verifyPin(pin) === 'right') {
        end(rule, '02');
      } else {
        need = undefined;
      }
    },
  };
};
