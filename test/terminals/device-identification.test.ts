/** Identifying a terminal at a place without a named protocol: a yes first, and a question when two answer. */
import { expect, test } from 'vitest';
import { Fault } from '../../src/base/fault.ts';
import { identifyAt } from '../../src/terminals/pairing/device-identification.ts';
import { placeOf } from '../../src/terminals/pairing/devices-pairing.ts';
import { mpiDevice, pluggedTerminals, zvtDevice } from '../support/devices/plugged-terminals.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

test('two protocols that answer at one host are both named, and neither is chosen', async () => {
  const clock = virtualClock();
  const terminals = pluggedTerminals({
    'tcp://10.0.0.7:6543': mpiDevice(clock),
    'tcp://10.0.0.7:20007': zvtDevice(clock),
  });
  const tools = { clock, report: () => {}, open: terminals.open };
  const met = clock.until(identifyAt('10.0.0.7', tools, () => {}));
  await expect(met).rejects.toMatchObject({
    code: 'terminal.several',
    message: expect.stringMatching(/2 terminals.*mpi\+tcp:\/\/10\.0\.0\.7:6543 .*zvt\+tcp:\/\/10\.0\.0\.7:20007 /),
  });
  delete terminals.devices['tcp://10.0.0.7:6543'];
  const one = await clock.until(identifyAt('10.0.0.7', tools, () => {}));
  expect(one).toMatchObject({ address: 'zvt+tcp://10.0.0.7:20007', driver: 'zvt' });
  expect(terminals.left()).toEqual([]);
});

test.each([
  ['10.0.0.7:20007', false, undefined],
  ['10.0.0.7', false, undefined],
  ['com3', false, undefined],
  ['10.0.0.7:20007', true, { place: 'tcp://10.0.0.7:20007', first: 'zvt+tcp://10.0.0.7:20007' }],
  // The protocol is named, or the till's own terminal is there, so no yes is needed.
  ['mpi+serial:com3', false, { place: 'mpi+serial:COM3', first: 'mpi+serial:COM3' }],
  ['10.0.0.9:6543', false, { place: 'mpi+tcp://10.0.0.9:6543', first: 'mpi+tcp://10.0.0.9:6543' }],
  ['\\\\.\\COM7', false, { place: 'zvt+serial:COM7', first: 'zvt+serial:COM7' }],
])('%s, with a yes: %s', (address, probe, meant) => {
  const place = () => placeOf({ address, probe }, ['mpi+tcp://10.0.0.9:6543', 'zvt+serial:COM7']);
  if (meant === undefined) expect(place).toThrow(expect.objectContaining({ code: 'terminal.protocolMissing' }));
  else expect(place()).toMatchObject(meant);
});

test('a step reports what the terminal sent unasked before that step', async () => {
  const clock = virtualClock();
  const terminals = pluggedTerminals({ 'tcp://10.0.0.7:20007': zvtDevice(clock) });
  const open: typeof terminals.open = (address, tools) => {
    tools.report(new Fault('terminal.stray', { bytes: 3 }));
    return terminals.open(address, tools);
  };
  const strays: string[] = [];
  await clock.until(
    identifyAt('zvt+tcp://10.0.0.7:20007', { clock, report: () => {}, open }, (step) =>
      strays.push(...(step.strays ?? [])),
    ),
  );
  expect(strays).toEqual(['The terminal sent an unexpected answer of 3 bytes']);
});
