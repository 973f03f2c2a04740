/** Terminals by their address: a simulated one behind a pseudo terminal and behind TCP, over real bytes. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openPty } from '../../drivers/links/pty.ts';
import { listenTcp } from '../../drivers/links/tcp.ts';
import { mpiSimulator } from '../../drivers/mpi/simulator/simulator.ts';
import { openTerminal } from '../../drivers/registry.ts';
import { systemClock as clock } from '../../src/base/clock.ts';
import { systemRandom as random, systemIds } from '../../src/base/ids.ts';
import { testCard } from '../../src/emv/test-cards.ts';
import { fastClock } from '../support/devices/fast-clock.ts';
import { posixTest } from '../support/platform/platform.ts';

const cardholder = () => ({ card: testCard('visa-no-cvm'), by: 'chip' as const });
const request = {
  amount: { minor: 6_000n, currency: 'EUR' },
  kind: 'purchase' as const,
  at: new Date(2026, 0, 2, 12).getTime(),
  accept: ['chip', 'tap'] as const,
  withinMs: 20_000,
};

const sellAt = async (address: string) => {
  const unsolicited: string[] = [];
  const { kind, terminal } = await openTerminal(address, { clock, report: ({ code }) => unsolicited.push(code) });
  try {
    if (kind !== 'reader') throw new Error(`a ${kind} terminal stands at ${address}`);
    const { serial } = await terminal.info();
    expect(serial).toMatch(/^\d{8}$/);
    expect(await terminal.read(request, () => {})).toMatchObject({ kind: 'goOnline', card: { entryMode: 'ICC' } });
    expect(await terminal.complete({ kind: 'unableToGoOnline' })).toMatchObject({ kind: 'approved' });
    expect(unsolicited).toEqual([]);
  } finally {
    await terminal.close();
  }
};

posixTest('over a pseudo terminal, twice', async () => {
  const { link, path } = openPty({ at: join(tmpdir(), `registry-${systemIds.next()}`) });
  const device = mpiSimulator(link, { clock: fastClock, random, cardholder });
  await expect(sellAt(path)).rejects.toMatchObject({ code: 'terminal.protocolMissing' });
  await sellAt(`mpi+serial:${path}`);
  await sellAt(`mpi+serial:${path}`);
  await device.close();
});

test('over TCP, twice', async () => {
  const server = await listenTcp({
    port: 0,
    clock,
    accept: (link) => {
      mpiSimulator(link, { clock: fastClock, random, cardholder });
    },
  });
  await sellAt(`mpi+tcp://127.0.0.1:${server.port}`);
  await sellAt(`mpi+tcp://127.0.0.1:${server.port}/`);
  await server.close();
});

test('reports a device that is not a terminal as silent or garbled, and closes the link', async () => {
  const server = await listenTcp({
    port: 0,
    clock,
    accept: (link) => {
      link.listen({ bytes: () => {}, closed: () => {} });
      link.write(Buffer.from('HTTP/1.1 400 Bad Request\r\n'.repeat(60))).catch(() => {});
    },
  });
  const tools = { clock, report: () => {} };
  await expect(openTerminal(`mpi+tcp://127.0.0.1:${server.port}`, tools)).rejects.toMatchObject({
    code: 'terminal.garbled',
  });
  await server.close();
});
