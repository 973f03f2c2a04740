/**
 * The dialects that a paired terminal turns out to speak: observed in a sale, stored, and shown in diagnosis and
 * support bundle.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { presentationFor } from '../../drivers/simulation/cardholder.ts';
import { type Station, simulateOnTcp } from '../../drivers/simulation/simulator.ts';
import type { ZvtDialect } from '../../drivers/zvt/protocol/dialects.ts';
import { zvtSimulator } from '../../drivers/zvt/simulator/simulator.ts';
import { startTill } from '../../src/app/start-till.ts';
import { systemClock } from '../../src/base/clock.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import { parseAmount } from '../../src/base/money.ts';
import { formatList } from '../../src/base/placeholders.ts';
import { loadConfig } from '../../src/folder/config.ts';
import { diagnose } from '../../src/terminals/checks/diagnosis.ts';
import { identify, pair } from '../../src/terminals/pairing/pairing.ts';
import { bundleSections } from '../../src/terminals/support/support-bundle.ts';
import { openSqlUnsynced } from '../support/disk/unsynced-sql.ts';
import { pairToolsOf } from '../support/till/pair-tools.ts';
import { quickClock } from '../support/time/quick-clock.ts';

const folder = mkdtempSync(join(tmpdir(), 'dialects-'));
let station: Station | undefined;
afterEach(async () => {
  await station?.close();
  rmSync(folder, { recursive: true, force: true });
});

const tools = { clock: systemClock, report: () => {} };
const pairTools = pairToolsOf(folder, systemClock);

const sets: (readonly ZvtDialect[])[] = [
  [],
  ['endings-told', 'prints-lines', 'result-last', 'status-times', 'version-always'],
  ['prints-first', 'prints-styled', 'result-again'],
  ['prints-split', 'repeat-bare'],
];

test.each(sets.map((dialects) => [dialects]))('%s', async (dialects) => {
  station = await simulateOnTcp(zvtSimulator, 0, {
    ...{ clock: quickClock, random: systemRandom, dialects, config: { serial: '17000001' } },
    cardholder: () => presentationFor({ card: 'visa-credit', by: 'chip' }),
  });
  const address = `zvt+${station.at}`;
  const met = await identify(address, tools);
  pair(met, pairTools, { alone: true, terminalId: '70001234' });
  const running = await startTill({ open: openSqlUnsynced, dataDir: folder, clock: systemClock });
  for (let n = 0; n < 2; n += 1) {
    const sale = await running.till.sell({ amount: parseAmount('5.00', 'EUR') }, () => {}).done;
    expect(sale).toMatchObject({ ending: 'approved' });
  }
  await running.close();
  const { device } = loadConfig(folder, systemIds);
  expect(device?.dialects ?? []).toEqual(dialects);

  const diagnosis = await diagnose(address, { ...tools, echoes: 0, device });
  expect(diagnosis).toMatchObject({ verdict: 'good', dialects });
  const check = diagnosis.checks.find(({ what }) => what === 'Dialect');
  expect(check?.says).toContain(dialects.length === 0 ? 'followed its specification' : formatList('en')(dialects));
  const sections = bundleSections({ folder, clock: systemClock, versions: {}, terminals: [], diagnosis });
  for (const name of ['configuration', 'diagnosis']) {
    const { lines = [] } = sections.find((one) => one.name === name) ?? {};
    for (const dialect of dialects) expect(lines.join('\n')).toContain(`"${dialect}"`);
  }

  // The same device keeps its observed dialects; another one starts without any.
  expect(pair(met, pairTools, { alone: true }).device?.dialects ?? []).toEqual(dialects);
  const other = { ...met, info: { ...met.info, serial: '17000002' } };
  expect(pair(other, pairTools, { alone: true }).device?.dialects).toBeUndefined();
});
