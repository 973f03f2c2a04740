/**
 * Rule 2 of card data, in memory: after fifty sales with an online PIN and a garbage collection, none of the encrypted
 * PIN blocks that the till sent to its gateway is anywhere in the till's memory, in any encoding.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { mmsSimulator } from '../../drivers/mms/simulator/simulator.ts';
import { mpiSimulator } from '../../drivers/mpi/simulator/simulator.ts';
import { neo2Simulator } from '../../drivers/neo2/simulator/simulator.ts';
import { presentationFor } from '../../drivers/simulation/cardholder.ts';
import { simulateOnPty, simulateOnTcp } from '../../drivers/simulation/simulator.ts';
import type { LiveSale } from '../../src/api/contract/sales.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import { openGateway } from '../../src/gateway/server/embedded.ts';
import { listen } from '../../src/gateway/server/http/listen.ts';
import { endedSale } from '../support/api/ended-sale.ts';
import { findInMemory, inspect } from '../support/leaks/process-memory.ts';
import { byNight } from '../support/night/night.ts';
import { selfSigned } from '../support/servers/certificate.ts';
import { closings, folder, screensOf, tillgate, trackProcesses } from './processes.ts';

trackProcesses();
afterEach(() => void vi.unstubAllEnvs());

const SALES = 50;
const quick: Clock = { ...systemClock, after: (ms, task) => systemClock.after(ms / 50, task) };

const models = { mpi: mpiSimulator, neo2: neo2Simulator, mms: mmsSimulator } as const;
type Dialect = keyof typeof models;

/** A terminal whose customers all enter their PIN. */
const stationOf = (dialect: Dialect, at: 'tcp' | 'serial') => {
  const cardholder = () => presentationFor({ card: 'visa-credit', by: 'chip' });
  const options = { clock: quick, random: systemRandom, cardholder };
  return at === 'tcp' ? simulateOnTcp(models[dialect], 0, options) : simulateOnPty(models[dialect], undefined, options);
};

/** A gateway in this process, over TLS, and every request body it received. */
const gatewayOverTls = async () => {
  const channel = { entityId: systemIds.next(), token: systemIds.next() };
  const parts = { clock: systemClock, ids: systemIds, random: systemRandom };
  const app = await openGateway({ dataDir: ':memory:', channels: [channel], ...parts });
  const bodies: URLSearchParams[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    if (request.method === 'POST') bodies.push(new URLSearchParams(await request.clone().text()));
    return app.fetch(request);
  };
  const tls = { ...selfSigned(), minVersion: 'TLSv1.2' } as const;
  const trusted = join(folder, 'trusted.pem');
  writeFileSync(trusted, tls.cert);
  vi.stubEnv('NODE_EXTRA_CA_CERTS', trusted);
  const server = await listen({ app: { ...app, fetch }, port: 0, host: '127.0.0.1', tls });
  closings.push(() => void server.close().then(() => app.close()));
  return { ...channel, bodies, url: `https://127.0.0.1:${server.port}/` };
};

/** A person at the till's screens, signed in by the start code. */
const signInAt = async ({ url, code }: { url: string; code: string }) => {
  const json = { 'content-type': 'application/json' };
  const entered = await fetch(`${url}api/session/code`, {
    ...{ method: 'POST', headers: json, body: JSON.stringify({ code }) },
  });
  const headers = { ...json, cookie: entered.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
  const { signedIn } = (await (await fetch(`${url}api/session`, { headers })).json()) as {
    signedIn?: { csrf: string };
  };
  return { address: url, headers: { ...headers, 'x-csrf-token': signedIn?.csrf ?? '' } };
};

/** Sells at the till's screens, and returns the ending. */
const sell = async ({ address, headers }: Awaited<ReturnType<typeof signInAt>>, key: string) => {
  const body = JSON.stringify({ amount: { amount: '1.00', currency: 'EUR' } });
  const sale = await fetch(`${address}api/sales`, {
    ...{ method: 'POST', body },
    headers: { ...headers, 'idempotency-key': key },
  });
  const { id } = (await sale.json()) as LiveSale;
  const readSale = async () => (await (await fetch(`${address}api/live/${id}`, { headers })).json()) as LiveSale;
  return (await endedSale(address, headers, readSale)).result?.ending;
};

/** What to search for: the block, or what contains it. */
const expected = {
  mpi: 'pos.encryptedPin.data',
  neo2: 'pos.encryptedPin.data',
  mms: 'pos.encryptedSred.data',
} as const;

const rows = byNight<readonly [Dialect, 'tcp' | 'serial'][]>({
  day: [['neo2', 'serial']],
  night: (['mpi', 'neo2', 'mms'] as const).flatMap((dialect) => [
    [dialect, 'tcp'],
    [dialect, 'serial'],
  ]),
});

test.each(rows)('no PIN block of fifty sales stays in the memory of a till with %s over %s', async (dialect, by) => {
  const station = await stationOf(dialect, by);
  closings.push(() => void station.close());
  const gateway = await gatewayOverTls();
  const till = tillgate(
    [
      ...['start', '--data', join(folder, 'till'), '--port', '0', '--no-open-browser'],
      ...['--terminal', `${dialect}+${station.at}`],
      ...['--gateway', gateway.url, '--channel', `${gateway.entityId}:${gateway.token}`],
    ],
    ['--inspect=127.0.0.1:0'],
  );
  const inspector = /ws:\S+/.exec(await till.waitForOutput('Debugger listening on'))?.[0] ?? '';
  const seat = await signInAt(await screensOf(till));
  const endings = new Set<string | undefined>();
  for (let count = 1; count <= SALES; count += 1) endings.add(await sell(seat, `sale-${count}-of-fifty`));
  expect(endings).toEqual(new Set(['approved']));
  const blocks = gateway.bodies.flatMap((body) => body.get(expected[dialect]) ?? []);
  expect(new Set(blocks).size).toBe(SALES);

  const inside = await inspect(inspector);
  // Proof that the search works: a text that this test put into the till as an idempotency key.
  const key = Buffer.from('sale-50-of-fifty').toString('hex');
  await inside.collect();
  expect(findInMemory(till.child.pid ?? 0, [key])).not.toEqual([]);
  expect(findInMemory(till.child.pid ?? 0, blocks)).toEqual([]);
  const texts = await inside.reachableTexts();
  expect(texts.filter((text) => blocks.some((block) => text.toUpperCase().includes(block)))).toEqual([]);
  inside.close();
});
