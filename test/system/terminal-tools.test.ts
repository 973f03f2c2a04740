/** The technician's commands as they are run: with simulated terminals at real ports, and with no terminal at all. */
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { simulators } from '../../drivers/simulators.ts';
import { folder, simulator, tap, tillgate, trackProcesses, waitingText } from './processes.ts';

trackProcesses();

// A file for the scan after each test to read.
beforeEach(() => writeFileSync(join(folder, 'empty'), ''));

const data = () => join(folder, 'till');
const till = async (...args: string[]) => {
  const end = await tillgate(['till', ...args, '--data', data()]).ended;
  expect(end.out + end.err).not.toMatch(/^ +at /m);
  return end;
};
const config = () => JSON.parse(readFileSync(join(data(), 'till.json'), 'utf8')) as Record<string, unknown>;

/** A simulated terminal on a free TCP port, and its address. */
const onTcp = async (protocol: string, ...flags: string[]) => {
  const process = tillgate(['simulate', protocol, '--tcp', '0', '--data', join(folder, `cards-${protocol}`), ...flags]);
  const at = /\S+\+tcp:\S+/.exec(await process.waitForOutput('simulated terminal at'))?.[0] ?? '';
  return { process, at };
};

describe('pairing', () => {
  test('a terminal at a serial port is found, tried, recorded, and sold on', async () => {
    const { at } = await simulator(tap);
    const paired = await till('pair', at.replace('mpi+', ''), '--terminal-id', '70001234', '--yes');
    expect(paired, paired.err).toMatchObject({ code: 0 });
    expect(paired.out).toMatch(/^Terminal +Miura MPI · SIMULATED M020, serial number \d{8}$/m);
    expect(paired.out).toMatch(/^Test +3 of 3 questions answered/m);
    expect(paired.out).toMatch(/^Terminal id +70001234$/m);
    expect(paired.err).toContain('npm run till -- sell');
    expect(config()).toMatchObject({
      terminal: at,
      terminalId: '70001234',
      device: { deviceType: 'SIMULATEDM020', deviceId: expect.stringMatching(/^\d{8}$/) },
    });
    expect(statSync(join(data(), 'till.json')).mode & 0o777).toBe(0o600);

    const sale = await till('sell', '5.00');
    expect(sale, sale.err).toMatchObject({ code: 0 });
    expect(sale.out).toMatch(/TERMINAL 70001234/);

    const diagnosis = await till('diagnose', '--echoes', '5');
    expect(diagnosis, diagnosis.err).toMatchObject({ code: 0 });
    expect(diagnosis.out).toContain('This is the paired terminal');

    const unpaired = await till('unpair');
    expect(unpaired, unpaired.err).toMatchObject({ code: 0 });
    expect(config()).not.toHaveProperty('terminal');
    expect((await till('unpair')).code).toBe(2);
  });

  test('while a till sells on it pairing, diagnosis and unpairing are refused, and the sale continues', async () => {
    // The tap comes late enough for all three commands to ask first on a busy machine.
    const { at } = await simulator({ ...tap, afterMs: 25_000 });
    await till('pair', at);
    const sale = tillgate(['till', 'sell', '4.00', '--data', data()]);
    await sale.waitForOutput(waitingText);
    const oldConfig = config();
    const refused = await Promise.all([till('pair', at), till('diagnose'), till('unpair')]);
    for (const end of refused) {
      expect(end, end.err).toMatchObject({ code: 5, out: '' });
      expect(end.err).toContain('Another till already uses');
    }
    expect(config()).toEqual(oldConfig);
    const end = await sale.ended;
    expect(end, end.err).toMatchObject({ code: 0 });
  });

  test('with two terminals one has to be named; with --json too', async () => {
    const [one, two] = [await onTcp('mpi'), await onTcp('mpi', '--seed', '2')];
    const refused = await till('pair', one.at, two.at);
    expect(refused, refused.out).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toContain('There are 2 terminals here');
    for (const { at } of [one, two]) expect(refused.err).toContain(at);
    expect(config()).not.toHaveProperty('terminal');

    const json = await till('pair', one.at, two.at, '--json');
    expect(json).toMatchObject({ code: 2, err: '' });
    expect(JSON.parse(json.out)).toMatchObject({ fault: { code: 'terminal.several' } });

    const pairAnswer = await till('pair', two.at, '--json');
    expect(pairAnswer, pairAnswer.err).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(pairAnswer.out)).toMatchObject({
      paired: { address: two.at, 'pos.terminalId': '10000001' },
      keys: expect.arrayContaining([expect.objectContaining({ use: 'sred', ready: true })]),
      echoMs: expect.objectContaining({ length: 3 }),
    });
  });

  test('of two ports the one that answers is used, and the other’s result is reported', async () => {
    const { process, at } = await onTcp('mpi');
    const goneTerminal = await onTcp('mpi', '--seed', '2');
    goneTerminal.process.child.kill('SIGTERM');
    await goneTerminal.process.ended;
    const paired = await till('pair', goneTerminal.at, at);
    expect(paired, paired.err).toMatchObject({ code: 0 });
    expect(paired.err).toMatch(/No terminal at tcp:\S+ \(mpi: The port .* cannot be opened: nothing listens there/);
    process.child.kill('SIGTERM');
    await process.ended;
    const failed = await till('pair', at);
    expect(failed, failed.err).toMatchObject({ code: 5, out: '' });
    expect(config()).toMatchObject({ terminal: at });
  });

  test.each([
    ['no terminal id', ['--terminal-id', 'T1'], /"T1" is not a terminal id: use 1 to 32 digits/],
    ['no address', ['?'], /^"\?" is not the address of a terminal/],
    ['no driver', ['nobody+tcp://127.0.0.1:1'], /not the address of a terminal/],
  ])('%s is refused before anything is done', async (_, args, pattern) => {
    const end = await till('pair', ...args);
    expect(end, end.err).toMatchObject({ code: 2, out: '' });
    expect(end.err).toMatch(pattern);
  });
});

describe('a port without a protocol', () => {
  test.each([
    [['pair'], 'add --yes'],
    [['pair', '--json'], 'add --yes'],
    [['diagnose', '--terminal'], 'add --yes'],
    [['sell', '5.00', '--terminal'], 'give the address in full'],
    [['sell', '5.00', '--json', '--terminal'], 'give the address in full'],
  ])('is not contacted without a yes: %j', async (command, remedy) => {
    let connectionCount = 0;
    const foreign = createServer(() => {
      connectionCount += 1;
    }).listen(0, '127.0.0.1');
    await once(foreign, 'listening');
    const { port } = foreign.address() as AddressInfo;
    const end = await till(...command, `127.0.0.1:${port}`);
    foreign.close();
    expect(end, end.out).toMatchObject({ code: 2 });
    expect(end.out + end.err).toContain(`zvt+tcp://127.0.0.1:${port}`);
    expect(end.out + end.err).toContain(remedy);
    expect(connectionCount).toBe(0);
  });

  test('at a serial port is identified after a yes; in till.json nothing is sold on it until then', async () => {
    const { at } = await simulator(tap);
    const path = at.replace('mpi+serial:', '');
    mkdirSync(data());
    const first = await till('sell', '5.00', '--terminal', at);
    expect(first, first.err).toMatchObject({ code: 0 });
    writeFileSync(join(data(), 'till.json'), JSON.stringify({ ...config(), terminal: path }));
    const refused = await till('sell', '5.00');
    expect(refused, refused.out).toMatchObject({ code: 2 });
    expect(refused.err).toContain(`names no protocol, so nothing was sent to it`);
    expect(refused.err).toContain(`npm run till -- pair ${path}`);
    const diagnosis = await till('diagnose', '--yes', '--echoes', '3', '--json');
    expect(diagnosis, diagnosis.err).toMatchObject({ code: 0 });
    expect(JSON.parse(diagnosis.out)).toMatchObject({ address: at, found: { title: 'Miura MPI' } });
    const paired = await till('pair', path, '--yes');
    expect(paired, paired.err).toMatchObject({ code: 0 });
    expect(config()).toMatchObject({ terminal: at });
    // The paired terminal's port is known: nobody is asked again.
    const sale = await till('sell', '6.00', '--terminal', path);
    expect(sale, sale.err).toMatchObject({ code: 0 });
  });

  test('in till.json is refused by name if it is invalid', async () => {
    mkdirSync(data());
    await till('sales');
    writeFileSync(join(data(), 'till.json'), JSON.stringify({ ...config(), terminal: 'COM3:9600' }));
    const end = await till('sell', '5.00');
    expect(end, end.out).toMatchObject({ code: 2 });
    expect(end.err).toContain('terminal: must be the address of a terminal');
  });
});

describe('with no terminal plugged in', () => {
  test('pairing and diagnosis say so, and what to check, in order', async () => {
    for (const command of ['pair', 'diagnose']) {
      const end = await till(command);
      expect(end, end.err).toMatchObject({ code: 5, out: '' });
      expect(end.err).toMatch(/1\. Is the terminal switched on.*\n +2\. Is the cable plugged in/);
      expect(end.err).toMatch(/No terminal answered/);
    }
  });

  test('the list of terminals does not open a port', async () => {
    const end = await till('terminals');
    expect(end, end.err).toMatchObject({ code: 0 });
    expect(end.out).toContain('paired with no terminal');
    const json = await till('terminals', '--json');
    expect(JSON.parse(json.out)).toMatchObject({ candidates: expect.any(Array), problems: expect.any(Array) });
  });

  test('a missing port is named, with what to check', async () => {
    const end = await till('diagnose', '--terminal', join(folder, 'nothing'));
    expect(end, end.err).toMatchObject({ code: 5 });
    expect(end.out).toMatch(/✗ Port +There is no port .*nothing\.\n +→ Check, in this order:\n +1\. Is the terminal/);
    expect(end.out).toContain('cannot be used in this state');
  });
});

describe.each(Object.keys(simulators))('diagnosing a simulated %s', (protocol) => {
  test('the terminal is fine; its response time is measured; the live view shows the conversation', async () => {
    const { at } = await onTcp(protocol);
    const end = await till('diagnose', '--terminal', at, '--echoes', '8', '--live');
    // The verdict follows the measured time, also on a busy machine.
    const isSlow = Number(/95 % within ([\d.]+) ms/.exec(end.out)?.[1]) >= 250;
    expect(end, end.out + end.err).toMatchObject({ code: isSlow ? 1 : 0 });
    expect(end.out).toMatch(/^✓ Answers +It answers as /m);
    expect(end.out).toMatch(isSlow ? /^! Way +The connection is slow/m : /^✓ Way +It answered all 8 questions/m);
    expect(end.out).toMatch(/^ +\S+ (to \S+ ms|ms or more) +█+ +\d$/m);
    expect(end.out).toMatch(/^least .* median .* 95 % within .* most .*ms$/m);
    expect(end.out).toContain(isSlow ? 'The terminal works.' : 'The terminal works without problems.');
    // Time, direction, bytes, and their meaning.
    expect(end.err).toMatch(/^ +\d+\.\d{3}s > {2}[0-9A-F*]{2}( [0-9A-F*]{2})* +[A-Z].*$/m);
    expect(end.err).toMatch(/^ +\d+\.\d{3}s < {2}[0-9A-F*]{2} /m);
  });

  test('the terminal is found without naming a driver', async () => {
    const { at } = await onTcp(protocol);
    const end = await till('pair', at.replace(/^\w+\+/, ''), '--yes', '--json');
    expect(end, end.out + end.err).toMatchObject({ code: 0 });
    expect(JSON.parse(end.out)).toMatchObject({ paired: { address: at } });
  });

  test('a terminal that falls silent is distinguished from a missing one', async () => {
    const scenario = join(folder, 'silent.json');
    writeFileSync(scenario, JSON.stringify({ presentations: [tap], faults: [{ kind: 'silence', atCommand: 1 }] }));
    const { at } = await onTcp(protocol, '--scenario', scenario);
    const end = await till('diagnose', '--terminal', at, '--json');
    expect(end, end.out + end.err).toMatchObject({ code: 5, err: '' });
    expect(JSON.parse(end.out)).toMatchObject({ verdict: 'bad', says: expect.stringMatching(/did not answer/) });
  });
});

describe('a support bundle', () => {
  const bundle = () => join(folder, 'bundle.txt');

  test('of a till with a terminal and a sale', async () => {
    const { at } = await simulator(tap);
    await till('pair', at);
    await till('sell', '7.00');
    const end = await till('diagnose', '--bundle', bundle());
    expect(end, end.err).toMatchObject({ code: 0 });
    expect(end.err).toContain('No card data was found in it');
    const text = readFileSync(bundle(), 'utf8');
    for (const name of ['about', 'configuration', 'terminals', 'diagnosis', 'journal'])
      expect(text).toContain(`==== ${name} (`);
    expect(text).toMatch(/node-hid {2}\d/);
    expect(text).toContain('"verdict": "good"');
    expect(text).toContain('hostApproved');
  });

  test('is also written without a terminal', async () => {
    const end = await till('diagnose', '--bundle', bundle());
    expect(end, end.err).toMatchObject({ code: 5 });
    expect(readFileSync(bundle(), 'utf8')).toContain('None was made.');
  });

  test('is written from the folder of a till that cannot be opened', async () => {
    mkdirSync(data());
    writeFileSync(join(data(), 'journal.db'), 'no journal');
    const end = await till('diagnose', '--bundle', bundle());
    expect(end.code, end.err).not.toBe(0);
    expect(end.err).toContain('Support bundle');
    expect(readFileSync(bundle(), 'utf8')).toMatch(/^==== journal .*\nIt could not be read: /m);
  });

  test('is refused if a log has a card number, and names the log', async () => {
    mkdirSync(data());
    // Not a card of the simulated world: every test scans for those.
    writeFileSync(join(data(), 'till.log'), 'read 4000 0012 3456 7899\n');
    const end = await till('diagnose', '--bundle', bundle());
    expect(end, end.err).toMatchObject({ code: 2 });
    expect(end.err).toContain('log till.log (card number, line');
    expect(existsSync(bundle())).toBe(false);
    const bundled = await till('diagnose', '--bundle', bundle(), '--leave-out');
    expect(bundled.err).toContain('Left out');
    expect(readFileSync(bundle(), 'utf8')).not.toContain('4000 0012');
  });
});
