/** TCP links where the network does not do as asked. */
import { expect, test } from 'vitest';
import { inbox } from '../../../drivers/links/inbox.ts';
import { listenTcp, openTcp } from '../../../drivers/links/tcp.ts';
import { handOn } from '../../../drivers/links/writing.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

test('where nobody listens the port is unavailable', async () => {
  const server = await listenTcp({ port: 0, clock: systemClock, accept: () => {} });
  await server.close();
  await expect(openTcp({ host: '127.0.0.1', port: server.port, clock: systemClock })).rejects.toMatchObject({
    code: 'link.unavailable',
    facts: { port: `tcp://127.0.0.1:${server.port}` },
  });
});

test('a port that is taken cannot be listened on', async () => {
  const server = await listenTcp({ port: 0, clock: systemClock, accept: () => {} });
  await expect(listenTcp({ port: server.port, clock: systemClock, accept: () => {} })).rejects.toMatchObject({
    code: 'link.unavailable',
  });
  await server.close();
});

test('connecting has an end of its own', async () => {
  const clock = virtualClock();
  // An address for documentation, which no network answers for.
  const opening = openTcp({ host: '192.0.2.1', port: 7000, clock }).catch((error: unknown) => error);
  await clock.advance(10_000);
  expect(await opening).toMatchObject({ code: 'link.unavailable' });
});

test('a write that is never acknowledged loses the link at its deadline', async () => {
  const clock = virtualClock();
  const box = inbox('port');
  const whys: string[] = [];
  const writing = handOn({ name: 'port', clock, box, lost: (why) => whys.push(why) }, () => {});
  const failed = writing.catch((error: unknown) => error);
  await clock.advance(5_000);
  expect(await failed).toMatchObject({ code: 'link.lost', facts: { port: 'port' } });
  expect(whys).toEqual(['it took no bytes for 5000 ms']);
});

test('what nobody reads is held up to a bound, then the link is given up', () => {
  const box = inbox('port');
  for (let at = 0; at < 100; at += 1) box.deliver(new Uint8Array(1_000));
  expect(box.gone()).toMatchObject({ code: 'link.lost' });
  let heard = 0;
  let losses = 0;
  box.listen({ bytes: (bytes) => (heard += bytes.length), closed: () => (losses += 1) });
  expect(heard).toBeLessThanOrEqual(65_536);
  expect(losses).toBe(1);
});
