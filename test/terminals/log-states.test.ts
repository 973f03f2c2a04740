/** The technician's log: each line names its counter, and a lasting fault is logged once, however often it recurs. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Fault } from '../../src/base/fault.ts';
import { openLogStates } from '../../src/terminals/log-states.ts';
import { anna, counterRig, eur, type Rig } from '../selling/counter-rig.ts';

const log = () => {
  const lines: string[] = [];
  const states = openLogStates((error, counter) => {
    lines.push(`${counter ?? '-'} ${error instanceof Fault ? error.code : String(error)}`);
  });
  return { lines, ...states };
};

const awayFault = (): Fault => new Fault('link.unavailable', { port: 'COM3', why: 'as told' });
const downFault = (): Fault => new Fault('host.silent', { why: 'as told' });

test('a disconnected terminal is logged once for each fault, and once when it is back', () => {
  const { lines, report, isThere } = log();
  for (let n = 0; n < 5; n++) report(awayFault(), 'T1');
  report(new Fault('terminal.silent', { command: 'info', ms: n(3) }), 'T1');
  report(awayFault(), 'T2');
  isThere('terminal', 'T1');
  isThere('terminal', 'T1');
  report(awayFault(), 'T1');
  expect(lines).toEqual([
    'T1 link.unavailable',
    'T1 terminal.silent',
    'T2 link.unavailable',
    'T1 The terminal answers again; the same trouble was met 4 more times.',
    'T1 link.unavailable',
  ]);
});

const n = (of: number): number => of;

test('the gateway is logged once too, wherever it was missed; other errors are logged each time', () => {
  const { lines, report, isThere } = log();
  for (const counter of ['T1', 'T2', undefined]) report(downFault(), counter);
  for (let times = 0; times < 2; times++) report(new Fault('terminal.stray', { bytes: 7 }), 'T1');
  report(new Error('a bug'));
  isThere('gateway');
  report(downFault());
  expect(lines).toEqual([
    'T1 host.silent',
    'T1 terminal.stray',
    'T1 terminal.stray',
    '- Error: a bug',
    '- The gateway answers again; the same trouble was met 2 more times.',
    '- host.silent',
  ]);
});

let rig: Rig | undefined;
beforeEach(() => {
  rig = undefined;
});
afterEach(() => rig?.remove());

test('ten sales at a disconnected terminal leave two lines in the log: disconnected, and back', async () => {
  rig = counterRig();
  const { clock, twin } = rig;
  let isAway = false;
  const open = await rig.open({
    around: {
      terminals: () => ({
        get: async () => (isAway ? Promise.reject(awayFault()) : twin('')),
        drop: async () => {},
      }),
    },
  });
  const sell = async (key: string) =>
    open.ended(await open.service.begin({ operation: 'sale', amount: eur('5.00') }, anna, key));
  await sell('key-00000');
  isAway = true;
  for (let times = 1; times <= 10; times++) await sell(`key-${String(times).padStart(5, '0')}`);
  await clock.advance(60_000);
  isAway = false;
  await sell('key-00011');
  expect(open.reported.map((one) => (one instanceof Fault ? one.code : one))).toEqual([
    'link.unavailable',
    expect.stringMatching(/^The terminal answers again/),
  ]);
  await open.close();
});
