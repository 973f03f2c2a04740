/**
 * Every protocol at a real port, as in a shop: a simulated terminal is paired, sold on and recorded, and the recording
 * read.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { simulators } from '../../drivers/simulators.ts';
import { cvv } from '../../src/emv/cvv.ts';
import { testCards, testKeys } from '../../src/emv/test-cards.ts';
import { folder, run, tillgate, trackProcesses } from './processes.ts';

trackProcesses();

const counters = Object.keys(simulators).flatMap((protocol) => [
  [protocol, 'a pseudo terminal'] as const,
  [protocol, 'TCP'] as const,
]);

const stationed = async (protocol: string, by: string): Promise<string> => {
  const portFlags = by === 'TCP' ? ['--tcp', '0'] : ['--pty', join(folder, 'port')];
  const { waitForOutput } = tillgate(['simulate', protocol, ...portFlags, '--data', join(folder, 'cards')]);
  const line = await waitForOutput('simulated terminal at');
  return /\S+$/.exec(line)?.[0] ?? '';
};

/** The parts of the card that a track or receipt could hold beyond the masked number. */
const { pan, expiry } = testCards['visa-credit'];
const secrets = [pan, `${pan}=${expiry}`, cvv({ cvk: testKeys.cvk, pan, expiry, serviceCode: '201' }).padStart(6, '=')];

test.each(counters)('%s on %s: paired, a sale, its recording', async (protocol, by) => {
  const at = await stationed(protocol, by);
  const data = ['--data', join(folder, 'till')];
  const pair = await tillgate(['till', 'pair', at, '--terminal-id', '71000001', '--yes', '--json', ...data]).ended;
  expect(pair, pair.err).toMatchObject({ code: 0 });

  const tape = join(folder, 'sale.tape');
  const sale = await tillgate(['till', 'sell', '12.50', '--record', tape, ...data]).ended;
  expect(sale, sale.err).toMatchObject({ code: 0 });
  expect(sale.err).toContain('APPROVED  12.50 EUR');
  expect(sale.out).toMatch(/SALE +12\.50 EUR/);
  expect(sale.out).toMatch(/[*#]{12}0010/);
  expect(sale.out).toContain('TERMINAL 71000001');
  expect(await run('queue')).toContain('Nothing is waiting');

  const trace = await tillgate(['till', 'trace', tape]).ended;
  expect(trace, trace.err).toMatchObject({ code: 0 });
  expect(trace.out).toContain('12.50 EUR');
  expect(trace.out.split('\n').filter((line) => line.length > 120)).toEqual([]);
  const recorded = readFileSync(tape, 'utf8');
  for (const secret of secrets) expect(trace.out + recorded).not.toContain(secret);

  const well = await tillgate(['till', 'diagnose', '--echoes', '5', ...data]).ended;
  expect(well, well.out).toMatchObject({ code: 0 });
  expect(well.out).toContain('The terminal works without problems.');
});
