/**
 * The technician's day over the local API with a simulated terminal: each answer, line and event matches the contract.
 */
import { afterEach, expect, test } from 'vitest';
import { openEvents } from '../../src/app/events.ts';
import { apiClient } from '../support/api/api-client.ts';
import { type DevicesRig, devicesRig } from '../terminals/devices-rig.ts';

let rig: DevicesRig | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

const openClient = ({ service }: DevicesRig) => {
  const events = openEvents(() => {});
  const { ask, open } = apiClient({ devices: service, events }, { role: 'technician' });
  return {
    ...{ events, open },
    async ask(method: string, path: string, body?: unknown) {
      const { ok, received } = await ask(method, path, body);
      expect(ok, `${method} ${path}: ${JSON.stringify(received)}`).toBe(true);
      return received as Record<string, unknown>[];
    },
  };
};

test('a terminal is identified, paired, queried, diagnosed, traced, moved and removed', async () => {
  rig = await devicesRig('mpi', { paired: false });
  const { address } = rig;
  const { ask } = openClient(rig);
  const device = await ask('POST', '/devices/meet', { address });
  expect(device.slice(0, -1).map(({ step }) => (step as { step: string }).step)).toEqual([
    'find',
    'talk',
    'name',
    'test',
  ]);
  expect(device.at(-1)).toMatchObject({ result: { address, echoMs: expect.any(Array) } });
  expect((await ask('POST', '/devices/meet', { address: 'mpi+tcp://127.0.0.1:1' })).at(-1)).toMatchObject({
    problem: { code: 'terminal.notFound' },
  });
  expect(await ask('POST', '/devices', { address, terminalId: '70001234' })).toMatchObject([{ counter: 'T1' }]);
  expect(await ask('GET', '/devices')).toMatchObject([[{ counter: 'T1', address }]]);
  await ask('GET', '/devices/plugged');
  await ask('POST', '/devices/T1/ask');
  const checks = await ask('POST', '/devices/diagnosis', { address, echoes: 3 });
  expect(checks.at(-1)).toMatchObject({ result: { address, loopback: { lost: 0 } } });
  expect((await ask('POST', '/line/test')).at(-1)).toMatchObject({ result: expect.any(Array) });
  await ask('GET', '/trace');
  await ask('GET', '/bundle');
  await ask('POST', '/bundle');
  await ask('GET', '/updates');
  await ask('DELETE', '/devices/T1');
});

test('a configuration is saved, planned, imported and undone', async () => {
  rig = await devicesRig('mpi');
  const { ask, open } = openClient(rig);
  const text = await (await open('GET', '/configuration')).text();
  const { configuration } = JSON.parse(text);
  const merchant = { ...configuration.merchant, name: 'Another shop' };
  const changedText = JSON.stringify({ ...configuration, merchant });
  expect(await ask('POST', '/configuration/plan', { text: changedText })).toMatchObject([
    { changes: [{ field: 'merchant.name', after: 'Another shop' }] },
  ]);
  await ask('GET', '/configuration/undo');
  await ask('PUT', '/configuration', { text: changedText });
  expect(await ask('GET', '/configuration/undo')).toMatchObject([{ plan: { changes: [{ field: 'merchant.name' }] } }]);
  await ask('POST', '/configuration/undo');
});

/** The first event of a stream that is not a heartbeat. */
const firstEvent = async (answer: Response): Promise<unknown> => {
  const reader = answer.body?.getReader();
  for (let text = ''; ; ) {
    text += new TextDecoder().decode((await reader?.read())?.value);
    const data = /^data: (.*)$/m.exec(text)?.[1];
    if (data === undefined) continue;
    await reader?.cancel();
    return JSON.parse(data);
  }
};

test('changes and trace messages are sent as the contract says', async () => {
  rig = await devicesRig('mpi');
  const { ask, open, events } = openClient(rig);
  const [stream, wire] = [await open('GET', '/events'), await open('GET', '/trace/live')];
  events.tell({ on: 'changed', what: 'devices' });
  const changed = await firstEvent(stream);
  expect(changed).toEqual({ on: 'changed', what: 'devices', replays: false, mode: 'test' });
  const row = firstEvent(wire);
  await ask('POST', '/devices/T1/ask');
  expect(await row).toMatchObject({ counter: 'T1', masked: expect.any(Boolean) });
});
