/** The commands of the simulated NEO 2 reader that wait for a card of any kind. */
import { isFault } from '../../../src/base/fault.ts';
import type { TestCard } from '../../../src/emv/test-cards.ts';
import { decodeTlv, findAll } from '../../../src/emv/tlv.ts';
import {
  createVerifier,
  firstCryptogram,
  secondCryptogram,
  tapCryptogram,
  type Verifier,
  verifyTap,
} from '../../simulation/kernel.ts';
import type { Ciphertext } from '../../simulation/key-slots.ts';
import { pace } from '../../simulation/simulator.ts';
import { openTransaction, type Transaction } from '../../simulation/transaction.ts';
import type { Neo2Result } from '../protocol/answers.ts';
import { interfaceBits, type Neo2Ask, type Neo2CommandName } from '../protocol/commands.ts';
import { result, status } from '../protocol/status.ts';
import { encodeNeo2Tlv, findNeo2, neo2Tlv } from '../protocol/tlv.ts';
import {
  chipAnswer,
  emptyAnswer,
  finalAnswer,
  manualAnswer,
  type Neo2Encryption,
  startAnswer,
  swipeAnswer,
  tapAnswer,
} from './answers.ts';
import { type CustomerActions, type Neo2Customer, sealPin } from './customer.ts';
import type { EntryWays, Neo2Unit } from './unit.ts';

/** After this many insertions of a chip that does not answer the stripe is allowed. */
const failuresMax = 3;

/** The applications on every card when the reader lets its host choose. */
const twoApplications = ['CREDIT', 'DEBIT'];

type Step = 'activate' | 'authenticate' | 'finish' | 'manual' | 'manualUnderV3';

/** Ends the running step with the result of `make`; an exhausted key ends it with the reader's own error. */
const endWith = (
  unit: Neo2Unit,
  name: Step,
  o: { make: () => Neo2Result; value?: number; phase?: Neo2Unit['phase'] },
) => {
  if (unit.hasDialect('key-missing-at-card')) return unit.fail(status.noDataKey);
  try {
    unit.end(name, { status: o.value ?? status.ok, answer: o.make() }, o.phase);
  } catch (error) {
    if (!isFault(error, 'key.exhausted')) throw error;
    unit.parts.report('a key is used up');
    unit.fail(status.failed);
  }
};

const code = (value: string) => [neo2Tlv('DFEE25', value)];
const sealingOf = (unit: Neo2Unit): Neo2Encryption => ({
  keys: unit.parts.keys,
  cipher: unit.parts.cipher,
  isDialect: (dialect) => unit.hasDialect(dialect),
});

const open = (unit: Neo2Unit, card: TestCard, via: 'chip' | 'tap'): Transaction | undefined => {
  const { config, random, wallet } = unit.parts;
  const { request } = unit;
  if (request === undefined) return undefined;
  unit.sequence += 1;
  return openTransaction({
    via,
    request,
    card: wallet(card),
    config,
    unpredictable: random(4),
    sequence: unit.sequence,
  });
};

/** 02-40. */
export const activate = (unit: Neo2Unit, customer: Neo2Customer, ask: Neo2Ask<'activate'>) => {
  const { amountMinor, currency = 'EUR', date, time, interfaces = 7, patience, timeoutS, type = '00' } = ask;
  // The reader has a clock of its own, and SRED readers must not be given another time (IDG p179).
  if (amountMinor === undefined || date !== undefined || time !== undefined) {
    return unit.answer('activate', { status: status.badParameter });
  }
  const digits = new Date(unit.parts.clock.now()).toISOString().replace(/\D/g, '');
  unit.request = { amountMinor, currency, type, date: digits.slice(2, 8), time: digits.slice(8, 14) };
  unit.patience = { fallback: patience?.fallback === 1, nextCommandMs: (patience?.nextCommandS ?? 60) * 1_000 };
  unit.failures = 0;
  unit.showText();
  const ways = (['swipe', 'tap', 'chip'] as const).filter((way) => (interfaces & interfaceBits[way]) !== 0);
  unit.forget();
  unit.begin('activate', new Set(ways));
  unit.patienceOver = () => unit.forget();
  if (unit.hasDialect('activation-acknowledged-63')) unit.answer('activate', { status: status.accepted });
  unit.schedule(timeoutS * 1_000, () => unit.fail(status.timedOut));
  customer.onReaderStarted();
};

/** How the reader handles a card, by the way it is presented. */
export const actionsOf = (unit: Neo2Unit, customer: () => Neo2Customer): CustomerActions => ({
  chip: (card) => insert(unit, customer(), card),
  swipe: (card) => swipe(unit, customer(), card),
  tap: (card) => tap(unit, customer(), card),
  manual: (card) => {
    unit.stopTimers();
    const name = unit.currentCommand()?.name === 'manual' ? 'manual' : 'manualUnderV3';
    unit.schedule(pace.typeMs, () => endWith(unit, name, { make: () => manualAnswer(card, sealingOf(unit)) }));
  },
});

const insert = (unit: Neo2Unit, customer: Neo2Customer, card: TestCard) => {
  unit.stopTimers();
  unit.inSlot = card;
  unit.schedule(pace.readMs, () => {
    if (card.chip !== 'good') return handleChipFailure(unit, customer);
    unit.transaction = open(unit, card, 'chip');
    const { transaction } = unit;
    if (transaction === undefined) {
      return endWith(unit, 'activate', { make: () => emptyAnswer(code(result.notAccepted), unit.parts.cipher) });
    }
    const make = () => startAnswer(transaction, sealingOf(unit));
    const start = () => endWith(unit, 'activate', { make, phase: 'started' });
    const menu = unit.showsAtTill() ? twoApplications : unit.parts.menu;
    const choices = menu.map((text, index) => ({ line: index + 1, text }));
    if (choices.length > 1) unit.ask({ kind: 'menu', mode: 0x01, choices }, start);
    else start();
  });
};

/** The reader counts by itself: the customer should try again, and swipe after the third time. */
const handleChipFailure = (unit: Neo2Unit, customer: Neo2Customer) => {
  const ways: EntryWays = unit.currentCommand()?.ways ?? new Set();
  unit.inSlot = undefined;
  unit.failures += 1;
  unit.parts.report('the chip does not answer');
  if (unit.hasDialect('chip-failures-told')) return tellFailure(unit, customer);
  if (unit.failures < failuresMax) return customer.tryCard('chip');
  if (unit.hasDialect('fallback-told-first') && unit.patience.fallback && ways.has('swipe')) {
    customer.planNext('swipe');
    return endWith(unit, 'activate', { make: () => emptyAnswer(code(result.fallback), unit.parts.cipher) });
  }
  if (unit.patience.fallback && ways.has('swipe')) return customer.tryCard('swipe');
  endWith(unit, 'activate', {
    make: () => emptyAnswer([neo2Tlv('DFEF61', 'F222')], unit.parts.cipher),
    value: status.failed,
  });
};

/** The host counts: the customer follows the next request with the same card. */
const tellFailure = (unit: Neo2Unit, customer: Neo2Customer) => {
  unit.uncounted += 1;
  customer.planNext(unit.uncounted < failuresMax ? 'chip' : 'swipe');
  const make = () => emptyAnswer([neo2Tlv('DFEF61', 'F222')], unit.parts.cipher);
  endWith(unit, 'activate', { make, value: status.failed });
};

const swipe = (unit: Neo2Unit, customer: Neo2Customer, card: TestCard) => {
  const how = unit.failures >= failuresMax ? 'fallback' : 'stripe';
  unit.lastRead = card;
  if (how === 'stripe' && card.chip !== 'none' && unit.currentCommand()?.ways.has('chip')) customer.planNext('chip');
  unit.uncounted = 0;
  endWith(unit, 'activate', { make: () => swipeAnswer(card, sealingOf(unit), how) });
};

const tap = (unit: Neo2Unit, customer: Neo2Customer, card: TestCard) => {
  unit.stopTimers();
  unit.schedule(pace.tapMs, () => {
    const transaction = open(unit, card, 'tap');
    if (transaction === undefined || !readTapped(transaction)) {
      customer.planNext('chip');
      // 02: the card needs the contact interface.
      const make = () => emptyAnswer([neo2Tlv('FFEE1F', '02000000')], unit.parts.cipher);
      return endWith(unit, 'activate', { make, value: status.failed });
    }
    unit.lastRead = card;
    const make = () => tapAnswer(transaction, sealingOf(unit));
    endWith(unit, 'activate', { make, value: status.online, phase: 'waitingForHost' });
  });
};

const readTapped = (transaction: Transaction): boolean => {
  if (transaction.card.facts.contactless === 'emv') return tapCryptogram(transaction) !== undefined;
  verifyTap(transaction);
  return true;
};

/** 60-11. An online PIN is taken meanwhile, like an offline one, and is part of the answer. */
export const authenticate = (unit: Neo2Unit, customer: Neo2Customer) => {
  const { transaction, phase } = unit;
  if (transaction === undefined || phase !== 'started')
    return unit.answer('authenticate', { status: status.notAllowed });
  unit.begin('authenticate');
  unit.answer('authenticate', { status: status.accepted });
  unit.showText();
  if (customer.presentation()?.pullsCardAt === 'read')
    return unit.schedule(pace.pullMs, () => pull(unit, 'authenticate'));
  unit.schedule(pace.readMs, () => verify(unit, customer, transaction));
};

const pull = (unit: Neo2Unit, name: Step) => {
  unit.inSlot = undefined;
  unit.parts.report('card pulled');
  endWith(unit, name, { make: () => ({ tlvs: code(result.gone) }) });
};

const verify = (unit: Neo2Unit, customer: Neo2Customer, transaction: Transaction) => {
  const verifying = createVerifier(transaction);
  let pin: Ciphertext | undefined;
  const step = () => {
    const need = verifying.needs();
    if (need === undefined) return generate(unit, transaction, pin);
    unit.parts.report('PIN entry');
    unit.schedule(pace.pinMs, () => enter(need));
  };
  const enter = (need: NonNullable<ReturnType<Verifier['needs']>>) => {
    const digits = customer.pin();
    if (digits === 'cancel') return unit.cancelKey();
    if (need === 'onlinePin') pin = sealPin(unit, digits, transaction.card.facts.pan);
    if (need === 'onlinePin' && pin === undefined) return unit.fail(status.failed);
    verifying.enterPin(digits);
    step();
  };
  step();
};

const generate = (unit: Neo2Unit, transaction: Transaction, pin: Ciphertext | undefined) => {
  const kind = firstCryptogram(transaction);
  if (kind === undefined) return endWith(unit, 'authenticate', { make: () => ({ tlvs: code(result.notAccepted) }) });
  unit.lastRead = transaction.card.facts;
  unit.parts.report(`the chip gives ${kind}`);
  if (unit.hasDialect('ends-alone')) unit.patienceOver = () => endAlone(unit, transaction);
  const make = () => chipAnswer(transaction, { kind, sealing: sealingOf(unit), pin });
  endWith(unit, 'authenticate', { make, phase: kind === 'ARQC' ? 'waitingForHost' : 'idle' });
};

/** The chip never received the host's answer: it decides as if the host could not be reached. */
const endAlone = (unit: Neo2Unit, transaction: Transaction) => {
  const kind = secondCryptogram(transaction, { arc: 'Y3', before: [], after: [] });
  unit.forget();
  if (kind === undefined) return;
  unit.parts.report(`the host did not answer: the chip gives ${kind}`);
  const [, ...tlvs] = finalAnswer(transaction, kind).tlvs;
  const decisionCode = code(kind === 'TC' ? result.approvedAlone : result.declinedAlone);
  unit.answer('authenticate', { status: status.ok, answer: { tlvs: [...decisionCode, ...tlvs] } });
};

/** 60-12. */
export const finish = (unit: Neo2Unit, customer: Neo2Customer, ask: Neo2Ask<'finish'>) => {
  const { transaction, phase } = unit;
  if (transaction === undefined || phase !== 'waitingForHost')
    return unit.answer('finish', { status: status.notAllowed });
  const arc = findNeo2(ask.tlvs, '8A')?.value;
  if (arc !== undefined && arc.length !== 2) return unit.answer('finish', { status: status.badParameter });
  unit.begin('finish');
  unit.answer('finish', { status: status.accepted });
  if (customer.presentation()?.pullsCardAt === 'complete')
    return unit.schedule(pace.pullMs, () => pull(unit, 'finish'));
  const issuerData = findNeo2(ask.tlvs, '91')?.value;
  const scripts = decodeTlv(encodeNeo2Tlv(ask.tlvs.filter(({ tag }) => tag === '71' || tag === '72')));
  const word = {
    arc: ask.hostAnswered === 0 || arc === undefined ? 'Y3' : Buffer.from(arc).toString('latin1'),
    issuerData: issuerData?.slice(),
    before: findAll(scripts, '71'),
    after: findAll(scripts, '72'),
  };
  unit.schedule(pace.generateMs, () => {
    const kind = secondCryptogram(transaction, word);
    if (kind === undefined) return unit.fail(status.failed);
    unit.parts.report(`the chip gives ${kind}`);
    endWith(unit, 'finish', { make: () => finalAnswer(transaction, kind) });
    unit.showText();
  });
};

/** Commands that are refused once the device was opened. */
export const sealedCommands: ReadonlySet<Neo2CommandName> = new Set<Neo2CommandName>([
  'activate',
  'startChip',
  'authenticate',
  'finish',
  'onlinePin',
  'manual',
  'manualUnderV3',
  'keyState',
  'state',
]);
