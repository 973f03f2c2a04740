/** The technician's service as a script: terminals, traces and bundles without any device. */
import type { DeviceRow, PairingStep } from '../../../../src/api/contract/devices.ts';
import type { TraceRow } from '../../../../src/api/contract/diagnosis.ts';
import type { DevicesPort } from '../../../../src/api/ports/devices.ts';
import { Malformed } from '../../../../src/api/problems.ts';
import { Fault } from '../../../../src/base/fault.ts';
import { scriptedDiagnosis as diagnosis, scriptedLine as line } from './devices-checks.ts';

const at = Date.UTC(2026, 10, 20, 13, 2, 11);

const reader: DeviceRow = {
  counter: 'T1',
  address: 'mpi+serial:/dev/ttyACM0',
  link: 'serial',
  driver: 'mpi',
  title: 'Miura MPI',
  model: 'M020',
  serial: '17-000001',
  firmware: '1-58',
  terminalId: '12345678',
  pairedAt: '2026-11-02 08:14:00',
  batteryPercent: 82,
  clockDifferenceMs: -9_000,
  lastSeenAt: at,
  problems: [],
  keys: [
    { use: 'sred', slot: '0', ksn: 'FFFF9876543210E00001', usesLeft: 1_048_570, ready: true },
    { use: 'pin', slot: '1', ksn: 'FFFF9876543211E0FA31', usesLeft: 4_210, ready: true },
    { use: 'mac', ready: false },
  ],
};

const usb: DeviceRow = {
  counter: 'T2',
  address: 'neo2+hid:0ACD:3810',
  link: 'hid',
  driver: 'neo2',
  title: 'ID TECH NEO 2',
  model: 'VP3350',
  serial: '715T012345',
  firmware: 'VP3350 V1.01',
  terminalId: '12345679',
  pairedAt: '2026-11-03 09:00:00',
  lastSeenAt: at - 14_000,
  problems: [],
  busy: true,
  keys: [{ use: 'sred', ready: true }],
};

const awayTerminal: DeviceRow = {
  counter: 'T3',
  address: 'zvt+tcp://192.168.1.20:20007',
  link: 'tcp',
  driver: 'zvt',
  title: 'ZVT terminal',
  model: 'H5000',
  serial: '88001122',
  terminalId: '12345680',
  pairedAt: '2026-11-03 09:10:00',
  problems: ['The port tcp://192.168.1.20:20007 cannot be opened: connect EHOSTUNREACH.'],
};

const candidates: DeviceRow[] = [
  {
    ...{ address: 'mpi+serial:/dev/ttyACM0', link: 'serial', driver: 'mpi', title: 'Miura Shuttle', problems: [] },
    ...{ counter: 'T1', serial: '17-000001', likely: 'known' },
    fits: [{ driver: 'mpi', address: 'mpi+serial:/dev/ttyACM0' }],
  },
  {
    ...{ address: 'mms+hid:0801:2020:B5', link: 'hid', driver: 'mms', title: 'MagTek DynaFlex', problems: [] },
    ...{ serial: 'B5', likely: 'known' },
    fits: [{ driver: 'mms', address: 'mms+hid:0801:2020:B5' }],
  },
  {
    ...{ address: 'zvt+serial:/dev/ttyUSB0', link: 'serial', title: 'FTDI FT232R', problems: [], likely: 'perhaps' },
    fits: [
      { driver: 'zvt', address: 'zvt+serial:/dev/ttyUSB0' },
      { driver: 'mpi', address: 'mpi+serial:/dev/ttyUSB0' },
    ],
  },
];

const row = (n: number, fields: Pick<TraceRow, 'way' | 'hex' | 'says'>): TraceRow => ({
  ...{ n, at: at + n * 137, counter: n > 6 ? 'T2' : 'T1', masked: fields.hex.includes('**') },
  ...fields,
});

const rows: TraceRow[] = [
  row(1, { way: 'toTerminal', hex: '010004D0000000D5', says: [{ text: 'RESET' }] }),
  row(2, { way: 'fromTerminal', hex: '0100029000', says: [{ text: 'DONE' }] }),
  row(3, {
    way: 'toTerminal',
    hex: '01001FDED1000019E0179F02060000000012509F03060000000000005F2A0209789A03261120',
    says: [
      {
        text: 'START TRANSACTION',
        below: [
          { text: 'purchase 12.50 EUR' },
          {
            text: 'E0  Request template',
            below: [
              { text: '9F02  Amount, Authorised (Numeric): 000000001250' },
              { text: '9F03  Amount, Other (Numeric): 000000000000' },
              { text: '5F2A  Transaction Currency Code: 0978' },
              { text: '9A  Transaction Date: 261120' },
            ],
          },
        ],
      },
    ],
  }),
  row(4, {
    way: 'fromTerminal',
    hex: `010046E644DFAE2218${'**'.repeat(24)}DFAE030AFFFF9876543210E000015F3401019F3602001C`,
    says: [
      {
        text: 'ONLINE NEEDED',
        below: [
          { text: 'chip' },
          { text: `DFAE22  Encrypted account data: ${'**'.repeat(24)}` },
          { text: '5F34  Application PAN Sequence Number: 01' },
          { text: '9F36  Application Transaction Counter: 001C' },
        ],
      },
    ],
  }),
  row(5, { way: 'toTerminal', hex: '0100', says: [] }),
  row(6, { way: 'lost', hex: '', says: [{ text: 'the link was lost' }] }),
  row(7, { way: 'toTerminal', hex: '5669564F7465636832001801000018A5', says: [{ text: 'PING' }] }),
];

export type ScriptedDevices = DevicesPort & {
  /** The requests, in order. */
  requests: string[];
  /** Sends a message to the listeners. */
  addTraceRow(fields: Partial<TraceRow> & Pick<TraceRow, 'n'>): void;
  rows: DeviceRow[];
};

/** `broken`: every call with one of these names fails like a till in trouble. */
export const scriptedDevices = (broken: readonly (keyof DevicesPort)[] = []): ScriptedDevices => {
  const requests: string[] = [];
  const listeners = new Set<(row: TraceRow) => void>();
  const steps: PairingStep[] = [
    { step: 'find', says: 'The terminal is connected, and its port is free.' },
    { step: 'talk', says: 'It answers.', hex: ['> 010004D0000000D5', '< 0100029000', `< 01000A${'**'.repeat(10)}`] },
    { step: 'name', says: 'MagTek MMS: DynaFlex, serial number B5, firmware 1.2.' },
    { step: 'test', says: 'It answered all 3 questions, within 4.1 ms.' },
  ];
  const metDevice = {
    ...usb,
    ...{ counter: '', serial: 'B5', model: 'DynaFlex', title: 'MagTek MMS', busy: undefined },
  };
  const service: ScriptedDevices = {
    requests,
    rows: [reader, usb, awayTerminal],
    addTraceRow: (fields) => {
      const base = row(7, { way: 'fromTerminal', hex: '0100029000', says: [{ text: 'DONE' }] });
      for (const listener of listeners) listener({ ...base, ...fields });
    },
    devices: () => service.rows,
    pluggedIn: async () => ({ candidates, problems: [] }),
    async ask(counter) {
      requests.push(`ask ${counter}`);
      return reader;
    },
    search: async () => ({ found: [], silent: [], skipped: [] }),
    async meet({ address, probe }, notify) {
      requests.push(`meet ${address}${probe === true ? ' after a yes' : ''}`);
      if (!address.includes('+') && probe !== true) throw new Fault('terminal.protocolMissing', { address });
      if (address.includes('192.0.2.')) {
        notify({ step: 'find', says: 'The terminal is on the network.' });
        throw new Fault('terminal.notFound', { why: `${address} (mpi: The port cannot be opened)` });
      }
      for (const step of steps) notify(step);
      const { busy: _, counter: __, ...row } = metDevice;
      const asksBank = address.startsWith('zvt+') && { asksBank: true as const };
      return { ...row, address, ...asksBank, echoMs: [3.2, 3.4, 4.1] };
    },
    async pair(request) {
      requests.push(
        `pair ${request.address} ${request.counter} ${request.terminalId}${request.swap ? ' swap' : ''}${request.alone ? ' alone' : ''}`,
      );
      if (request.counter === 'T1' && request.swap !== true)
        throw new Fault('pairing.salesOpen', { terminalId: '12345678', count: 1, receipts: '000417' });
      return { ...reader, counter: request.counter ?? 'T1', restart: 'soon' };
    },
    async unpair(counter) {
      requests.push(`unpair ${counter}`);
      service.rows = service.rows.filter((one) => one.counter !== counter);
    },
    async sayTestHost({ counter, atTestHost }) {
      requests.push(`test host ${counter} ${atTestHost}`);
      service.rows = service.rows.map((one) => (one.counter === counter ? { ...one, atTestHost } : one));
    },
    async useSimulated() {
      requests.push('use simulated');
    },
    async diagnose({ address, probe, echoes }, notify) {
      requests.push(`diagnose ${address} ${echoes}${probe === true ? ' after a yes' : ''}`);
      if (!address.includes('+') && probe !== true) throw new Fault('terminal.protocolMissing', { address });
      for (const check of diagnosis.checks) notify({ check });
      return diagnosis;
    },
    trace(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    traceSoFar: () => rows,
    async testLine(notify) {
      for (const check of line) notify(check);
      return line;
    },
    exportConfiguration: () => ({ name: 'till-12345678-2026-11-20.json', text: '{"file":"x"}' }),
    async planConfiguration(text) {
      if (text.includes('wrong'))
        throw new Malformed([
          { name: 'terminalId', says: 'must be 1 to 32 digits' },
          { name: 'gateway.timeoutMs', says: 'Too small: expected number to be >=1000' },
        ]);
      return {
        restart: true,
        changes: [
          { field: 'merchant.name', before: 'NORDWIND BAKERY', after: 'HAFEN BAKERY', needs: 'pairTerminal' },
          { field: 'gateway.baseUrl', after: 'https://gateway.example/', needs: 'changeGateway' },
          { field: 'keepCardDataDays', before: '30', needs: 'changeLimits' },
        ],
      };
    },
    async importConfiguration(text, _by, permit) {
      const plan = await service.planConfiguration(text);
      requests.push(['import', ...permit(plan.changes)].join(' '));
      return plan;
    },
    undoPlan: () =>
      requests.some((one) => one.startsWith('import'))
        ? {
            restart: true,
            changes: [
              { field: 'merchant.name', before: 'HAFEN BAKERY', after: 'NORDWIND BAKERY', needs: 'pairTerminal' },
            ],
          }
        : undefined,
    async undoConfiguration() {
      requests.push('undo');
      return { restart: true, changes: [] };
    },
    bundlePreview: async () => ({
      sections: [
        { name: 'about', lines: 4, suspects: [], begins: ['made  2026-11-20 13:02:11 UTC', 'system  linux 6.1 x64'] },
        { name: 'configuration', lines: 38, suspects: [], begins: ['{', '  "merchant": {'] },
        { name: 'journal', lines: 100, suspects: [], begins: ['1  2026-11-20 …'] },
        { name: 'log till.log', lines: 812, suspects: ['log till.log (card number, line 12)'], begins: [] },
      ],
    }),
    bundle: async () => ({
      name: 'tillgate-support.txt',
      bytes: Buffer.from('TILLGATE SUPPORT BUNDLE 1\n'),
      leftOut: [],
    }),
    updates: async () => ({
      version: '0.1.0',
      mayInstall: false,
      why: { code: 'updates.fromFolder', says: 'This till was started from its folder.' },
    }),
  };
  const fails = (): never => {
    throw new Fault('journal.unwritable', { why: 'the disk is full' });
  };
  return Object.assign(service, Object.fromEntries(broken.map((name) => [name, fails])));
};
