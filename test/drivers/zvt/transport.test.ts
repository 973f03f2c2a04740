/** The serial form on a wire that loses and damages bytes: sent again within a bound, never accepted twice. */
import { expect, test } from 'vitest';
import { encodeZvtFrame, zvtAck, zvtNak } from '../../../drivers/framing/zvt-frame.ts';
import { Transport, type TransportOptions } from '../../../drivers/zvt/protocol/transport.ts';
import type { Fault } from '../../../src/base/fault.ts';
import { fromHex, toHex } from '../../../src/base/hex.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';
import { captured } from './captures.ts';

const bench = (options: Partial<TransportOptions> = {}) => {
  const clock = virtualClock();
  const put: string[] = [];
  const received: string[] = [];
  const failures: Fault[] = [];
  let noise = 0;
  const transport = new Transport({
    form: 'serial',
    clock,
    repeats: 'never',
    put: (bytes) => put.push(toHex(bytes)),
    received: ({ code, data }) => received.push(code + toHex(data)),
    noise: (bytes) => {
      noise += bytes;
    },
    failed: (fault) => failures.push(fault),
    ...options,
  });
  return { clock, put, received, failures, transport, noise: () => noise };
};

const pay = { code: '0601', data: fromHex('04000000001000') };
const payFrame = toHex(encodeZvtFrame(pay));
const status = captured('serial.status.insert');
const accepted = { code: '8000', data: new Uint8Array(0) };

test('a frame is the documented one, and the next waits for its ACK', () => {
  const { transport, put } = bench();
  transport.send(pay);
  transport.send(accepted);
  expect(put).toEqual([toHex(captured('serial.authorization'))]);
  transport.handle(zvtAck);
  expect(put.slice(1)).toEqual([toHex(captured('serial.ack'))]);
});

test('sends a frame again after a NAK, three times in all', () => {
  const { transport, put, failures } = bench();
  transport.send(pay);
  transport.handle(zvtNak);
  transport.handle(zvtNak);
  expect(put).toEqual([payFrame, payFrame, payFrame]);
  transport.handle(zvtNak);
  expect(put).toHaveLength(3);
  expect(failures.map(({ code }) => code)).toEqual(['terminal.garbled']);
});

test('the till never repeats an unacknowledged frame: the terminal may have accepted it', async () => {
  const { transport, put, failures, clock } = bench();
  transport.send(pay);
  await clock.advance(5_000);
  expect(put).toEqual([payFrame]);
  expect(failures.map(({ code }) => code)).toEqual(['terminal.silent']);
});

test('a terminal repeats an unacknowledged frame, within the bound', async () => {
  const { transport, put, failures, clock } = bench({ repeats: 'whenSilent' });
  transport.send(accepted);
  await clock.advance(14_000);
  expect(put).toHaveLength(3);
  await clock.advance(2_000);
  expect(failures).toHaveLength(1);
});

test('a broken frame is answered by a NAK and not passed on; the next try is passed on', () => {
  const { transport, put, received, noise } = bench();
  transport.handle(status.map((byte, index) => (index === 5 ? byte ^ 1 : byte)));
  expect([put, received, noise()]).toEqual([['15'], [], 1]);
  transport.handle(status);
  expect([put, received]).toEqual([['15', '06'], ['04FF0A']]);
});

test('a frame that is repeated because its ACK got lost is acknowledged again and passed on once', () => {
  const { transport, put, received } = bench();
  transport.handle(status);
  transport.handle(status);
  expect([put, received]).toEqual([['06', '06'], ['04FF0A']]);
});

test('the same message sent again after our answer was acknowledged is a new one', () => {
  const { transport, received } = bench();
  transport.handle(status);
  transport.send(accepted);
  transport.handle(zvtAck);
  transport.handle(status);
  expect(received).toEqual(['04FF0A', '04FF0A']);
});

test('an answer proves that the command arrived, although its ACK was lost', async () => {
  const { transport, put, failures, clock } = bench();
  transport.send(pay);
  transport.handle(captured('serial.ack'));
  transport.send(accepted);
  expect(put).toEqual([payFrame, '06', toHex(captured('serial.ack'))]);
  transport.handle(zvtAck);
  await clock.advance(10_000);
  expect(failures).toEqual([]);
  expect(clock.waiting()).toBe(0);
});

test('requests an incomplete frame again', async () => {
  const { transport, put, received, clock } = bench();
  transport.handle(status.subarray(0, 5));
  await clock.advance(2_000);
  expect(put).toEqual(['15']);
  transport.handle(status);
  expect(received).toEqual(['04FF0A']);
});
