/** Terminals at another port than before, beside others, or in use by another program. */

import { candidatesOf, probeAll } from '../../../../../drivers/discovery.ts';
import { listPluggedDevices } from '../../../../../drivers/links/plugged.ts';
import { systemClock } from '../../../../../src/base/clock.ts';
import { errorText } from '../../../../../src/base/fault.ts';
import { counter, expect, open, terminalOf } from '../counter.ts';
import { note, type Scene } from '../tap.ts';
import { type Make, makes } from '../terminals.ts';

const all: readonly Make[] = Object.values(makes);

const allAtOnce: Scene = {
  name: 'all terminals at once: the search finds the driver of each',
  async play() {
    const terminals = all.map((make) => terminalOf(make));
    for (const [port, terminal] of terminals.entries()) await terminal.plugIn(port);
    const candidates = candidatesOf((await listPluggedDevices()).devices).filter(({ likely }) => likely !== 'unlikely');
    const probed = await probeAll(candidates, { clock: systemClock, report: () => {} });
    for (const {
      candidate,
      found: [found],
      tried,
    } of probed) {
      for (const { address, why } of tried) note(`${address}: ${errorText(why)}`);
      note(`${candidate.place}: ${found ? `${found.title}, ${found.info.model} ${found.info.serial}` : 'nothing'}`);
    }
    for (const { make, serial } of terminals) {
      const found = probed.find(({ candidate }) => candidate.usb?.serial === serial)?.found[0];
      expect(found?.driver === make.driver, `${make.name} is taken for ${found?.driver ?? 'nothing'}`);
    }
  },
};

const renumbered: Scene = {
  name: 'a serial terminal that returns as another ttyACM is found by its serial number, not its neighbour',
  async play() {
    const { terminal, shop } = await counter(makes.mpi);
    terminal.present({ card: 'mastercard-tap', by: 'tap' });
    expect((await shop.sell('1.00')).sale.ending === 'approved', 'the first sale is not approved');
    const oldAddress = await terminal.address();
    terminal.unplug();
    await terminal.waitUntilGone();
    const neighbour = terminalOf(makes.mpi);
    await neighbour.plugIn(1);
    expect((await neighbour.address()) === oldAddress, 'the neighbour did not take the port');
    await terminal.plugIn(2);
    const newAddress = await terminal.address();
    note(`was ${oldAddress}, is ${newAddress}`);
    expect(newAddress !== oldAddress, 'it has its old port');
    expect((await shop.findAgain()) === newAddress, 'it was not found by its serial number');
    terminal.present({ card: 'mastercard-tap', by: 'tap' });
    const { sale } = await shop.sell('2.00');
    expect(sale.ending === 'approved', `the sale at the other port is ${sale.ending}`);
    await shop.account();
  },
};

const besideItsLike: Scene = {
  name: 'with two HID terminals of one make each till sells on its own, whichever port it is at',
  async play() {
    const one = await counter(makes.mms, 0);
    const second = await counter(makes.mms, 1);
    for (const { terminal } of [one, second]) terminal.unplug();
    for (const { terminal } of [one, second]) await terminal.waitUntilGone();
    await second.terminal.plugIn(3);
    await one.terminal.plugIn(4);
    one.terminal.present({ card: 'visa-credit', by: 'chip' });
    second.terminal.present({ card: 'visa-poor', by: 'chip' });
    const ends = await Promise.all([one.shop.sell('20.00'), second.shop.sell('64.00')]);
    const reasons = ends.map(({ sale }) => sale.reason);
    expect(reasons.join() === 'approved,declinedByHost', `the sales ended ${reasons.join(' and ')}`);
    await one.shop.account();
    await second.shop.account();
  },
};

const oneOfTwo: Scene = {
  name: 'two terminals sell at once; one is pulled, and the other is not affected',
  async play() {
    const hid = await counter(makes.neo2, 0);
    const serial = await counter(makes.mpi, 1);
    hid.terminal.present({ card: 'visa-credit', by: 'chip' });
    serial.terminal.present({ card: 'visa-credit', by: 'chip' });
    const [first, second] = await Promise.all([
      hid.shop.sell('10.00', { at: 'enterPin', act: () => hid.terminal.unplug() }),
      serial.shop.sell('20.00'),
    ]);
    expect(first.sale.ending === 'notSent', `the pulled one is ${first.sale.ending}`);
    expect(second.sale.ending === 'approved', `the other one is ${second.sale.ending}`);
    await hid.shop.account();
    await serial.shop.account();
  },
};

/** A user without rights, on Debian as elsewhere. */
const unprivilegedUid = 65_534;

const refused = (make: Make): Scene => ({
  name: `${make.name}: without the right to use it, or while it is in use, the message says what to do`,
  async play() {
    const terminal = terminalOf(make);
    await terminal.plugIn(0);
    const address = await terminal.address();
    const stranger = await open(address, { uid: unprivilegedUid });
    note(`as nobody: ${stranger.says}`);
    expect(/may not use it; install the rule/.test(stranger.says), 'nobody is not told of the rule');
    const holder = await open(address);
    expect(holder.says === 'open', `it does not open: ${holder.says}`);
    const second = await open(address);
    note(`while it is taken: ${second.says}`);
    expect(second.says.includes(`(process ${holder.pid}) holds it`), 'the holder is not named');
    for (const process of [stranger, holder, second]) await process.end();
  },
});

export const anyPort: readonly Scene[] = [
  allAtOnce,
  renumbered,
  besideItsLike,
  oneOfTwo,
  refused(makes.mpi),
  refused(makes.mms),
];
