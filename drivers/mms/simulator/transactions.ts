/** How the simulated MMS device handles a card, up to the block that asks for the host. */
import { isFault } from '../../../src/base/fault.ts';
import type { TestCard } from '../../../src/emv/test-cards.ts';
import { type Tlv, tlv } from '../../../src/emv/tlv.ts';
import { hasChip } from '../../../src/emv/tracks.ts';
import { amount, currency, digits } from '../../codec.ts';
import { cvmList } from '../../simulation/card-profile.ts';
import { createVerifier, firstCryptogram, type PinNeed, tapCryptogram, verifyTap } from '../../simulation/kernel.ts';
import type { Ciphertext } from '../../simulation/key-slots.ts';
import { pace } from '../../simulation/simulator.ts';
import { openTransaction, type Transaction } from '../../simulation/transaction.ts';
import { cardTypes } from '../protocol/card-data.ts';
import { chipArqc, chipBatch, stripeArqc } from './blocks.ts';
import type { MmsCustomer, MmsTransactionParts } from './customer.ts';
import { sendArqc } from './host.ts';
import type { MmsTransaction, MmsUnit } from './unit.ts';

/** The time from a swipe until its data is ready. */
const swipeMs = 200;

/** After this many unreadable chips a device asks for the stripe. */
const chipTriesMax = 3;
/** The reason for the fallback: tag DFDF53. */
const technical = 0x01;
const misfit = 0x81;

/** Handles whatever the customer presents. */
export const serveCustomer = (unit: MmsUnit, customer: MmsCustomer, transaction: MmsTransaction) => {
  const scene = { unit, customer, transaction };
  const { readers } = transaction.ask;
  transaction.onPresented = (card, by) => {
    if (transaction.stage !== 'waiting') return;
    if (by === 'chip' && (readers?.chip ?? 1) === 1) return readChip(scene, card);
    if (by === 'tap' && (readers?.tap ?? 1) === 1) return tap(scene, card);
    if (by === 'stripe' && (readers?.swipe ?? 1) === 1) return swipe(scene, card);
    if (by === 'manual' && readers?.manual !== undefined) return enter(scene, card);
  };
  transaction.onPulled = () => {
    // The chip's answer is no longer available.
    if (transaction.stage === 'reading' && transaction.technology === 'chip') unit.end('chipFailed', 'chip');
  };
};

/** An exhausted key ends the transaction; the device goes offline by itself. */
const sealOrEnd = ({ unit, transaction }: MmsTransactionParts, make: () => void) => {
  try {
    make();
  } catch (error) {
    if (!isFault(error, 'key.exhausted')) throw error;
    unit.parts.report('a key is used up');
    unit.end('cancelled', transaction.technology);
  }
};

const open = (
  { unit, transaction: running }: MmsTransactionParts,
  card: TestCard,
  via: 'chip' | 'tap',
): Transaction | undefined => {
  const { config, random, wallet, clock } = unit.parts;
  const { sale } = running.ask;
  unit.sequence += 1;
  const now = new Date(clock.now() + config.clockOffsetMs).toISOString().replace(/\D/g, '');
  const transaction = openTransaction({
    via,
    card: wallet(card),
    request: {
      amountMinor: sale.amountMinor,
      currency: sale.currency ?? 'USD',
      type: sale.type,
      date: now.slice(2, 8),
      time: now.slice(8, 14),
    },
    // Tag 9F1E has eight digits.
    config: { ...config, serial: config.serial.padEnd(8, '0') },
    unpredictable: random(4),
    sequence: unit.sequence,
  });
  const aid = transaction?.values.get('84');
  if (aid !== undefined) transaction?.values.set('4F', aid);
  return transaction;
};

const readChip = (scene: MmsTransactionParts, card: TestCard) => {
  const { unit, customer, transaction: running } = scene;
  running.stage = 'reading';
  running.technology = 'chip';
  running.card = card;
  if (customer.presentation()?.pullsCardAt === 'read') return unit.schedule(pace.pullMs, () => unit.remove());
  unit.schedule(pace.readMs, () => {
    const transaction = open(scene, card, 'chip');
    if (transaction === undefined) return handleChipFailure(scene, card);
    transaction.values.set('9F39', Uint8Array.of(0x05));
    // A unit without a PIN pad lets the card choose among its other methods.
    const cvms = card.cvms.filter((method) => method === 'signature' || method === 'noCvm');
    if (!unit.hasDisplay()) transaction.values.set('8E', cvmList({ ...card, cvms }));
    verify(scene, transaction);
  });
};

/** Where the device leads the fallback, it asks again itself; otherwise it ends and the host starts again. */
const handleChipFailure = (scene: MmsTransactionParts, card: TestCard) => {
  const { unit, customer, transaction } = scene;
  const isBroken = card.chip !== 'none';
  transaction.chipFailures += isBroken ? 1 : chipTriesMax;
  if (card.chip === 'good') return unit.end('declinedOffline', 'chip');
  if (unit.parts.store.get('fallback') !== 1) return unit.end(isBroken ? 'chipFailed' : 'stripeInstead', 'chip');
  transaction.stage = 'waiting';
  const isEnough = transaction.chipFailures >= chipTriesMax;
  if (isEnough && (transaction.ask.readers?.swipe ?? 1) === 0) return unit.end('stripeInstead', 'chip');
  unit.show(isEnough ? 'USE MAGSTRIPE' : 'TRY AGAIN');
  customer.onAsked(isEnough ? 'stripe' : 'chip');
};

const verify = (scene: MmsTransactionParts, transaction: Transaction) => {
  const verifying = createVerifier(transaction);
  let pin: Ciphertext | undefined;
  const step = () => {
    const need = verifying.needs();
    if (need === undefined) return generate(scene, transaction, pin);
    askPin(scene, need, (digitsTyped) => {
      if (need === 'onlinePin') pin = sealPin(scene, digitsTyped);
      if (need === 'onlinePin' && pin === undefined) return;
      verifying.enterPin(digitsTyped);
      step();
    });
  };
  step();
};

const askPin = ({ unit, customer, transaction }: MmsTransactionParts, need: PinNeed, typed: (pin: string) => void) => {
  unit.parts.report(need === 'onlinePin' ? 'PIN entry' : 'PIN entry for the card');
  unit.schedule(pace.pinMs, () => {
    const pin = customer.pin();
    if (pin !== 'cancel') typed(pin);
    else if (need === 'onlinePin') unit.end('cancelled', transaction.technology);
    else unit.end('cancelledByUser', 'none');
  });
};

/** Undefined when the PIN key is exhausted: the transaction has ended. */
const sealPin = ({ unit, transaction }: MmsTransactionParts, pin: string): Ciphertext | undefined => {
  const { keys } = unit.parts;
  try {
    return keys.sealPin(pin, transaction.card?.pan ?? '', keys.scheme === 'tdesDukpt' ? 'tdes' : 'aes');
  } catch (error) {
    if (!isFault(error, 'key.exhausted')) throw error;
    unit.notify('pinNotEncrypted', transaction.technology);
    unit.end('cancelled', transaction.technology);
    return undefined;
  }
};

const generate = (scene: MmsTransactionParts, transaction: Transaction, pin: Ciphertext | undefined) => {
  const { unit, transaction: running } = scene;
  const kind = firstCryptogram(transaction);
  if (kind === undefined) return unit.end('chipFailed', 'chip');
  unit.parts.report(`the chip gives ${kind}`);
  running.emv = transaction;
  const blockContext = unit.blockContext();
  sealOrEnd(scene, () => {
    if (kind === 'ARQC') return sendArqc(scene, chipArqc(blockContext, transaction, pin));
    const batch = chipBatch(blockContext, transaction, kind === 'TC' ? 'accepted' : 'declined');
    unit.show(kind === 'TC' ? 'APPROVED' : 'DECLINED');
    unit.endWith(kind === 'TC' ? 'approvedOffline' : 'declinedOffline', 'chip', batch);
  });
};

const tap = (scene: MmsTransactionParts, card: TestCard) => {
  const { unit, transaction: running } = scene;
  if (card.contactless === 'none') return;
  running.stage = 'reading';
  running.technology = 'tap';
  running.card = card;
  unit.notify('tapped', 'tap');
  unit.schedule(pace.tapMs, () => {
    const transaction = open(scene, card, 'tap');
    if (transaction === undefined || !readTapped(transaction)) return unit.end('otherInterface', 'tap');
    running.emv = transaction;
    const blockContext = unit.blockContext();
    const ask = (pin?: Ciphertext) => sealOrEnd(scene, () => sendArqc(scene, chipArqc(blockContext, transaction, pin)));
    const wantsPin = transaction.values.get('9F34')?.[0] === 0x42 && unit.hasDisplay();
    if (!wantsPin) return ask();
    askPin(scene, 'onlinePin', (input) => {
      const pin = sealPin(scene, input);
      if (pin !== undefined) ask(pin);
    });
  });
};

const readTapped = (transaction: Transaction): boolean => {
  if (transaction.card.facts.contactless === 'emv') return tapCryptogram(transaction) !== undefined;
  verifyTap(transaction);
  transaction.values.set('9F39', Uint8Array.of(0x91));
  return true;
};

/** The sale's own objects, for containers without a chip. */
const saleTlvs = ({ ask: { sale } }: MmsTransaction, entry: string): Tlv[] => [
  tlv('9C', digits(1).encode(sale.type)),
  tlv('5F2A', currency.encode(sale.currency ?? 'USD')),
  tlv('9F02', amount.encode(sale.amountMinor)),
  tlv('9F39', entry),
];

const swipe = (scene: MmsTransactionParts, card: TestCard) => {
  const { unit, customer, transaction } = scene;
  const { readers } = transaction.ask;
  const deviceLed = unit.parts.store.get('fallback') === 1;
  const chipCard = hasChip(card.serviceCode);
  const chipFirst = chipCard && (readers?.chip ?? 1) === 1 && transaction.chipFailures < chipTriesMax;
  unit.notify('presented', 'stripe');
  if (deviceLed && chipFirst) {
    unit.show('USE CHIP READER');
    return customer.onAsked('chip');
  }
  transaction.stage = 'reading';
  transaction.technology = 'stripe';
  transaction.card = card;
  const fallback =
    !deviceLed || transaction.chipFailures < chipTriesMax ? 0 : card.chip === 'none' ? misfit : technical;
  const type = chipCard ? cardTypes.chipCardStripe : cardTypes.stripe;
  unit.schedule(swipeMs, () => {
    const sale = saleTlvs(transaction, fallback === 0 ? '90' : '80');
    const blockContext = unit.blockContext();
    sealOrEnd(scene, () => sendArqc(scene, stripeArqc(blockContext, card, { type, fallback, sale, typed: false })));
  });
};

const enter = (scene: MmsTransactionParts, card: TestCard) => {
  const { unit, transaction } = scene;
  transaction.stage = 'reading';
  transaction.technology = 'manual';
  transaction.card = card;
  unit.parts.report('a card number is typed in');
  unit.schedule(pace.typeMs, () => {
    unit.notify('presented', 'manual');
    const sale = saleTlvs(transaction, '01');
    const blockContext = unit.blockContext();
    sealOrEnd(scene, () => {
      const block = stripeArqc(blockContext, card, { type: cardTypes.manual, fallback: 0, sale, typed: true });
      unit.notifyBlock('arqc', 'manual', block);
      unit.end('done', 'manual');
    });
  });
};
