/** The simulated MMS device while it waits for the host's answer, and what it does with it. */
import { isFault } from '../../../src/base/fault.ts';
import { findAll, findDeep, type Tlv, tlv } from '../../../src/emv/tlv.ts';
import { secondCryptogram } from '../../simulation/kernel.ts';
import { pace } from '../../simulation/simulator.ts';
import { contentOf, type Status, statuses } from '../protocol/messages.ts';
import { chipBatch, stripeBatch } from './blocks.ts';
import type { MmsTransactionParts } from './customer.ts';

/** How long the end takes when it does not wait for a card. */
const recordMs = 100;
/** The property value for "as long as the sale's own time". */
const saleTime = 0xff;
const quickChipBit = 1;

/** Response codes with which an issuer approves. */
const approving: ReadonlySet<string> = new Set(['00', '08', '10', '11', '85']);

/** Sends the block that asks for the host and waits, as long and as often as its properties say. */
export const sendArqc = (scene: MmsTransactionParts, block: Uint8Array) => {
  const { unit, transaction } = scene;
  const { store } = unit.parts;
  unit.notifyBlock('arqc', transaction.technology, block);
  transaction.stage = 'waitingForHost';
  if (isQuickChip(transaction.ask.options)) return scheduleRecord(scene);
  unit.show('AUTHORIZING');
  const property = store.get('arpcTimeout') ?? saleTime;
  const seconds = property === saleTime ? transaction.ask.seconds : property;
  let left = store.get('arpcRetries') ?? 0;
  const wait = (): void =>
    unit.schedule(seconds * 1_000, () => {
      if (transaction.stage !== 'waitingForHost') return;
      if (left === 0) return conclude(scene, { arc: 'Y3', list: [] });
      left -= 1;
      unit.notifyBlock('arqc', transaction.technology, block);
      wait();
    });
  if (seconds > 0) wait();
};

const isQuickChip = (options = '0003'): boolean => (Number.parseInt(options.slice(2, 4), 16) & quickChipBit) !== 0;

/** Quick Chip: the card is told at once that the issuer could not be reached, and leaves. */
const scheduleRecord = ({ unit, transaction }: MmsTransactionParts) => {
  unit.schedule(recordMs, () => {
    if (transaction.emv !== undefined && transaction.technology === 'chip') {
      secondCryptogram(transaction.emv, { arc: 'Z3', before: [], after: [] });
    }
    unit.show('REMOVE CARD');
    unit.end('deferred', transaction.technology);
  });
};

/** Command 1004: the answer to it, and what follows. */
export const resume = (scene: MmsTransactionParts | undefined, arpc: Uint8Array): Status => {
  if (scene === undefined) return statuses.noTransaction;
  if (scene.transaction.stage !== 'waitingForHost') return statuses.wrongState;
  const list = contentOf('1004', arpc);
  const arc = findDeep(list, '8A')?.value;
  if (arc?.length !== 2 || findDeep(list, 'DFDF25') === undefined) return statuses.badParameter;
  const text = Buffer.from(arc).toString('latin1');
  // The device's own code for "host could not be reached"; the kernel then decides by its default action codes.
  const reply = { arc: text === 'Z3' ? 'Y3' : text, list: findDeep(list, '70')?.children ?? [] };
  conclude(scene, reply);
  return statuses.done;
};

type HostReply = { arc: string; list: readonly Tlv[] };

const conclude = (scene: MmsTransactionParts, reply: HostReply) => {
  const { unit, customer, transaction } = scene;
  transaction.stage = 'completing';
  unit.stopTimers();
  if (transaction.technology !== 'chip' || transaction.emv === undefined) {
    return unit.schedule(recordMs, () => finish(scene, approving.has(reply.arc)));
  }
  transaction.onPulled = () => unit.end('cancelled', 'chip');
  if (unit.cardInSlot() === undefined) return unit.schedule(pace.pullMs, () => unit.end('cancelled', 'chip'));
  if (customer.presentation()?.pullsCardAt === 'complete') return unit.schedule(pace.pullMs, () => unit.remove());
  unit.schedule(pace.generateMs, () => generateSecond(scene, reply));
};

const generateSecond = (scene: MmsTransactionParts, { arc, list }: HostReply) => {
  const { unit, transaction } = scene;
  if (transaction.emv === undefined) return;
  const issuerData = findDeep(list, '91')?.value.slice();
  const kind = secondCryptogram(transaction.emv, {
    arc,
    issuerData,
    before: findAll(list, '71'),
    after: findAll(list, '72'),
  });
  if (kind === undefined) return unit.end('chipFailed', 'chip');
  unit.parts.report(`the chip gives ${kind}`);
  finish(scene, kind === 'TC');
};

/** Batch data, the text for the customer, the end. */
const finish = ({ unit, transaction }: MmsTransactionParts, approved: boolean) => {
  const maker = unit.blockContext();
  const decision = approved ? 'accepted' : 'declined';
  transaction.onPulled = () => {};
  let batch: Uint8Array | undefined;
  try {
    const { emv, card } = transaction;
    const sale = [tlv('9C', transaction.ask.sale.type)];
    if (emv !== undefined) batch = chipBatch(maker, emv, decision);
    else if (card !== undefined) batch = stripeBatch(maker, card, { sale, decision });
  } catch (error) {
    if (!isFault(error, 'key.exhausted')) throw error;
    unit.parts.report('no batch data: the key for card data is used up');
  }
  unit.show(approved ? 'APPROVED' : 'DECLINED');
  if (unit.cardInSlot() !== undefined) unit.show('REMOVE CARD');
  unit.endWith(approved ? 'approved' : 'declined', transaction.technology, batch);
};
