/** Cardholder verification: the simulated kernel goes through the card's CVM list (EMV Book 3 section 10.5). */
import { fromHex } from '../../src/base/hex.ts';
import { type CvmRule, parseCvmList } from '../../src/emv/cvm.ts';
import { type Bit, isMarked, mark, tsiBits, tvrBits } from './terminal-config.ts';
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

const cvmSupported = [1, 5] as const;

/** Tag 9F33: plaintext PIN for the card, enciphered PIN for the issuer. */
const pinBits = { offlinePin: [2, 8], onlinePin: [2, 7] } as const satisfies Record<PinNeed, Bit>;

/** Whether this terminal takes such a PIN. */
export const takesPin = ({ values }: Pick<Transaction, 'values'>, need: PinNeed): boolean =>
  isMarked(values.get('9F33') ?? new Uint8Array(3), pinBits[need]);

/**
 * Cash, cashback and amount conditions do not come up at a shop's terminal with lists of zero amounts; 03 is for
 * terminals that support the rule's method.
 */
const applies = (transaction: Transaction, rule: CvmRule): boolean => {
  if (rule.condition === '00' || rule.condition === '02') return true;
  const method = methods[codeOf(rule) & 0x3f];
  const isPin = method === 'onlinePin' || method === 'offlinePin';
  return rule.condition === '03' && (!isPin || takesPin(transaction, method));
};

/** The verification result of a method that this terminal does not know, has no PIN pad for, or has tried out. */
const hindranceOf = (transaction: Transaction, method: PinNeed | undefined): Bit | undefined => {
  if (method === undefined) return tvrBits.unrecognisedMethod;
  if (!takesPin(transaction, method)) return tvrBits.noPinPad;
  return method === 'offlinePin' && transaction.card.pinTriesLeft() === 0 ? tvrBits.pinTriesExceeded : undefined;
};

/** Verifies the cardholder of a contact chip; the outcome is in tags 9F34, 95 and 9B. */
export const verifier = (transaction: Transaction): Verifier => {
  const { card, tvr, tsi, values } = transaction;
  const supported = isMarked(values.get('82') ?? new Uint8Array(2), cvmSupported);
  const rules = supported
    ? parseCvmList(values.get('8E') ?? new Uint8Array(0)).rules.filter((rule) => applies(transaction, rule))
    : [];
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

  const next = (): PinNeed | undefined => {
    const rule = rules[at];
    if (rule === undefined) return values.has('9F34') ? undefined : end(undefined, '00');
    const method = methods[codeOf(rule) & 0x3f];
    if (method === 'none') return end(rule, '02');
    if (method === 'signature') return end(rule, '00');
    const missing = hindranceOf(transaction, method);
    if (missing !== undefined) {
      mark(tvr, missing);
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
