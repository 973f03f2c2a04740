import { expect, test } from 'vitest';
import { seededRandom } from '../../../drivers/simulation/cardholder.ts';
import { type Faults, Outlet } from '../../../drivers/simulation/faults.ts';
import { toHex } from '../../../src/base/hex.ts';
import { memoryLinks } from '../../support/devices/memory-link.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';

/** A device that answers AA01, AA02 … to each command, and what the other end receives, portion by portion. */
const play = (faults: Faults) => {
  const [device, host] = memoryLinks();
  const clock = virtualClock();
  const received: string[] = [];
  const lost: string[] = [];
  host.listen({ bytes: (bytes) => received.push(toHex(bytes)), closed: () => received.push('closed') });
  const spoiler = {
    spoil: (message: Uint8Array) => message.map((byte, index) => (index === message.length - 1 ? byte ^ 0xff : byte)),
    unsolicited: () => Uint8Array.of(0xee),
    unknown: () => Uint8Array.of(0xdd),
  };
  const out = new Outlet({
    link: device,
    faults,
    clock,
    random: seededRandom(1),
    spoiler,
    onLost: (reason) => lost.push(reason),
    restart: () => out.send(Uint8Array.of(0xb0), { answers: false }),
  });
  let count = 0;
  const command = async (asksHost = false) => {
    count += 1;
    if (out.noteCommand() === 'command') out.send(Uint8Array.of(0xaa, count), { answers: true, asksHost });
    await clock.settle();
  };
  return { clock, received, lost, out, command };
};

test.each<[string, Faults, string[]]>([
  ['no fault', [], ['AA01', 'AA02', 'AA03']],
  ['silence', [{ kind: 'silence', atCommand: 2 }], ['AA01', 'AA03']],
  ['split everything', [{ kind: 'split' }], ['AA', '01', 'AA', '02', 'AA', '03']],
  ['split one', [{ kind: 'split', atMessage: 2 }], ['AA01', 'AA', '02', 'AA03']],
  ['merge', [{ kind: 'merge', atMessage: 1 }], ['AA01AA02', 'AA03']],
  ['wrong checksum', [{ kind: 'wrongChecksum', atMessage: 2 }], ['AA01', 'AAFD', 'AA03']],
  ['duplicate', [{ kind: 'duplicate', atMessage: 2 }], ['AA01', 'AA02AA02', 'AA03']],
  ['unsolicited between', [{ kind: 'unsolicited', atCommand: 2 }], ['AA01', 'EE', 'AA02', 'AA03']],
  ['unknown message between', [{ kind: 'unknownMessage', atCommand: 2 }], ['AA01', 'DD', 'AA02', 'AA03']],
  ['restart', [{ kind: 'reset', atCommand: 2 }], ['AA01', 'B0', 'AA03']],
  [
    'repeats of a message that does not ask for the host',
    [{ kind: 'repeatedRequest', times: 2 }],
    ['AA01', 'AA02', 'AA03'],
  ],
  ['stale bytes', [{ kind: 'staleBytes', bytes: Uint8Array.of(1, 2, 3) }], ['010203', 'AA01', 'AA02', 'AA03']],
  ['drop before', [{ kind: 'linkDrop', atMessage: 2, when: 'before' }], ['AA01', 'closed']],
  ['drop midway', [{ kind: 'linkDrop', atMessage: 2, when: 'midway' }], ['AA01', 'AA', 'closed']],
  ['drop after', [{ kind: 'linkDrop', atMessage: 2, when: 'after' }], ['AA01', 'AA02', 'closed']],
])('%s', async (_, faults, expected) => {
  const { command, received, lost } = play(faults);
  for (let index = 0; index < 3; index += 1) await command();
  expect(received).toEqual(expected);
  expect(lost.length).toBe(expected.includes('closed') ? 1 : 0);
});

test('garbage continues until the device is switched off', async () => {
  const { command, received, clock, out } = play([{ kind: 'garbage', fromCommand: 2, everyMs: 100 }]);
  await command();
  await command();
  await command();
  await clock.advance(1_000);
  expect(received[0]).toBe('AA01');
  expect(received.slice(1).every((portion) => portion.length === 32)).toBe(true);
  expect(received.length).toBe(12);
  expect(new Set(received).size).toBe(12);
  await out.close();
  expect(clock.waiting()).toBe(0);
});

test('late answers add up', () => {
  const { out } = play([
    { kind: 'lateAnswer', afterMs: 300 },
    { kind: 'lateAnswer', afterMs: 50 },
  ]);
  expect(out.lateMs()).toBe(350);
});

test('the request for the host is repeated as often as configured', async () => {
  const { command, received } = play([{ kind: 'repeatedRequest', times: 2 }]);
  await command();
  await command(true);
  expect(received).toEqual(['AA01', 'AA02', 'AA02', 'AA02']);
});

test('a device that cannot restart falls silent instead', async () => {
  const [device, host] = memoryLinks();
  const received: string[] = [];
  host.listen({ bytes: (bytes) => received.push(toHex(bytes)), closed: () => {} });
  const spoiler = { spoil: (message: Uint8Array) => message, unsolicited: () => new Uint8Array(0) };
  const clock = virtualClock();
  const faults: Faults = [
    { kind: 'reset', atCommand: 1 },
    { kind: 'unknownMessage', atCommand: 2 },
  ];
  const out = new Outlet({ link: device, faults, clock, random: seededRandom(1), spoiler, onLost: () => {} });
  for (const byte of [1, 2]) {
    expect(out.noteCommand()).toBe('command');
    out.send(Uint8Array.of(byte), { answers: true });
  }
  await clock.settle();
  expect(received).toEqual(['02']);
});
