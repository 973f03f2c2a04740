/** A form's bytes equal the platform's, with byte values as hex; after the call they are overwritten. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toHex } from '../../../src/base/hex.ts';
import { formBody, gatewayClient, type OutgoingRequest } from '../../../src/gateway/client/client.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';

const sent = fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array({ maxLength: 20 }));
const values = fc.dictionary(fc.string(), fc.option(sent, { nil: undefined }));

test('any parameters give the text of URLSearchParams, without undefined ones', () => {
  fc.assert(
    fc.property(values, (parameters) => {
      const texts = Object.entries(parameters).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, typeof value === 'string' ? value : toHex(value)]],
      );
      expect(Buffer.from(formBody(parameters)).toString('latin1')).toBe(new URLSearchParams(texts).toString());
    }),
    { numRuns: 200 },
  );
});

const PIN = Uint8Array.from({ length: 8 }, (_, index) => 0xa0 + index);

const answer = () => new Response(JSON.stringify({ result: { code: '000.100.110', description: '' } }));
const transports: [string, string, (request: OutgoingRequest) => Promise<Response>][] = [
  ['answered', 'answered', async () => answer()],
  ['answered by an invalid answer', 'silent', async () => new Response('<html>')],
  ['broken', 'silent', () => Promise.reject(new Error('read ECONNRESET'))],
  ['never answered', 'silent', () => new Promise(() => {})],
  [
    'never connected',
    'notSent',
    () => Promise.reject(Object.assign(new Error('no'), { code: 'ECONNREFUSED', syscall: 'connect' })),
  ],
];

test.each(transports)('a call that was %s leaves nothing of its body in memory', async (_, kind, send) => {
  const clock = virtualClock();
  const bodies: { sent: string; body: Uint8Array | undefined }[] = [];
  const client = gatewayClient({
    send: (request) => {
      bodies.push({ sent: Buffer.from(request.body ?? []).toString('latin1'), body: request.body });
      return send(request);
    },
    ...{ baseUrl: 'http://gateway.test/', entityId: 'e', token: 't', clock, timeoutMs: 1_000 },
  });
  const outcome = await clock.until(client.post('v1/payments', { 'pos.encryptedPin.data': PIN }));
  expect(outcome.kind).toBe(kind);
  expect(bodies.map(({ sent: sentBody }) => sentBody)).toEqual([`entityId=e&pos.encryptedPin.data=${toHex(PIN)}`]);
  expect(bodies[0]?.body?.every((byte) => byte === 0)).toBe(true);
});
