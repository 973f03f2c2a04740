/** The commands of the simulated MPI device that wait for customer or card: chip, tap, PIN, manual entry. */
import { isFault } from '../../../src/base/fault.ts';
import { fromHex, toHex } from '../../../src/base/hex.ts';
import type { TestCard } from '../../../src/emv/test-cards.ts';
import { find, findAll } from '../../../src/emv/tlv.ts';
import {
  createVerifier,
  firstCryptogram,
  secondCryptogram,
  tapCryptogram,
  type Verifier,
  verifyTap,
} from '../../simulation/kernel.ts';
import { pace } from '../../simulation/simulator.ts';
import { openTransaction, type Transaction, type TransactionRequest } from '../../simulation/transaction.ts';
import type { MpiAsk, MpiCommandName, MpiDecision, MpiReply } from '../protocol/commands.ts';
import { deviceCodes } from '../protocol/notices.ts';
import { contactAnswer, finalAnswer, manualAnswer, maskedTrackOf, tapAnswer } from './answers.ts';
import type { MpiCustomer } from './customer.ts';
import type { MpiUnit } from './unit.ts';

/** The device's own time limit for a customer. */
const tapWaitMs = 60_000;

const status = {
  notReady: '9F22',
  noCard: '9F23',
  cardError: '9F25',
  notAllowed: '9F26',
  unsupported: '9F28',
  unreadable: '9F30',
  insertInstead: '9FC1',
  timedOut: '9F42',
  noKey: '9FE0',
};

/** Ends the running command with the result of `make`; an exhausted key ends it with the device's own error. */
const endWith = <N extends MpiCommandName>(unit: MpiUnit, name: N, make: () => MpiReply<N>) => {
  try {
    unit.end(name, make());
  } catch (error) {
    if (!isFault(error, 'key.exhausted')) throw error;
    unit.fail(name === 'onlinePin' || name === 'manualEntry' ? status.noKey : '9F22');
  }
};

const successReply = (answer: MpiDecision): { status: string; answer: MpiDecision } => ({ status: '9000', answer });

const open = (unit: MpiUnit, card: TestCard, o: { via: 'chip' | 'tap'; request: TransactionRequest }) => {
  const { config, random, wallet } = unit.parts;
  unit.sequence += 1;
  return openTransaction({ ...o, card: wallet(card), config, unpredictable: random(4), sequence: unit.sequence });
};

/** DED1. The answer comes after the chip's first cryptogram; an offline PIN is taken before it. */
export const startContact = (unit: MpiUnit, customer: MpiCustomer, request: TransactionRequest) => {
  const card = unit.cardInSlot();
  unit.transaction = undefined;
  if (card === undefined) return unit.answer('startContact', { status: status.noCard });
  if (!unit.isChipUp()) return unit.answer('startContact', { status: status.notReady });
  unit.begin({ name: 'startContact', onPulled: () => unit.fail(status.noCard) });
  if (customer.presentation()?.pullsCardAt === 'read') return unit.schedule(pace.pullMs, () => unit.remove());
  unit.schedule(pace.readMs, () => {
    const transaction = open(unit, card, { via: 'chip', request });
    if (transaction !== undefined) return verifyAndGenerate(unit, customer, transaction);
    if (card.chip !== 'good') customer.noteChipFailure();
    // For a broken chip or a stripe card in the slot, a swipe is allowed; for a blocked chip it is not.
    const ends = { broken: status.unreadable, none: status.unsupported, good: status.cardError };
    unit.fail(ends[card.chip]);
  });
};

const verifyAndGenerate = (unit: MpiUnit, customer: MpiCustomer, transaction: Transaction) => {
  const verifying = createVerifier(transaction);
  const step = () => {
    const need = verifying.needs();
    if (need === undefined) return generate(unit, customer, transaction);
    // The PIN for the host is taken by a separate command after the answer.
    if (need === 'offlinePin') return askOfflinePin(unit, customer, { verifying, step });
    verifying.enterPin('');
    step();
  };
  step();
};

const askOfflinePin = (unit: MpiUnit, customer: MpiCustomer, o: { verifying: Verifier; step: () => void }) => {
  unit.parts.report('PIN entry');
  unit.schedule(pace.pinMs, () => {
    const input = customer.pin();
    if (input === 'cancel') return unit.cancelKey();
    o.verifying.enterPin(input);
    o.step();
  });
};

const generate = (unit: MpiUnit, customer: MpiCustomer, transaction: Transaction) => {
  const kind = firstCryptogram(transaction);
  if (kind === undefined) return unit.fail(status.cardError);
  unit.transaction = kind === 'ARQC' ? transaction : undefined;
  unit.lastRead = transaction.card.facts;
  unit.parts.report(`the chip gives ${kind}`);
  if (kind !== 'ARQC') customer.takeCard();
  endWith(unit, 'startContact', () => successReply(contactAnswer(transaction, kind, unit.parts.keys)));
};

/** DED2. Refused if there is no transaction; if there is no card, nothing answers. */
export const continueContact = (unit: MpiUnit, customer: MpiCustomer, { tlvs }: MpiAsk<'continueContact'>) => {
  const { transaction } = unit;
  const refuse = (reason: string) => unit.answer('continueContact', { status: reason });
  if (unit.cardInSlot() === undefined) return refuse(status.noCard);
  if (transaction === undefined) return refuse(status.notAllowed);
  const arc = find(tlvs, '8A')?.value;
  if (arc?.length !== 2) return refuse(arc === undefined ? '9F27' : '9F21');

  unit.begin({ name: 'continueContact', onPulled: () => unit.fail(status.noCard) });
  if (customer.presentation()?.pullsCardAt === 'complete') return unit.schedule(pace.pullMs, () => unit.remove());
  const issuerData = find(tlvs, '91')?.value;
  const reply = {
    arc: Buffer.from(arc).toString('latin1'),
    issuerData: issuerData?.slice(),
    before: findAll(tlvs, '71'),
    after: findAll(tlvs, '72'),
  };
  unit.schedule(pace.generateMs, () => {
    const kind = secondCryptogram(transaction, reply);
    unit.transaction = undefined;
    if (kind === undefined) return unit.fail(status.cardError);
    unit.parts.report(`the chip gives ${kind}`);
    customer.takeCard();
    endWith(unit, 'continueContact', () => successReply(finalAnswer(transaction, kind)));
  });
};

/** DEC1. */
export const startContactless = (unit: MpiUnit, customer: MpiCustomer, request: TransactionRequest) => {
  unit.transaction = undefined;
  const tap = (card: TestCard) => {
    if (card.contactless === 'none') return;
    unit.parts.report(`card tapped: ${card.label}`);
    unit.schedule(pace.tapMs, () => readTap(unit, customer, { card, request }));
  };
  unit.begin({ name: 'startContactless', endsAt: { insert: '9F43', swipe: '9F44' }, onTapped: tap });
  unit.schedule(tapWaitMs, () => unit.fail(status.timedOut));
  customer.onReaderStarted();
};

/** Reads the card held there; one that cannot be tapped must be inserted. */
const readTap = (unit: MpiUnit, customer: MpiCustomer, at: { card: TestCard; request: TransactionRequest }) => {
  const { card, request } = at;
  const transaction = open(unit, card, { via: 'tap', request });
  if (transaction === undefined || !readTapped(transaction)) {
    customer.noteTapFailure();
    unit.notifyEvent(deviceCodes.errorBeep, 'ERROR BEEP');
    return unit.fail(status.insertInstead);
  }
  unit.lastRead = card;
  unit.notifyEvent(deviceCodes.successBeep, 'SUCCESS BEEP');
  const asTapped = unit.hasDialect('tap-track-apart');
  endWith(unit, 'startContactless', () => successReply(tapAnswer(transaction, unit.parts.keys, { asTapped })));
};

const readTapped = (transaction: Transaction): boolean => {
  if (transaction.card.facts.contactless === 'emv') return tapCryptogram(transaction) !== undefined;
  verifyTap(transaction);
  transaction.values.set('9F39', fromHex('91'));
  return true;
};

/** DED6. The masked track must be that of the card last read; its number goes into the PIN block. */
export const onlinePin = (unit: MpiUnit, customer: MpiCustomer, { maskedTrack2 }: MpiAsk<'onlinePin'>) => {
  const card = unit.lastRead;
  if (card === undefined) return unit.answer('onlinePin', { status: status.notAllowed });
  if (!hasSameNumber(maskedTrack2, card)) return unit.answer('onlinePin', { status: '9F0F' });
  unit.begin({ name: 'onlinePin' });
  unit.parts.report('PIN entry');
  unit.schedule(pace.pinMs, () => {
    const pin = customer.pin();
    if (pin === 'cancel') return unit.end('onlinePin', { status: '9000', answer: { kind: 'cancelled', code: 0x08 } });
    for (const _ of pin) unit.notifyEvent(deviceCodes.pinEntry, 'PIN ENTRY EVENT');
    endWith(unit, 'onlinePin', () => {
      const { data, ksn } = unit.parts.keys.sealPin(pin, card.pan);
      return { status: '9000', answer: { kind: 'entered' as const, data, ksn: toHex(ksn) } };
    });
  });
};

/** The host must identify the card in the masked form that the device gave it. */
const hasSameNumber = (masked: string, card: TestCard): boolean => {
  const number = (track: string): string | undefined => /^;([\d*]{12,19})=/.exec(track)?.[1];
  return number(masked) !== undefined && number(masked) === number(maskedTrackOf(card));
};

/** D25A. The device encrypts only the number, not the other typed data. */
export const manualEntry = (unit: MpiUnit, customer: MpiCustomer, { seconds }: MpiAsk<'manualEntry'>) => {
  const tap = (card: TestCard) => {
    unit.parts.report('a card number is typed in');
    unit.schedule(pace.typeMs, () => {
      unit.lastRead = card;
      const withExpiry = unit.hasDialect('manual-with-expiry');
      endWith(unit, 'manualEntry', () => successReply(manualAnswer(card, unit.parts.keys, { withExpiry })));
    });
  };
  unit.begin({ name: 'manualEntry', onTapped: tap });
  if (seconds !== undefined) unit.schedule(seconds * 1_000, () => unit.fail(status.timedOut));
  customer.onReaderStarted();
};
