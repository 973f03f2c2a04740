/**
 * Which question an answer belongs to around a cancel. The reader numbers nothing: a late end of a cancelled command
 * belongs to nothing, and card data, or an answer that is too late for that, belongs to the running command.
 */
import { describe, expect, test } from 'vitest';
import { encodeNeo2Frame } from '../../../drivers/framing/neo2-frame.ts';
import { fromReader } from '../../../drivers/neo2/protocol/commands.ts';
import { neo2Protocol } from '../../../drivers/neo2/protocol/protocol.ts';
import type { Question } from '../../../drivers/session.ts';
import type { Fault } from '../../../src/base/fault.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';
import { chip, ksn, swipeResult } from './cards.ts';
import { authenticates, beginning, bench, sale, started } from './neo2-tape.ts';

const cancelled = '> 0501\n< 0500';
const customerCancels = '< 0200 DFEE25020012';

/** One sale that the till cancels at once, then the next one; returns the outcome of the second. */
const nextSale = async (frames: string, { afterMs = 0, firstFrames = beginning() } = {}) => {
  const { terminal, clock, link, unsolicited } = await bench(`${firstFrames}\n${cancelled}\n${frames}`);
  const first = terminal.read(sale, () => {});
  await clock.advance(100);
  await clock.until(terminal.cancel());
  expect(await clock.until(first)).toEqual({ kind: 'notRead', why: 'cancelledByTill' });
  await clock.advance(afterMs);
  const next = terminal.read(sale, () => {}).catch(({ code }: Fault) => code);
  const outcome = await clock.until(next);
  return { outcome, left: link.left(), strays: unsolicited.length };
};

describe('card data is never the late end of a cancelled command', () => {
  test.each([
    ['a swipe, by its block alone', swipeResult('0011'), expect.objectContaining({ kind: 'goOnline' })],
    [
      'a key’s serial number alone',
      `< 0200 C0 DFEE25020006 9F390105 DFEE120A${ksn}`,
      { kind: 'notRead', why: 'cardUnsupported' },
    ],
    ['a cryptogram alone', `< 0223 E1 9F26080102030405060708 9F270180\n${cancelled}`, 'terminal.unready'],
  ])('%s', async (_, answer, expected) => {
    const { outcome, left } = await nextSale(`${beginning()}\n${answer}`);
    expect(outcome).toEqual(expected);
    expect(left).toEqual([]);
  });
});

test('for three seconds after a cancel, an end without a card belongs to the cancelled sale', async () => {
  const soonAfter = await nextSale(`${beginning()}\n${customerCancels}\n< 0208`);
  expect(soonAfter).toEqual({ outcome: { kind: 'notRead', why: 'timedOut' }, left: [], strays: 1 });
  const afterDeadline = await nextSale(`${beginning()}\n${customerCancels}`, { afterMs: 3_001 });
  expect(afterDeadline).toEqual({ outcome: { kind: 'notRead', why: 'cancelledByCustomer' }, left: [], strays: 0 });
});

test('once the reader has ended a step of the next sale, that step’s failure is not a late end', async () => {
  const firstFrames = `${beginning()}\n${started}\n${authenticates}\n${cancelled}`;
  const failed = '< 600A DFEF6102F250';
  const next = await nextSale(`${beginning()}\n${started}\n${authenticates}\n${failed}`, { firstFrames });
  expect(next).toEqual({ outcome: { kind: 'notRead', why: 'cardUnreadable' }, left: [], strays: 0 });
});

test('a step of the next sale that ends without a card is not the late end of another command', async () => {
  const firstFrames = `${beginning()}\n${started}\n${authenticates}\n${cancelled}`;
  const next = await nextSale(`${beginning()}\n${customerCancels}`, { firstFrames });
  expect(next).toEqual({ outcome: { kind: 'notRead', why: 'cancelledByCustomer' }, left: [], strays: 0 });
});

test('a repeated "started" does not answer the next step', async () => {
  const { read, link, unsolicited } = await bench(
    `${beginning()}\n${started}\n${authenticates}\n< 6000 DFEE25020010\n< 6000 DFEE25020004 ${chip('80')}`,
  );
  expect((await read()).kind).toBe('goOnline');
  expect([link.left(), unsolicited.length]).toEqual([[], 1]);
});

describe('one message and the open questions', () => {
  const question = (name: string): Question => ({ name, bytes: new Uint8Array(), withinMs: 1_000 });
  const ask = (open: readonly Question[], frame: { command: number; sub?: number; status: number }) => {
    const protocol = neo2Protocol(virtualClock());
    const bytes = encodeNeo2Frame({ header: 'ViVOpayV3', sub: 0, ...frame, data: new Uint8Array() }, fromReader);
    return protocol
      .push(bytes)
      .map((piece) => (piece.kind === 'noise' ? 'noise' : protocol.assign(piece.message, open)));
  };

  test('an answer that repeats its sub-command matches only a question with that sub-command', () => {
    const [authenticate, finish] = [question('authenticate'), question('finish')];
    expect(ask([authenticate], { command: 0x60, sub: 0x12, status: 0 })).toEqual(['stray']);
    expect(ask([authenticate], { command: 0x60, sub: 0x11, status: 0 })).toEqual([authenticate]);
    expect(ask([finish], { command: 0x60, sub: 0x12, status: 0 })).toEqual([finish]);
  });

  test('a cancel ends what waits for the customer, and nothing else; a refused one ends nothing', () => {
    const [cancel, activate, keys] = [question('cancel'), question('activate'), question('keyState')];
    const cancelled = { command: 0x05, sub: 0x01, status: 0 };
    expect(ask([activate, cancel], cancelled)).toEqual([cancel, activate]);
    expect(ask([keys, cancel], cancelled)).toEqual([cancel, 'notice']);
    expect(ask([activate, cancel], { ...cancelled, status: 0x0b })).toEqual([cancel]);
  });
});
