/**
 * The EMV kernel of the simulated terminal: restrictions, risk management, action analysis and the two cryptograms of a
 * contact chip, and the one cryptogram of a tap (EMV Book 3 section 10; Visa and Mastercard contactless in outline).
 */
import { concat, fromHex, toHex } from '../../src/base/hex.ts';
import { type CvmRule, parseCvmList } from '../../src/emv/cvm.ts';
import { buildDol } from '../../src/emv/dol.ts';
import { find, findAll, type Tlv } from '../../src/emv/tlv.ts';
import { tlvText } from '../codec.ts';
import { profileOf } from './card-profile.ts';
import type { CardAnswer, CryptogramKind } from './chip.ts';
import { type Bit, haveCommonBit, isMarked, setBit, tsiBits, tvrBits } from './terminal-config.ts';
import { elementOf, type Transaction } from './transaction.ts';

// Cardholder verification: the simulated kernel follows the card's CVM list (EMV Book 3 section 10.5).

export type PinNeed = 'onlinePin' | 'offlinePin';

export type Verifier = {
  /** The PIN that is needed now, or undefined when verification is over. Never asks twice. */
  needs(): PinNeed | undefined;
  /** Takes the PIN that the customer typed. After a wrong offline PIN the need stays the same while tries are left. */
  enterPin(pin: string): void;
};

/** The methods that this terminal supports, by the low six bits of the rule's code. */
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

/** Whether this terminal accepts such a PIN. */
const takesPin = ({ values }: Pick<Transaction, 'values'>, need: PinNeed): boolean =>
  isMarked(values.get('9F33') ?? new Uint8Array(3), pinBits[need]);

/**
 * Cash, cashback and amount conditions never occur at a shop's terminal with zero amounts in its lists; 03 applies
 * where the terminal supports the rule's method.
 */
const applies = (transaction: Transaction, rule: CvmRule): boolean => {
  if (rule.condition === '00' || rule.condition === '02') return true;
  const method = methods[codeOf(rule) & 0x3f];
  const isPin = method === 'onlinePin' || method === 'offlinePin';
  return rule.condition === '03' && (!isPin || takesPin(transaction, method));
};

/**
 * The verification result when this terminal does not know a method, has no PIN pad for it, or its tries are used up.
 */
const obstacleOf = (transaction: Transaction, method: PinNeed | undefined): Bit | undefined => {
  if (method === undefined) return tvrBits.unrecognisedMethod;
  if (!takesPin(transaction, method)) return tvrBits.noPinPad;
  return method === 'offlinePin' && transaction.card.pinTriesLeft() === 0 ? tvrBits.pinTriesExceeded : undefined;
};

/** Verifies the cardholder of a contact chip; the outcome is in tags 9F34, 95 and 9B. */
export const createVerifier = (transaction: Transaction): Verifier => {
  const { card, tvr, tsi, values } = transaction;
  const supported = isMarked(values.get('82') ?? new Uint8Array(2), cvmSupported);
  const rules = supported
    ? parseCvmList(values.get('8E') ?? new Uint8Array(0)).rules.filter((rule) => applies(transaction, rule))
    : [];
  let index = 0;
  let need: PinNeed | undefined;

  const end = (rule: CvmRule | undefined, result: '00' | '01' | '02'): undefined => {
    values.set('9F34', fromHex(rule === undefined ? '3F0000' : `${rule.code}${rule.condition}${result}`));
    if (supported) setBit(tsi, tsiBits.cardholderVerification);
    if (result === '01') setBit(tvr, tvrBits.verificationFailed);
    index = rules.length;
    need = undefined;
  };

  /** The rule failed: continues with the next one if allowed, otherwise the verification has failed. */
  const noteFailure = (rule: CvmRule): PinNeed | undefined => {
    index += 1;
    need = undefined;
    const isContinued = (codeOf(rule) & 0x40) !== 0;
    if (isContinued && index < rules.length) return nextNeed();
    return end(rule, '01');
  };

  const nextNeed = (): PinNeed | undefined => {
    const rule = rules[index];
    if (rule === undefined) return values.has('9F34') ? undefined : end(undefined, '00');
    const method = methods[codeOf(rule) & 0x3f];
    if (method === 'none') return end(rule, '02');
    if (method === 'signature') return end(rule, '00');
    const missing = obstacleOf(transaction, method);
    if (missing !== undefined) {
      setBit(tvr, missing);
      return noteFailure(rule);
    }
    need = method;
    return need;
  };

  return {
    needs: () => need ?? nextNeed(),
    enterPin(pin) {
      const rule = rules[index];
      if (rule === undefined || need === undefined) return;
      if (need === 'onlinePin') {
        setBit(tvr, tvrBits.onlinePinEntered);
        end(rule, '00');
      } else if (card.verifyPin(pin) === 'right') {
        end(rule, '02');
      } else {
        need = undefined;
      }
    },
  };
};

const refundType = '20';
const externalAuthenticate = [1, 3] as const;

/** Codes with which an issuer approves (ISO 8583 field 39), and the terminal's own when it could not ask. */
const approving: ReadonlySet<string> = new Set(['00', '08', '10', '11', '85', 'Y3']);

const take = ({ values }: Transaction, answer: CardAnswer): CryptogramKind => {
  values.set('9F26', answer.cryptogram);
  values.set('9F27', answer.cid);
  values.set('9F36', answer.atc);
  values.set('9F10', answer.iad);
  return answer.kind;
};

const ask = (transaction: Transaction, kind: CryptogramKind, dol: string): CryptogramKind | undefined => {
  const data = buildDol(fromHex(dol), (tag) => elementOf(transaction, tag));
  const answer = transaction.card.generate(kind, data);
  return answer === undefined ? undefined : take(transaction, answer);
};

const checkRestrictions = ({ tvr, tsi, values, request, config }: Transaction): void => {
  if (config.authenticatesData) setBit(tsi, tsiBits.dataAuthentication);
  else setBit(tvr, tvrBits.dataAuthenticationNotPerformed);
  // YYMMDD dates of this century compare correctly as text.
  if (toHex(values.get('5F24') ?? fromHex('991231')) < request.date) setBit(tvr, tvrBits.expired);
};

const manageRisk = ({ tvr, tsi, request, config }: Transaction): void => {
  setBit(tsi, tsiBits.terminalRiskManagement);
  if (request.amountMinor >= config.floorLimitMinor) setBit(tvr, tvrBits.floorLimitExceeded);
  if (request.type === refundType) setBit(tvr, tvrBits.forcedOnline);
};

/** Terminal action analysis: the action codes applied to the verification results. */
const chooseCryptogram = ({ tvr, values, config }: Transaction): CryptogramKind => {
  const isHit = (tag: string, terminal: string): boolean =>
    haveCommonBit(tvr, values.get(tag) ?? new Uint8Array(5)) || haveCommonBit(tvr, fromHex(terminal));
  if (isHit('9F0E', config.actionCodes.denial)) return 'AAC';
  if (isHit('9F0F', config.actionCodes.online) || isMarked(tvr, tvrBits.forcedOnline)) return 'ARQC';
  return 'TC';
};

/**
 * First GENERATE AC of a contact chip, after its cardholder was verified. Returns the chip's decision; undefined when
 * the card does not answer. Tags 9F26, 9F27, 9F36, 9F10 and the result fields are then set.
 */
export const firstCryptogram = (transaction: Transaction): CryptogramKind | undefined => {
  checkRestrictions(transaction);
  manageRisk(transaction);
  const kind = ask(transaction, chooseCryptogram(transaction), profileOf(transaction.card.facts).first);
  if (kind !== undefined) setBit(transaction.tsi, tsiBits.cardRiskManagement);
  return kind;
};

/** The host's answer for the chip: tag 8A, tag 91, the scripts of tags 71 and 72. */
export type IssuerAnswer = {
  /** Two characters; Y3 when the host could not be reached. */
  arc: string;
  issuerData?: Uint8Array;
  before: readonly Tlv[];
  after: readonly Tlv[];
};

/** Issuer authentication by a separate command; the terminal sees whether the card refuses. */
const authenticate = ({ card, values, tvr, tsi }: Transaction, issuerData: Uint8Array): void => {
  values.set('91', issuerData);
  if (!isMarked(values.get('82') ?? new Uint8Array(2), externalAuthenticate)) return;
  setBit(tsi, tsiBits.issuerAuthentication);
  if (!card.authenticateIssuer(issuerData)) setBit(tvr, tvrBits.issuerAuthenticationFailed);
};

/**
 * Second GENERATE AC, with the scripts before and after it. Returns TC or AAC; undefined when the card does not answer.
 */
export const secondCryptogram = (transaction: Transaction, issuerAnswer: IssuerAnswer): CryptogramKind | undefined => {
  const { values, card } = transaction;
  values.set('8A', tlvText(issuerAnswer.arc));
  if (issuerAnswer.issuerData !== undefined) authenticate(transaction, issuerAnswer.issuerData);
  runScripts(transaction, issuerAnswer.before, 'before');
  const requestedKind = approving.has(issuerAnswer.arc) ? 'TC' : 'AAC';
  const kind = ask(transaction, requestedKind, profileOf(card.facts).second);
  if (kind === undefined) return undefined;
  if (issuerAnswer.arc === 'Y3' && kind === 'AAC') values.set('8A', tlvText('Z3'));
  runScripts(transaction, issuerAnswer.after, 'after');
  return kind;
};

/** What the reader of a tap asks of the customer. */
export type TapVerification = 'onlinePin' | 'signature' | 'none';

const tapResults: Readonly<Record<TapVerification, string>> = {
  onlinePin: '420300',
  signature: '1E0300',
  none: '1F0002',
};

const tapVerification = (transaction: Transaction): TapVerification => {
  const { card, request, config } = transaction;
  if (request.amountMinor <= config.tapVerifyAboveMinor) return 'none';
  const methods = takesPin(transaction, 'onlinePin') ? (['onlinePin', 'signature'] as const) : (['signature'] as const);
  const canVerify = (method: string) => methods.find((each) => each === method);
  return card.facts.cvms.flatMap((method) => canVerify(method) ?? [])[0] ?? 'none';
};

/**
 * The one cryptogram of a tap: always requested as ARQC, because nothing is accepted offline without data
 * authentication. Undefined when the card does not answer.
 */
export const tapCryptogram = (transaction: Transaction): CryptogramKind | undefined => {
  const { values, card } = transaction;
  // Visa's contactless kernel has no verification results: the cryptogram covers zeros.
  if (card.facts.brand !== 'VISA') checkRestrictions(transaction);
  verifyTap(transaction);
  const kind = ask(transaction, 'ARQC', profileOf(card.facts).first);
  if (kind !== undefined) values.set('9F39', fromHex('07'));
  return kind;
};

/** Sets tag 9F34 of a tap by amount and card. */
export const verifyTap = (transaction: Transaction): void => {
  const verification = tapVerification(transaction);
  transaction.values.set('9F34', fromHex(tapResults[verification]));
  if (verification === 'onlinePin' && transaction.card.facts.brand !== 'VISA') {
    setBit(transaction.tvr, tvrBits.onlinePinEntered);
  }
};

// Issuer scripts, templates 71 and 72: run in order, stopped at the first failing command (EMV Book 4 section 6.3.9).

/** Warnings (62, 63) and success let a script continue. */
const isContinued = (status: string): boolean => /^(90|62|63)/.test(status);

/** Five bytes: done (2x) or failed (1x) with the number of the command, then the script's identifier, tag 9F18. */
const runOne = ({ card }: Transaction, script: Tlv): { failed: boolean; result: Uint8Array } => {
  const children = script.children ?? [];
  const id = find(children, '9F18')?.value ?? new Uint8Array(4);
  const failing = findAll(children, '86').findIndex(({ value }) => !isContinued(card.command(value)));
  const failed = failing >= 0;
  const first = failed ? 0x10 | Math.min(failing + 1, 0x0f) : 0x20;
  return { failed, result: concat(Uint8Array.of(first), id) };
};

/** Runs the scripts before (71) or after (72) the final GENERATE AC; results are added to tag 9F5B. */
const runScripts = (transaction: Transaction, scripts: readonly Tlv[], when: 'before' | 'after'): void => {
  const { values, tvr, tsi } = transaction;
  for (const script of scripts) {
    const { failed, result } = runOne(transaction, script);
    setBit(tsi, tsiBits.scriptProcessing);
    if (failed) setBit(tvr, when === 'before' ? tvrBits.scriptFailedBefore : tvrBits.scriptFailedAfter);
    values.set('9F5B', concat(values.get('9F5B') ?? new Uint8Array(0), result));
  }
};
