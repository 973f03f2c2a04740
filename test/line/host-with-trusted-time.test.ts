/**
 * The gateway's time at the till: from an answer's header, otherwise from its body; without an answer there is none.
 */
import { expect, test } from 'vitest';
import { Fault } from '../../src/base/fault.ts';
import { gatewayClient } from '../../src/gateway/client/client.ts';
import { createHost, withTrustedTime } from '../../src/line/host.ts';
import type { Host, HostReply } from '../../src/till/ports.ts';
import { createReply } from '../support/till/till-rig.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const AT = Date.UTC(2026, 0, 2, 12, 0, 5);
const fault = new Fault('host.silent', { why: 'as told' });

const trustedTimesOf = async (reply: HostReply): Promise<(number | undefined)[]> => {
  const received: (number | undefined)[] = [];
  const answer = async () => reply;
  const plain: Host = { pay: answer, refer: answer, find: answer, list: answer, meaningOf: () => 'unknown' };
  const host = withTrustedTime(plain, (expected) => received.push(expected));
  expect(await host.pay({}, 'k')).toBe(reply);
  await host.refer('p', {}, 'k');
  await host.find('s');
  await host.list({ from: 0, to: 1 });
  return received;
};

test.each<[string, HostReply, number | undefined]>([
  ['a header', { ...createReply('000.100.110', 'approved'), date: AT }, AT],
  ['a body', createReply('800.100.155', 'declined', { timestamp: '2026-01-02 12:00:05+0000' }), AT],
  ['a body of another zone', createReply('000.100.110', 'approved', { timestamp: '2026-01-02 14:00:05+02:00' }), AT],
  ['neither', createReply('000.100.110', 'approved'), undefined],
  ['nonsense', createReply('000.100.110', 'approved', { timestamp: 'soon' }), undefined],
  ['no text', createReply('000.100.110', 'approved', { timestamp: 5 }), undefined],
])('from each answer with %s', async (_, reply, expected) =>
  expect(await trustedTimesOf(reply)).toEqual([expected, expected, expected, expected]),
);

test.each<HostReply>([
  { kind: 'silent', fault },
  { kind: 'notSent', fault },
])('nothing from $kind', async (reply) => expect(await trustedTimesOf(reply)).toEqual([]));

test.each([
  ['Fri, 02 Jan 2026 12:00:05 GMT', AT],
  ['yesterday', undefined],
])('over the network the header is Date: %s', async (date, expected) => {
  const fetch = async () => new Response('{"result":{"code":"000.100.110"}}', { headers: { date } });
  const client = gatewayClient({
    ...{ fetch, baseUrl: 'http://gateway/', entityId: 'e', token: 't', clock: virtualClock(), timeoutMs: 1_000 },
  });
  const received: (number | undefined)[] = [];
  await withTrustedTime(createHost(client), (came) => received.push(came)).find('s');
  expect(received).toEqual([expected]);
});
