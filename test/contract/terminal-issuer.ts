/** The host behind the contract's counter: the simulator acquirer, which receives only what the driver returned. */
import assert from 'node:assert/strict';
import type { CardData, ChipVerdict, Encrypted, ReadOutcome } from '../../drivers/terminal.ts';
import { toHex } from '../../src/base/hex.ts';
import { money } from '../../src/base/money.ts';
import { testCards } from '../../src/emv/test-cards.ts';
import { saleRequest } from '../../src/till/gateway/request.ts';
import { acquirer, NOW, nextId } from '../gateway/acquirers/shop-counter.ts';
import { textParameters } from '../support/till/card-parameters.ts';
import { AMOUNT, type Counter, type Wanted, whatOf } from './terminal.ts';

const asHex = ({ data, ksn }: Encrypted) => ({ data: toHex(data), ksn });

/** The acquirer's answer to this card. */
export const authorise = async (card: CardData, { minor = AMOUNT, kind }: Wanted = {}) => {
  const [encryptedSred] = card.sred.map(asHex);
  return acquirer().authorise({
    id: nextId(),
    paymentType: kind === 'refund' ? 'CD' : 'DB',
    amount: money(minor, 'EUR'),
    account: 'pos',
    pos: {
      entryMode: card.entryMode,
      terminalId: '12345678',
      encryptedSred,
      encryptedPin: card.pin && asHex(card.pin),
      iccDataRequest: card.icc,
      panSequenceNumber: card.panSequence,
    },
    parameters: {},
    customParameters: {},
    at: NOW,
  });
};

export const cardOf = (outcome: ReadOutcome): CardData => {
  if (outcome.kind === 'notRead') assert.fail(`not read: ${outcome.why}`);
  return outcome.card;
};

/** Nothing that the driver returned may contain a card number. */
export const assertNoNumber = (what: unknown): void => {
  const text = JSON.stringify(what, (_, value) => (value instanceof Uint8Array ? toHex(value) : value));
  for (const { pan } of Object.values(testCards)) assert(!text.includes(pan), 'a card number shows');
};

type Kept = { card: CardData; minor?: bigint; finalIcc?: string };

/**
 * The acquirer's answer to a sale that the chip approved without it and that the till sends later, as the till stores
 * it: the card's data with the chip's final values.
 */
export const forward = async (counter: Counter, { card, minor = AMOUNT, finalIcc }: Kept): Promise<string> => {
  const parameters = textParameters(
    saleRequest(
      {
        sale: 's1',
        key: 'k1',
        at: NOW,
        terminalId: '12345678',
        gateway: 'twin',
        receipt: 1,
        sequence: 1,
        operation: 'sale',
        amount: { minor, currency: 'EUR' },
      },
      { card, terminal: await counter.terminal.info(), offline: 'chip', finalIcc },
    ),
  );
  const icc = parameters['pos.iccDataRequest'];
  const data = parameters['pos.encryptedSred.data'] ?? '';
  const ksn = parameters['pos.encryptedSred.ksn'] ?? '';
  const answer = await acquirer().authorise({
    id: nextId(),
    paymentType: 'DB',
    amount: money(minor, 'EUR'),
    account: 'pos',
    pos: {
      entryMode: card.entryMode,
      terminalId: '12345678',
      encryptedSred: { data, ksn },
      encryptedPin: card.pin && asHex(card.pin),
      iccDataRequest: icc,
    },
    parameters: {},
    customParameters: { offline: 'chip' },
    at: NOW,
  });
  return String(answer.details['AcquirerResponse']);
};

export type Sold = { card: CardData; code: string; verdict: ChipVerdict['kind'] };

/** Reads a card, asks the issuer, gives the card the answer, and waits until it is removed. */
export const sell = async (counter: Counter, request: Wanted = {}): Promise<Sold> => {
  const outcome = await counter.read(request);
  assert.equal(outcome.kind, 'goOnline', whatOf(outcome));
  const card = cardOf(outcome);
  assertNoNumber([card, counter.lines]);
  const answer = await authorise(card, request);
  const code = String(answer.details['AcquirerResponse']);
  const icc = answer.iccDataResponse === undefined ? {} : { icc: answer.iccDataResponse };
  const kind = code === '00' ? 'approved' : 'declined';
  const verdict = await counter.wait(counter.complete({ kind, arc: code, ...icc }));
  assert.equal(await counter.wait(counter.terminal.waitForRemoval(30_000)), true, 'the card was taken out');
  assertNoNumber([verdict, counter.lines]);
  return { card, code, verdict: verdict.kind };
};
