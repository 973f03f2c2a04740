/** A pair of ends for every kind of link, for their common contract. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHid } from '../../drivers/links/hid.ts';
import type { Link } from '../../drivers/links/link.ts';
import { openPty } from '../../drivers/links/pty.ts';
import { openSerial } from '../../drivers/links/serial.ts';
import { listenTcp, openTcp } from '../../drivers/links/tcp.ts';
import { type Clock, systemClock as clock } from '../../src/base/clock.ts';
import { systemIds } from '../../src/base/ids.ts';
import { dynaFlex, fakeHid } from '../drivers/links/fake-hid.ts';
import { memoryLinks } from '../support/devices/memory-link.ts';
import { isWindows } from '../support/platform/platform.ts';

export type LinkPair = { till: Link; device: Link; done(): Promise<void> };

/** Whether the till learns at once that the device's end was closed: a pseudo terminal only reports a hang-up. */
export const linkKinds: Readonly<Record<string, () => Promise<LinkPair>>> = {
  memory: async () => {
    const [till, device] = memoryLinks();
    return { till, device, done: async () => {} };
  },
  'memory of reports': async () => {
    const [till, device] = memoryLinks('reports');
    return { till, device, done: async () => {} };
  },
  'hid without report ids': () => hidPair(false),
  'hid with report ids': () => hidPair(true),
  tcp: async () => {
    let give: (link: Link) => void = () => {};
    const accepted = new Promise<Link>((resolve) => {
      give = resolve;
    });
    const server = await listenTcp({ port: 0, clock, accept: (link) => give(link) });
    const till = await openTcp({ host: '127.0.0.1', port: server.port, clock });
    return { till, device: await accepted, done: server.close };
  },
  ...(isWindows ? {} : { 'serial over a pty': () => ptyPair() }),
};

const ptyPair = async (): Promise<LinkPair> => {
  const { link: device, path } = openPty({ at: join(tmpdir(), `pty-${systemIds.next()}`) });
  const till = await openSerial({ path, clock: fastClock });
  return { till, device, done: async () => {} };
};

/** A serial port is checked every second; here more often, so that a lost one is noticed soon. */
const fastClock: Clock = { ...clock, after: (ms, action) => clock.after(ms === 1_000 ? 20 : ms, action) };

const hidPair = async (reportIds: boolean): Promise<LinkPair> => {
  const system = fakeHid({ plugged: [dynaFlex], reportIds });
  const till = await openHid({ vendorId: 0x0801, productId: 0x2020, reportIds, clock, system });
  return { till, device: system.device(), done: async () => {} };
};
