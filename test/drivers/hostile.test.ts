/**
 * Hostile terminals lie, flood and never end: each is reported by a Fault in time, leaves nothing behind, and another
 * terminal next to it keeps selling.
 */
import { expect, test } from 'vitest';
import { probe } from '../../drivers/discovery.ts';
import type { Driver } from '../../drivers/driver.ts';
import { type Link, reportBytes } from '../../drivers/links/link.ts';
import type { OpenTerminal } from '../../drivers/registry.ts';
import { scriptedCardholder, seededRandom } from '../../drivers/simulation/cardholder.ts';
import { errorText, isFault } from '../../src/base/fault.ts';
import { testCard } from '../../src/emv/test-cards.ts';
import { memoryLinks } from '../support/devices/memory-link.ts';
import { type VirtualClock, virtualClock } from '../support/time/virtual-clock.ts';
import { type Attack, attacks, type Ground, grounds } from './hostile-terminals.ts';
import { injections } from './hostile-words.ts';

const tenMinutesMs = 600_000;

/**
 * The device's end of a link: sends the next portion at this interval, from the first question until the link is lost.
 */
const attackOn = (link: Link, clock: VirtualClock, { attack, everyMs }: { attack: Attack; everyMs: number }) => {
  const reported = { bytes: 0, portions: 0 };
  let isOver = false;
  let hasBegun = false;
  const sendPortion = () => {
    if (isOver) return;
    const portion = attack();
    reported.portions += 1;
    reported.bytes += portion.length;
    const size = link.carries === 'reports' ? reportBytes : portion.length;
    // The link reports its end itself.
    for (let offset = 0; offset < portion.length; offset += size)
      link.write(portion.slice(offset, offset + size)).catch(() => {});
    clock.after(everyMs, sendPortion);
  };
  link.listen({
    bytes() {
      if (!hasBegun) sendPortion();
      hasBegun = true;
    },
    closed() {
      isOver = true;
    },
  });
  return reported;
};

const open = async (driver: Driver, link: Link, clock: VirtualClock): Promise<OpenTerminal> => {
  const tools = { clock, report: () => {} };
  if (driver.kind === 'reader') return { kind: 'reader', terminal: await driver.open(link, tools) };
  return { kind: 'integrated', terminal: await driver.open(link, tools) };
};

const nameOfError = (error: unknown): string => (isFault(error) ? error.code : `not a Fault: ${errorText(error)}`);
const oneOf = /^(terminal\.(garbled|silent|refused|busy|unready)|link\.lost)$/;

test.each(
  attacks.flatMap(([name, setting, attack]) => [1, 250].map((everyMs) => ({ name, setting, attack, everyMs }))),
)('opening, $setting.name: $name, every $everyMs ms', async ({ setting, attack, everyMs }) => {
  const clock = virtualClock();
  const [device, till] = memoryLinks(setting.carries);
  const reported = attackOn(device, clock, { attack, everyMs });
  const startedAt = clock.monotonic();
  const ended = await clock.until(open(setting.driver, till, clock), tenMinutesMs).then(() => 'opened', nameOfError);
  expect(ended).toMatch(oneOf);
  expect(clock.monotonic() - startedAt).toBeLessThan(120_000);
  expect(reported.portions).toBeGreaterThan(0);
  await clock.advance(1_000);
  expect(clock.waiting()).toBe(0);
});

test.each(attacks.map(([name, setting, attack]) => ({ name, setting, attack })))(
  'a probe, $setting.name: $name',
  async ({ setting, attack }) => {
    const clock = virtualClock();
    const [device, till] = memoryLinks(setting.carries);
    attackOn(device, clock, { attack, everyMs: 20 });
    const { driver } = setting;
    const startedAt = clock.monotonic();
    const probing = probe(`${driver.name}+tcp://127.0.0.1:1`, {
      clock,
      report: () => {},
      open: (_, { wrap }) => open(driver, wrap?.(till, driver) ?? till, clock),
    });
    expect(await clock.until(probing, tenMinutesMs).then(() => 'found', nameOfError)).toMatch(oneOf);
    expect(clock.monotonic() - startedAt).toBeLessThanOrEqual(8_100);
    await clock.advance(1_000);
    expect(clock.waiting()).toBe(0);
  },
);

const turning = Object.values(grounds).flatMap((setting) =>
  [2, 5, 9, 12].map((fromCommand) => ({ setting, fromCommand })),
);

test.each(turning)(
  'a diagnosis, $setting.name, of a device that sends garbage from command $fromCommand on',
  async (row) => {
    const { setting, fromCommand } = row;
    const clock = virtualClock();
    const [device, till] = memoryLinks(setting.carries);
    const faults = [{ kind: 'garbage', fromCommand, everyMs: 5 }] as const;
    const simulated = setting.model(device, {
      clock,
      random: seededRandom(9),
      cardholder: scriptedCardholder([]),
      faults,
    });
    const { driver } = setting;
    const startedAt = clock.monotonic();
    const probing = probe(`${driver.name}+tcp://127.0.0.1:1`, {
      clock,
      report: () => {},
      open: (_, { wrap }) => open(driver, wrap?.(till, driver) ?? till, clock),
    });
    const ended = await clock.until(probing, tenMinutesMs).then(({ info }) => `found ${info.model}`, nameOfError);
    expect(ended).toMatch(/^(found \S+|terminal\.(garbled|silent)|link\.lost)/);
    expect(clock.monotonic() - startedAt).toBeLessThanOrEqual(8_100);
    await clock.until(simulated.close());
    expect(clock.waiting()).toBe(0);
  },
);

/** A device that follows its protocol, whose customer never comes; hostile messages are added to its output. */
const isolatedDevice = (setting: Ground, clock: VirtualClock) => {
  const [device, till] = memoryLinks(setting.carries);
  setting.model(device, { clock, random: seededRandom(3), cardholder: scriptedCardholder([]) });
  let say: (bytes: Uint8Array) => void = () => {};
  let isMuted = false;
  const link: Link = {
    name: till.name,
    carries: till.carries,
    write: (bytes) => till.write(bytes),
    close: () => till.close(),
    listen(listener) {
      say = (bytes) => listener.bytes(bytes);
      till.listen({
        bytes(bytes) {
          if (!isMuted) listener.bytes(bytes);
        },
        closed: (fault) => listener.closed(fault),
      });
    },
  };
  return {
    link,
    say: (bytes: Uint8Array) => say(bytes),
    mute() {
      isMuted = true;
    },
  };
};

const allWays = ['chip', 'tap', 'swipe'] as const;

const runCharge = async (device: OpenTerminal, clock: VirtualClock): Promise<string> => {
  const amount = { minor: 1_000n, currency: 'EUR' };
  if (device.kind === 'integrated') {
    return (await device.terminal.pay({ amount, withinMs: 30_000 }, () => {})).kind;
  }
  const request = { amount, kind: 'purchase', at: clock.now(), accept: allWays, withinMs: 30_000 } as const;
  const read = await device.terminal.read(request, () => {});
  return read.kind === 'notRead' ? `notRead: ${read.why}` : read.kind;
};

test.each(injections)(
  'selling, $setting.name: $name',
  async ({ setting, hex, times = 1, everyMs = 0, ends, isMuted: silenced }) => {
    const clock = virtualClock();
    const { link, say, mute } = isolatedDevice(setting, clock);
    const device = await clock.until(open(setting.driver, link, clock));
    const selling = runCharge(device, clock).catch(nameOfError);
    let isOver = false;
    void selling.then(() => {
      isOver = true;
    });
    await clock.advance(200);
    if (silenced) mute();
    const portions = hex.split(' ').map((each) => setting.frame(each));
    let left = times;
    const inject = () => {
      for (; left > 0 && !isOver; left -= 1) {
        say(portions[left % portions.length] ?? new Uint8Array(0));
        if (everyMs > 0) {
          left -= 1;
          clock.after(everyMs, inject);
          return;
        }
      }
    };
    inject();
    const ended = await clock.until(selling, tenMinutesMs);
    expect(ended).toMatch(ends);
    expect(ended).not.toMatch(/^(approved|goOnline|approvedOffline)/);
    await clock.until(device.terminal.close());
  },
);

test.each(attacks.filter((_, index) => index % 3 === 0).map(([name, setting, attack]) => ({ name, setting, attack })))(
  'next to $setting.name: $name, another terminal keeps selling',
  async ({ setting, attack }) => {
    const clock = virtualClock();
    const [device, till] = memoryLinks(setting.carries);
    attackOn(device, clock, { attack, everyMs: 1 });
    const [goodDevice, goodTill] = memoryLinks();
    const card = testCard('visa-stripe');
    const cardholder = scriptedCardholder(Array.from({ length: 3 }, () => ({ card, by: 'swipe' as const })));
    grounds.mpi.model(goodDevice, { clock, random: seededRandom(5), cardholder });
    const trySale = async () => {
      const device = await open(grounds.mpi.driver, goodTill, clock);
      const kinds: string[] = [];
      for (let sale = 0; sale < 3; sale += 1) {
        kinds.push(await runCharge(device, clock));
        if (device.kind === 'reader') await device.terminal.complete({ kind: 'approved' });
      }
      await device.terminal.close();
      return kinds;
    };
    const attacked = open(setting.driver, till, clock).then(() => 'opened', nameOfError);
    const [kinds, ended] = await clock.until(Promise.all([trySale(), attacked]), tenMinutesMs);
    expect(kinds).toEqual(['goOnline', 'goOnline', 'goOnline']);
    expect(ended).toMatch(oneOf);
  },
);
