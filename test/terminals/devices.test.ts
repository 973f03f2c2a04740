/**
 * The technician's service with simulated terminals: found, identified, paired, asked, diagnosed; and a sale comes
 * first.
 */
import { afterEach, describe, expect, test } from 'vitest';
import { openTerminal } from '../../drivers/registry.ts';
import type { PairingStep } from '../../src/api/contract/devices.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { systemIds } from '../../src/base/ids.ts';
import { parseAmount } from '../../src/base/money.ts';
import { changeConfig, loadConfig } from '../../src/folder/config.ts';
import { load } from '../../src/locales/load.ts';
import { translate } from '../../src/locales/translate.ts';
import { openDevicesService } from '../../src/terminals/service.ts';
import { quickClock } from '../support/time/quick-clock.ts';
import { type DevicesRig, devicesRig, tess } from './devices-rig.ts';

let rig: DevicesRig | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});
const openRigAt = async (...args: Parameters<typeof devicesRig>): Promise<DevicesRig> => {
  rig = await devicesRig(...args);
  return rig;
};
const eur = (text: string) => parseAmount(text, 'EUR');

describe.each(['mpi', 'mms', 'neo2'])('a reader by %s', (protocol) => {
  test('is identified step by step, paired while the till is running, and unpaired', async () => {
    const { service, address, folder, notes, restarts, station } = await openRigAt(protocol, { paired: false });
    const steps: PairingStep[] = [];
    const met = await service.meet({ address: `${protocol}+${station.at}` }, (step) => steps.push(step));
    expect(steps.map(({ step }) => step)).toEqual(['find', 'talk', 'name', 'test']);
    expect(steps[1]?.hex?.some((line) => /^> [0-9A-F*]{8,}/.test(line))).toBe(true);
    expect(met).toMatchObject({ address, link: 'tcp', driver: protocol, keys: expect.any(Array) });
    expect(met.echoMs).toHaveLength(3);

    const paired = await service.pair({ address, terminalId: '70001234' }, tess);
    expect(paired).toMatchObject({ counter: 'T1', terminalId: '70001234', restart: 'soon' });
    expect(loadConfig(folder, systemIds)).toMatchObject({ terminal: address, terminalId: '70001234' });
    expect(restarts).toHaveLength(1);
    expect(service.devices()).toMatchObject([{ counter: 'T1', address, serial: met.serial, keys: met.keys }]);

    const second = await service
      .pair({ address: met.address, counter: 'T2', terminalId: '2' }, tess)
      .catch((error) => error);
    expect(second).toMatchObject({ code: 'config.malformed' });

    await service.unpair('T1', {}, tess);
    expect(loadConfig(folder, systemIds)).not.toHaveProperty('terminal');
    expect(notes.map(({ on }) => on)).toEqual(['paired', 'unpaired']);
  });
});

test('an address without a driver is not touched without a yes', async () => {
  const opened: string[] = [];
  const open: typeof openTerminal = (address, tools) => {
    opened.push(address);
    return openTerminal(address, tools);
  };
  const { service, station } = await openRigAt('mpi', { paired: false, edges: { open } });
  const missing = expect.objectContaining({ code: 'terminal.protocolMissing' });
  await expect(service.meet({ address: station.at }, () => {})).rejects.toEqual(missing);
  await expect(service.diagnose({ address: station.at, echoes: 0 }, () => {})).rejects.toEqual(missing);
  await expect(service.pair({ address: station.at }, tess)).rejects.toEqual(missing);
  expect(opened).toEqual([]);
});

test('a fallback in listing devices is reported in the reader’s language', async () => {
  const problems = [{ by: 'serial', why: 'spawn udevadm ENOENT' } as const, { by: 'hid', why: 'no libudev' } as const];
  const { service } = await openRigAt('mpi', {
    paired: false,
    edges: { plugged: async () => ({ devices: [], problems }) },
  });
  const answer = await service.pluggedIn();
  expect(answer.problems[0]).toMatch(/^Serial ports cannot be listed the usual way \(spawn udevadm ENOENT\)/);
  const de = { ...(await load.de()), language: 'de', dateTime: String } as const;
  expect(answer.toldProblems?.map((one) => translate(de, one))).toEqual([
    expect.stringMatching(/^Die seriellen Anschlüsse ließen sich nicht wie üblich auflisten/),
    expect.stringMatching(/^Die HID-Geräte ließen sich nicht wie üblich auflisten/),
  ]);
});

/** A driver for another protocol waits for an answer that never comes: here for a fifth of its time. */
const impatient: Clock = { ...systemClock, after: (ms, then) => systemClock.after(ms / 5, then) };

test('an address without a driver is tried with each suitable one, and an invalid place is refused', async () => {
  const { service, address, station } = await openRigAt('mpi', { paired: false, clock: impatient });
  expect(await service.meet({ address: station.at, probe: true }, () => {})).toMatchObject({ address });
  expect(await service.diagnose({ address: station.at, echoes: 0, probe: true }, () => {})).toMatchObject({ address });
  await expect(service.meet({ address: 'nowhere' }, () => {})).rejects.toMatchObject({ code: 'terminal.unknown' });
  const steps: PairingStep[] = [];
  const refused = service.meet({ address: 'mpi+tcp://127.0.0.1:1' }, (step) => steps.push(step));
  await expect(refused).rejects.toMatchObject({ code: 'terminal.notFound' });
  expect(steps.at(-1)).toMatchObject({ step: 'talk', problem: { code: 'link.unavailable' } });
});

test('a search probes named places and known terminals only, and reports what it found at each place', async () => {
  const unknown = { by: 'serial', path: '/dev/ttyACM7', vendorId: 0x1234, productId: 1 } as const;
  const edges = { plugged: async () => ({ devices: [unknown], problems: [] }) };
  const { service, address, station } = await openRigAt('mpi', { clock: impatient, edges });
  const progress: string[] = [];
  const noteProgress = (one: object) => progress.push(Object.keys(one).join());
  const bare = 'tcp://127.0.0.1:1';
  await expect(service.search({ places: [address, bare] }, noteProgress)).rejects.toMatchObject({
    code: 'terminal.protocolMissing',
    facts: { address: bare },
  });
  await expect(service.search({}, noteProgress)).rejects.toMatchObject({ code: 'terminal.notFound' });
  expect(progress).toEqual([]);
  // The till's own terminal is known: its place needs no yes.
  const found = await service.search({ places: [station.at, 'mpi+tcp://127.0.0.1:1'] }, noteProgress);
  expect(found).toMatchObject({ found: [{ address, model: 'SIMULATED M020' }], skipped: [] });
  expect(found.silent).toEqual([expect.stringMatching(/^tcp:\/\/127\.0\.0\.1:1 \(mpi: The port .* cannot be opened/)]);
  expect(progress).toEqual(['asking,withinMs', 'done,all', 'done,all']);
});

test('whoever follows a diagnosis is told each message; a port that is not there needs no yes', async () => {
  const { service, address } = await openRigAt('mpi');
  const messages: string[] = [];
  const follow = (live: boolean) =>
    service.diagnose({ address, echoes: 1, live }, (one) => messages.push(Object.keys(one)[0] ?? ''));
  expect(await follow(false)).toMatchObject({ verdict: 'good', loopback: { asked: 1, medianMs: expect.any(Number) } });
  expect(messages).toEqual(expect.not.arrayContaining(['message']));
  await follow(true);
  expect(messages).toEqual(expect.arrayContaining(['address', 'check', 'echo', 'message']));
  const gone = await service.diagnose({ address: '/dev/no-such-port', echoes: 0 }, () => {});
  expect(gone).toMatchObject({
    verdict: 'bad',
    checks: expect.arrayContaining([expect.objectContaining({ what: 'Port' })]),
  });
});

test('a further terminal gets the next counter, and can be removed again', async () => {
  const { service, address, folder } = await openRigAt('mpi', { paired: false });
  changeConfig(folder, systemIds, (config) => ({ ...config, terminal: 'zvt+tcp://127.0.0.1:9' }));
  expect(await service.pair({ address, counter: 'T2', terminalId: '77' }, tess)).toMatchObject({ counter: 'T2' });
  expect(service.devices()).toMatchObject([{ counter: 'T1' }, { counter: 'T2', address, terminalId: '77' }]);
  await expect(service.pair({ address, counter: 'T9', terminalId: '9' }, tess)).rejects.toMatchObject({
    code: 'terminal.unpaired',
  });
  await service.unpair('T2', {}, tess);
  expect(loadConfig(folder, systemIds)).not.toHaveProperty('terminals');
});

test('the paired terminal is asked, diagnosed with a histogram, and can sell afterwards', async () => {
  const { service, address, running } = await openRigAt('mpi');
  expect(service.devices()).toMatchObject([{ counter: 'T1', address, problems: [] }]);
  expect(await service.ask('T1')).toMatchObject({
    model: 'SIMULATED M020',
    keys: [{ ready: true }, { ready: true }],
    problems: [],
  });
  const progress: string[] = [];
  const answer = await service.diagnose({ address, echoes: 10 }, (one) =>
    progress.push(...('check' in one ? [one.check.what] : 'echo' in one ? [`${one.echo}`] : [])),
  );
  expect(answer).toMatchObject({ verdict: 'good', device: { model: 'SIMULATED M020' }, loopback: { lost: 0 } });
  expect(answer.loopback?.histogram.reduce((sum, { count }) => sum + count, 0)).toBe(10);
  expect(progress).toContain('10');
  const sale = await running.till.sell({ amount: eur('5.00') }, () => {}).done;
  expect(sale).toMatchObject({ ending: 'approved' });
  expect(service.devices()[0]?.lastSeenAt).toEqual(expect.any(Number));
});

test('a terminal busy with a sale is not disturbed, and nothing is paired meanwhile', async () => {
  const { service, address, running, presentNobody: nobodyComes } = await openRigAt('mpi');
  nobodyComes();
  const sale = running.till.sell({ amount: eur('5.00') }, () => {});
  expect(service.devices()).toMatchObject([{ counter: 'T1', busy: true }]);
  const busy = expect.objectContaining({ code: 'terminal.busy' });
  await expect(service.ask('T1')).rejects.toEqual(busy);
  await expect(service.diagnose({ address, echoes: 1 }, () => {})).rejects.toEqual(busy);
  await expect(service.meet({ address }, () => {})).rejects.toEqual(busy);
  await expect(service.unpair('T1', {}, tess)).rejects.toEqual(busy);
  await expect(service.importConfiguration(service.exportConfiguration(tess).text, tess, () => [])).rejects.toEqual(
    busy,
  );
  sale.cancel();
  expect(await sale.done).toMatchObject({ ending: 'notSent' });
});

test('a sale during a diagnosis gets the terminal at once, and the diagnosis says why it ended', async () => {
  const { service, address, running } = await openRigAt('mpi');
  let sale: Promise<unknown> | undefined;
  const answer = await service.diagnose({ address, echoes: 1000 }, (progress) => {
    if ('echo' in progress) sale ??= running.till.sell({ amount: eur('5.00') }, () => {}).done;
  });
  expect(answer.verdict).toBe('bad');
  expect(answer.says).toContain('busy with a sale');
  expect(await sale).toMatchObject({ ending: 'approved' });
});

test('a disconnected terminal is reported, and everything else continues', async () => {
  const { service, address, station, running } = await openRigAt('mpi');
  await station.close();
  const answer = await service.diagnose({ address, echoes: 5 }, () => {});
  expect(answer.verdict).toBe('bad');
  // On Windows the check of the folder's permissions comes first.
  const atTerminal = answer.checks.filter(({ what }) => what !== 'Folder');
  expect(atTerminal).toMatchObject([{ what: 'Port' }, { what: 'Answers', verdict: 'bad' }]);
  expect((await service.ask('T1')).problems.join()).toContain('cannot be opened');
  await running.counters[0].ready().catch(() => {});
  expect(service.devices()[0]?.problems).toHaveLength(1);
  const { sections } = await service.bundlePreview();
  expect(sections.map(({ name }) => name)).toContain('trace');
  // This section is read from the journal that the running till has open.
  expect(sections.find(({ name }) => name === 'journal')?.begins.join()).toContain('sealed');
  expect(await service.updates()).toMatchObject({ mayInstall: false, why: { code: 'updates.fromFolder' } });
});

test('a terminal that asks its bank itself is paired with a yes; another register on it is reported', async () => {
  const { service, address, running, folder, start, parts } = await openRigAt('zvt', { paired: false });
  expect(await service.meet({ address }, () => {})).toMatchObject({ asksBank: true });
  await expect(service.pair({ address }, tess)).rejects.toMatchObject({
    code: 'pairing.oneTill',
    facts: { title: 'ZVT' },
  });
  expect(loadConfig(folder, systemIds)).not.toHaveProperty('terminal');
  await service.pair({ address, alone: true }, tess);
  await running.close();
  const anew = await start();
  const sell = () => anew.till.sell({ amount: eur('5.00') }, () => {}).done;
  await sell();
  const later = openDevicesService({ ...parts, running: anew });
  expect(later.devices()).toMatchObject([{ counter: 'T1', problems: [] }]);
  // Another register, connected besides this till.
  const other = await openTerminal(address, { clock: quickClock, report: () => {} });
  if (other.kind !== 'integrated') throw new Error(other.kind);
  await other.terminal.pay({ amount: eur('9.00'), withinMs: 60_000 }, () => {});
  await other.terminal.close();
  expect(await sell()).toMatchObject({ ending: 'approved' });
  const says = expect.stringContaining('from 0001 to 0002, at receipt 000002. Another register may be using it.');
  expect(later.devices()).toMatchObject([
    {
      problems: [says],
      toldProblems: [{ code: 'check.otherRegister', facts: { count: 1, from: '0001', to: '0002' } }],
    },
  ]);
  const { checks, verdict } = await later.diagnose({ address, echoes: 0 }, () => {});
  expect(verdict).toBe('odd');
  expect(checks.find(({ what }) => what === 'Numbers')).toMatchObject({ verdict: 'attention', says });
  await anew.close();
});
