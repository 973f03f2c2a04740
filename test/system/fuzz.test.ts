/**
 * A great many malformed requests: to a gateway in this process, and over sockets to a gateway process. The seed is
 * fixed so that a failure can be repeated; FUZZ_SEED and FUZZ_REQUESTS select another or a longer run.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Clock, systemClock, within } from '../../src/base/clock.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import type { Channel } from '../../src/gateway/channel.ts';
import { type Embedded, openGateway } from '../../src/gateway/server/embedded.ts';
import { openLog } from '../../src/gateway/server/http/log.ts';
import { gatewayMetrics } from '../../src/gateway/server/http/metrics.ts';
import { violationsOf } from '../fuzz/answer-rules.ts';
import { entities, legacy, needles } from '../fuzz/entities.ts';
import { fuzz, sendOver } from '../fuzz/run.ts';
import { rawRequest } from '../fuzz/wire.ts';
import { dice as diceOf } from '../support/chance/dice.ts';
import { payment } from '../support/gateway/gateway.ts';
import { type GatewayProcess, startGateway } from '../support/gateway/gateway-process.ts';
import { scanForCardData } from '../support/leaks/leak-scan.ts';
import { byNight } from '../support/night/night.ts';
import { type RawAnswer, sendRaw } from '../support/servers/raw-http.ts';

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_121);
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? byNight({ day: 10_000, night: 100_000 }));
const CONNECTIONS = byNight({ day: 500, night: 5_000 });
const MEGABYTE = 1 << 20;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fuzz-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A hundred times as fast, for the simulator's slow answers. */
const quick: Clock = { ...systemClock, after: (ms, task) => systemClock.after(ms / 100, task) };

const risk: NonNullable<Channel['risk']> = {
  amountMax: '20000.00',
  velocity: [{ per: 'email', withinMinutes: 60, total: '1000.00' }],
  score: { refuseFrom: 900 },
};
const [ordinary, second, lenient, old, screening] = entities;
const channels: readonly Channel[] = [
  ordinary,
  second,
  { ...lenient, lenient: true },
  { ...old, legacy, rebillUpTo: '50.50', brands: [{ name: 'OWN_WALLET', account: 'virtualAccount' }] },
  { ...screening, risk },
];

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const memory = () => {
  collect();
  const { heapUsed, rss } = process.memoryUsage();
  return { heapUsed, rss };
};

/** A card that the fuzzer does not know: what it may still do must not depend on other requests. */
const still = async (gateway: Embedded, usedTokens: readonly [string, string][]) => {
  const authorization = `Bearer ${ordinary.token}`;
  const post = async (path: string, parameters: Record<string, string>) => {
    const body = new URLSearchParams({ entityId: ordinary.entityId, ...parameters });
    const init = { method: 'POST', body, headers: { authorization } };
    const answer = await gateway.fetch(new Request(`http://gateway.test${path}`, init));
    return (await answer.json()) as { id: string; result: { code: string } };
  };
  const sale = await post('/v1/payments', payment({ 'card.number': '4111111111111111', amount: '10.00' }));
  const codes = [sale.result.code];
  for (const [paymentType, amount] of usedTokens) {
    const { result } = await post(`/v1/payments/${sale.id}`, { paymentType, amount, currency: 'EUR' });
    codes.push(result.code);
  }
  return codes;
};

/** Inquires about payments whose answer was lost, which must end them; returns those without an ending. */
const unended = async (gateway: Embedded) => {
  const open = async () => {
    const all = await gateway.store.unfinished(Number.MAX_SAFE_INTEGER);
    return all.filter(({ facts }) => facts.answer === undefined);
  };
  for (const { id, entityId } of await open()) {
    const { token = '' } = channels.find((channel) => channel.entityId === entityId) ?? {};
    const headers = { authorization: `Bearer ${token}` };
    await gateway.fetch(new Request(`http://gateway.test/v1/payments/${id}?entityId=${entityId}`, { headers }));
  }
  return open();
};

test(`${REQUESTS} malformed requests in this process, seed ${SEED}`, { timeout: 3_600_000 }, async () => {
  const reported: unknown[] = [];
  const log = await openLog({ to: { file: join(folder, 'gateway.log') }, clock: quick, onLost: () => {} });
  const metrics = gatewayMetrics(
    () => ({ connections: 0, requests: 0 }),
    async () => true,
  );
  const gateway = await openGateway({
    dataDir: folder,
    channels,
    clock: quick,
    ids: systemIds,
    random: systemRandom,
    observers: [log.observer, metrics.observer],
    report: (error) => {
      reported.push(error);
      log.logFault(error);
    },
  });
  const run = (seed: number, requests: number) =>
    fuzz({ seed, requests, concurrency: 64, send: sendOver(gateway.fetch) });

  await run(SEED + 1, REQUESTS / 4);
  const earlier = memory();
  const summary = await run(SEED, (REQUESTS * 3) / 4);
  const after = memory();

  expect(reported).toEqual([]);
  expect(summary.statuses['200']).toBeGreaterThan(REQUESTS / 50);
  expect(after.heapUsed - earlier.heapUsed).toBeLessThan(16 * MEGABYTE);
  expect(after.rss - earlier.rss).toBeLessThan(192 * MEGABYTE);

  const usedTokens: [string, string][] = [
    ['RF', '4.00'],
    ['RF', '6.00'],
    ['RF', '0.01'],
  ];
  const DONE = '000.100.110';
  expect(await still(gateway, usedTokens)).toEqual([DONE, DONE, DONE, '700.400.200']);
  expect((await metrics.read()).text).not.toMatch(new RegExp(needles.join('|')));
  expect(await unended(gateway)).toEqual([]);
  await log.close();
  expect(scanForCardData({ roots: [folder], needles })).toEqual([]);
  await gateway.close();
  expect(scanForCardData({ roots: [folder], needles })).toEqual([]);
  expect({} as Record<string, unknown>).not.toHaveProperty('polluted');
});

const HANG_MS = 30_000;

/** Judges all answers of one connection; none at all is right only for bytes that are not a request. */
const judge = (answers: readonly RawAnswer[], method: string): string | undefined => {
  for (const { status, headers, body } of answers) {
    const [, ...lines] = headers.split('\r\n');
    const parsed = lines.map((line) => line.split(/:\s*/, 2) as [string, string]);
    const reported = {
      status,
      headers: new Map(parsed.map(([name, value]) => [name.toLowerCase(), value])),
      text: body,
    };
    const wrong = violationsOf(reported, method);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
};

const residentOf = async ({ healthPort }: GatewayProcess): Promise<{ rss: number; text: string }> => {
  const text = await (await fetch(`http://127.0.0.1:${healthPort}/metrics`)).text();
  return { rss: Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]), text };
};

test(`${CONNECTIONS} connections with bytes of every kind, seed ${SEED}`, async () => {
  const log = join(folder, 'gateway.log');
  const data = join(folder, 'data');
  const gateway = await startGateway(data, [ordinary, second], ['--admin-port', '0', '--log', log]);
  const dice = diceOf(SEED);
  let answeredCount = 0;
  const one = async (number: number): Promise<void> => {
    const { bytes, method } = rawRequest(dice, []);
    const describe = () => `connection ${number}: ${Buffer.from(bytes).toString('latin1').slice(0, 3_000)}`;
    const exchange = sendRaw(gateway.port, bytes, { halfClose: true });
    const { answers } = await within(systemClock, HANG_MS, exchange, () => new Error(`no end of ${describe()}`));
    answeredCount += answers.length;
    const wrong = judge(answers, method);
    if (wrong !== undefined) throw new Error(`${wrong}, ${describe()}`);
  };
  const batch = async (from: number) => {
    await Promise.all(Array.from({ length: 50 }, (_, index) => one(from + index)));
  };
  for (let number = 0; number < CONNECTIONS / 5; number += 50) await batch(number);
  const earlier = await residentOf(gateway);
  for (let number = CONNECTIONS / 5; number < CONNECTIONS; number += 50) await batch(number);
  const after = await residentOf(gateway);

  expect(answeredCount).toBeGreaterThan(CONNECTIONS / 2);
  expect(after.rss - earlier.rss).toBeLessThan(128 * MEGABYTE);
  expect(after.text).toMatch(/^tillgate_faults_total 0$/m);
  expect(after.text).not.toMatch(new RegExp(needles.join('|')));
  expect(await gateway.post('v1/payments', payment({ amount: '0.01' }))).toMatchObject({ status: 200 });
  expect([await gateway.end('SIGTERM'), gateway.errorOutput()]).toEqual([0, '']);
  expect(readFileSync(log, 'utf8')).not.toMatch(/smuggled|"level":"error"/);
  expect(scanForCardData({ roots: [folder], needles })).toEqual([]);
});
