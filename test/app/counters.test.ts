/** Several terminals in till.json, of either kind, connected or not, each found again independently. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Fault } from '../../src/base/fault.ts';
import { systemIds } from '../../src/base/ids.ts';
import { type Config, changeConfig } from '../../src/folder/config.ts';
import { rememberAddress } from '../../src/terminals/paired-device.ts';
import { anna, counterRig, eur, type Rig } from '../selling/counter-rig.ts';
import { integratedDevice } from '../support/till/scripted-integrated-terminal.ts';
import { diskFull } from '../support/till/till-rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = counterRig();
});
afterEach(() => rig.remove());

const set = (change: Partial<Config>) => changeConfig(rig.folder, systemIds, (config) => ({ ...config, ...change }));
const readConfig = (): Config => JSON.parse(readFileSync(join(rig.folder, 'till.json'), 'utf8')) as Config;
const one = { terminalId: '11', terminal: 'mpi+tcp://127.0.0.1:1' };
const two = { terminalId: '22', terminal: 'mpi+tcp://127.0.0.1:2' };

test.each<[string, Partial<Config>, RegExp | undefined]>([
  ['two more', { terminals: [one, two] }, undefined],
  ['none', { terminals: [] }, undefined],
  ['one number twice', { terminals: [one, { ...two, terminalId: '11' }] }, /their own terminalId/],
  ['the number of the first', { terminalId: '11', terminals: [one] }, /their own terminalId/],
  ['one address twice', { terminals: [one, { ...two, terminal: one.terminal }] }, /their own address/],
  ['the address of the first', { terminal: one.terminal, terminals: [one] }, /their own address/],
  ['no number at all', { terminals: [{ ...one, terminalId: 'A' }] }, /1 to 32 digits/],
  [
    'too many',
    { terminals: Array.from({ length: 10 }, (_, n) => ({ terminalId: `${n}`, terminal: `mpi+tcp://h:${n}` })) },
    /terminals/,
  ],
])('till.json with %s', (_, change, refused) => {
  if (refused === undefined) expect(set(change)).toMatchObject(change);
  else expect(() => set(change)).toThrow(refused);
});

test('a terminal plugged in elsewhere is remembered at its new address, and the others stay', () => {
  set({ terminal: 'mpi+serial:/dev/ttyACM0', terminals: [one, two] });
  rememberAddress(rig.folder, 'mpi+tcp://127.0.0.1:9', { ids: systemIds, terminalId: '22' });
  expect(readConfig()).toMatchObject({
    terminal: 'mpi+serial:/dev/ttyACM0',
    terminals: [one, { ...two, terminal: 'mpi+tcp://127.0.0.1:9' }],
  });
  rememberAddress(rig.folder, 'mpi+serial:/dev/ttyACM3', { ids: systemIds });
  expect(readConfig()).toMatchObject({ terminal: 'mpi+serial:/dev/ttyACM3', terminals: [one, { terminalId: '22' }] });
});

test('a reader and a terminal that authorises by itself each refund their own payments', async () => {
  const device = integratedDevice({ clock: rig.clock, nextTurn: () => 'works', lines: { customer: [], merchant: [] } });
  const terminals = device.keep();
  const { service, running, ended, close } = await rig.open({
    counters: 2,
    protocol: 'zvt',
    around: { integrated: () => terminals },
  });
  expect(service.counters().map(({ name, integrated }) => [name, integrated])).toEqual([
    ['T1', false],
    ['T2', true],
  ]);
  const sale = { operation: 'sale', amount: eur('7.00') } as const;
  const atReader = await ended(await service.begin(sale, anna, 'key-00001'));
  const atDevice = await ended(await service.begin({ ...sale, counter: 'T2' }, anna, 'key-00002'));
  expect(device.charged(700n)).toBe(700n);
  const hold = { operation: 'preauthorisation', amount: eur('7.00'), counter: 'T2' } as const;
  await expect(service.begin(hold, anna, 'key-00003')).rejects.toMatchObject({ code: 'terminal.cannot' });
  expect(service.sale(atDevice.receipt).may.map(({ operation }) => operation)).toEqual(['refund', 'void']);
  const voided = await service.follow({ receipt: atDevice.receipt, operation: 'void' }, anna, 'key-00004');
  expect(voided.counter).toBe('T2');
  expect((await ended(voided)).result).toMatchObject({ ending: 'approved', reason: 'reversedAtTerminal' });
  expect(device.charged(700n)).toBe(0n);
  const refund = await service.follow({ receipt: atReader.receipt, operation: 'refund' }, anna, 'key-00005');
  expect([refund.counter, (await ended(refund)).result?.ending]).toEqual(['T1', 'approved']);
  await rig.clock.until(running.till.settleAtTerminal());
  await close();
});

test('a disconnected terminal is reported, is looked for, and does not affect the others', async () => {
  let isThere = false;
  const { service, told, ended, close } = await rig.open({
    counters: 2,
    around: {
      terminals: (terminals, of) => ({
        get: async () => {
          if (of !== undefined && !isThere) throw new Fault('link.unavailable', { port: 'COM3', why: 'as told' });
          return rig.twin(of ?? '');
        },
        drop: () => terminals.drop(),
      }),
    },
  });
  await rig.clock.advance(10);
  expect(service.counters()).toMatchObject([
    { state: 'ready' },
    { state: 'away', problem: { code: 'link.unavailable' } },
  ]);
  const sale = { operation: 'sale', amount: eur('7.00') } as const;
  const failed = await ended(await service.begin({ ...sale, counter: 'T2' }, anna, 'key-00001'));
  expect(failed.result).toMatchObject({ ending: 'notSent', reason: 'terminalFailed' });
  expect((await ended(await service.begin(sale, anna, 'key-00002'))).result?.ending).toBe('approved');
  isThere = true;
  await rig.clock.advance(20_000);
  expect(service.counters()).toMatchObject([{ state: 'ready' }, { state: 'ready' }]);
  expect(told.findLast(({ on }) => on === 'counters')).toMatchObject({ counters: [{}, { state: 'ready' }] });
  await close();
});

test('nothing is sold or refunded on a terminal that was refused for its mode', async () => {
  const device = integratedDevice({ clock: rig.clock, nextTurn: () => 'works', lines: { customer: [], merchant: [] } });
  const twin = device.keep();
  let refused = false;
  const stored = {
    ...twin,
    get: () => (refused ? Promise.reject(new Fault('terminal.real', { model: 'TWIN TWIN-1' })) : twin.get()),
  };
  const { service, ended, close } = await rig.open({
    counters: 2,
    protocol: 'zvt',
    around: { integrated: () => stored },
  });
  const sale = { operation: 'sale', amount: eur('7.00'), counter: 'T2' } as const;
  const { receipt } = await ended(await service.begin(sale, anna, 'key-00001'));
  refused = true;
  await rig.clock.advance(20_000);
  const real = expect.objectContaining({ code: 'terminal.real' });
  await expect(service.begin(sale, anna, 'key-00002')).rejects.toEqual(real);
  for (const operation of ['refund', 'void'] as const)
    await expect(service.follow({ receipt, operation }, anna, `key-${operation}`)).rejects.toEqual(real);
  expect(device.charged(700n)).toBe(700n);
  await close();
});

test('a till without a terminal says so, and begins no card payment', async () => {
  const { service, running, close } = await rig.open({ around: { terminals: undefined } as never });
  expect(service.counters()).toMatchObject([{ name: 'T1', state: 'unpaired', problem: { code: 'terminal.unpaired' } }]);
  const sale = { operation: 'sale', amount: eur('7.00') } as const;
  await expect(service.begin(sale, anna, 'key-00001')).rejects.toMatchObject({ code: 'terminal.unpaired' });
  const gift = { operation: 'giftCard', amount: eur('7.00'), giftCard: { number: '9988776655443322' } } as const;
  expect(await service.begin(gift, anna, 'key-00001')).toMatchObject({ operation: 'sale', card: { last4: '3322' } });
  // Only the last four digits are stored: the number itself is in no row.
  expect(JSON.stringify([...running.ledger.all()].map(({ intent }) => intent.giftCard))).not.toContain('99887766');
  await rig.clock.advance(5_000);
  await close();
});

test('an intent that cannot be written begins nothing and leaves its key free', async () => {
  let full = true;
  const { service, ended, close } = await rig.open({
    around: {
      ledger: (ledger) => ({
        ...ledger,
        record(sale, event, message) {
          if (full && event.on === 'intended') throw diskFull();
          ledger.record(sale, event, message);
        },
      }),
    },
  });
  const sale = { operation: 'sale', amount: eur('7.00') } as const;
  await expect(service.begin(sale, anna, 'key-00001')).rejects.toMatchObject({ code: 'journal.unwritable' });
  expect([service.live(), service.counters()]).toMatchObject([[], [{ state: 'ready' }]]);
  full = false;
  expect((await ended(await service.begin(sale, anna, 'key-00001'))).result?.ending).toBe('approved');
  await close();
});

test('a sale that stores its card requests it from the gateway, and returns the registration', async () => {
  const registrationId = '8ac7a4a1123456789012345678901234';
  const { host } = rig;
  const pay: typeof host.pay = async (parameters, key) => {
    const reply = await host.pay(parameters, key);
    const isStored = parameters['createRegistration'] === 'true' && reply.kind === 'answered';
    return isStored ? { ...reply, body: { ...reply.body, registrationId } } : reply;
  };
  const { service, ended, close } = await rig.open({ around: { host: () => ({ ...host, pay }) } });
  const sale = { operation: 'sale', amount: eur('7.00') } as const;
  const stored = await ended(await service.begin({ ...sale, storeCard: true }, anna, 'key-00001'));
  const plain = await ended(await service.begin({ ...sale, amount: eur('8.00') }, anna, 'key-00002'));
  expect([stored, plain].map(({ receipt }) => service.sale(receipt).registrationId)).toEqual([
    registrationId,
    undefined,
  ]);
  await close();
});
