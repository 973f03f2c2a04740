/** What discovery reports of terminals on a real USB stack. */
import { expect, terminalOf } from '../counter.ts';
import { note, type Scene } from '../tap.ts';
import { type Make, makes } from '../terminals.ts';

const listingScene = (make: Make): Scene => ({
  name: `${make.name}: discovery lists vendor, product, serial number and name`,
  async play() {
    const terminal = terminalOf(make);
    const { usb, fits, place, likely } = await terminal.plugIn(0);
    note(`${place}: ${JSON.stringify(usb)}, ${likely}: ${fits.map(({ address }) => address).join(' or ')}`);
    const { vendorId, productId, product } = make;
    const expected = { vendorId, productId, serial: terminal.serial };
    expect(
      Object.entries(expected).every(([key, value]) => usb?.[key as keyof typeof expected] === value),
      'wrong ids',
    );
    expect(usb?.product === product, `it is called ${usb?.product}`);
    expect(
      fits.some(({ driver }) => driver === make.driver),
      `${make.driver} is not among the drivers`,
    );
  },
});

export const enumeration: readonly Scene[] = Object.values(makes).map(listingScene);
