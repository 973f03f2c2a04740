/** How fast events are delivered to a receiver that answers at once, beside another that is slow. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock as clock } from '../src/base/clock.ts';
import { systemIds as ids, systemRandom as random } from '../src/base/ids.ts';
import { createWakeSignal } from '../src/gateway/background-jobs.ts';
import { openStore } from '../src/gateway/database/open.ts';
import { openOutgoing } from '../src/gateway/outgoing/outgoing.ts';
import { openKeyring } from '../src/gateway/vault/keyring.ts';
import { openVault } from '../src/gateway/vault/vault.ts';
import { webhookDelivery } from '../src/gateway/webhooks/delivery.ts';
import { register } from '../src/gateway/webhooks/manage.ts';
import { debit } from '../test/gateway/webhooks/delivery-rig.ts';
import { entityId } from '../test/support/gateway/gateway.ts';

const EVENTS = 10_000;
const SLOW_MS = 5_000;
const WANTED_PER_SECOND = 1_000;

type Print = (line: string) => void;

/** Returns whether the fast receiver reaches the target. */
export const reportWebhooks = async (print: Print): Promise<boolean> => {
  print(`\n${EVENTS} notifications to a receiver that answers at once, beside one that takes ${SLOW_MS / 1000} s …`);
  const folder = mkdtempSync(join(tmpdir(), 'bench-webhooks-'));
  const store = await openStore(join(folder, 'gateway.db'));
  const vault = openVault(openKeyring({ at: { dataDir: ':memory:' }, random, clock }), random);
  const parts = { store, vault, clock, ids, random };
  const outgoing = openOutgoing({ clock, allowPrivate: true });
  const all = Promise.withResolvers<void>();
  let fastCount = 0;
  let slowCount = 0;
  const servers = await Promise.all([
    listenLocally((end) => {
      fastCount += 1;
      if (fastCount === EVENTS) all.resolve();
      end();
    }),
    listenLocally((end) => {
      slowCount += 1;
      clock.after(SLOW_MS, end);
    }),
  ]);
  try {
    for (const { url } of servers) {
      const { webhook } = await register(parts, { entityId, url });
      await store.webhooks.change(webhook.id, (now) => ({ ...now, state: 'active' }));
    }
    for (let index = 0; index < EVENTS; index += 500) {
      await store.transact([], async (session) => {
        for (let eventNumber = index; eventNumber < index + 500; eventNumber += 1)
          await session.add(debit(ids.next()), []);
      });
    }
    const startedAt = clock.monotonic();
    const report = (error: unknown) => print(String(error));
    const delivery = webhookDelivery({
      ...parts,
      outgoing,
      signal: createWakeSignal(),
      names: () => undefined,
      report,
    });
    await all.promise;
    const perSecond = Math.round(EVENTS / ((clock.monotonic() - startedAt) / 1000));
    await delivery.end();
    const isMet = perSecond >= WANTED_PER_SECOND;
    print(
      `to the fast one                ${perSecond} a second (wanted: ${WANTED_PER_SECOND})  ${isMet ? 'ok' : 'MISSED'}`,
    );
    print(`to the slow one meanwhile      ${slowCount}`);
    return isMet;
  } finally {
    await outgoing.close();
    for (const { server } of servers) server.closeAllConnections();
    for (const { server } of servers) server.close();
    await store.close();
    rmSync(folder, { recursive: true });
  }
};

const listenLocally = async (answer: (end: () => void) => void): Promise<{ server: Server; url: string }> => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(() => void response.end()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
};
