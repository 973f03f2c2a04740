/** MagTek's MMS terminals: the till's terminal interface over the MMS protocol, by USB HID or SLIP. */
import { Fault } from '../../../src/base/fault.ts';
import type { ReaderDriver } from '../../driver.ts';
import { openReader, type ReaderActions } from '../../reader-terminal.ts';
import { type HostVerdict, type TerminalInfo, withPinPad } from '../../terminal.ts';
import { texts } from '../protocol/commands.ts';
import { mmsEar } from '../protocol/dialect-detection.ts';
import { mmsNarrator } from '../protocol/narrator.ts';
import { mmsScribe } from '../protocol/trace.ts';
import { complete, giveUp } from './complete.ts';
import { MmsDevice } from './device.ts';
import { healthOf, keysOf, unreadyWhy } from './keys.ts';
import { read } from './read.ts';
import { MmsReading, promptTexts } from './reading.ts';

const vendorId = 0x0801;

export const mms: ReaderDriver = {
  kind: 'reader',
  name: 'mms',
  title: 'MagTek MMS',
  // Products 2021 and 2022 are boot loaders: no terminals.
  usb: [
    { vendorId, productId: 0x2020, name: 'MagTek DynaFlex', by: 'hid' },
    { vendorId, productId: 0x2023, name: 'MagTek DynaProx', by: 'hid' },
    { vendorId, productId: 0x2024, name: 'MagTek DynaFlex II Go', by: 'hid' },
  ],
  serial: { baudRate: 115_200, stopBits: 1 },
  hid: { reportIds: false },
  scribe: mmsScribe,
  narrator: mmsNarrator,
  ear: mmsEar,
  open: (link, tools) => openReader(new MmsDevice(link, tools), greet),
};

const greet = async (device: MmsDevice): Promise<ReaderActions<MmsReading>> => readerOf(device, await hello(device));

/** Proves that the device hears, ends what it may still be doing, and asks what it is. */
const hello = async (device: MmsDevice): Promise<TerminalInfo> => {
  await device.echo();
  await device.cancel();
  // A device that restarted says so again and again until it hears this.
  await device.set('resetSeen', 1);
  // Somebody before may have unsubscribed; without any list all notifications are meant.
  await device.ask('subscribe', {});
  const info = {
    model: (await device.property('model')) ?? 'MagTek',
    serial: (await device.property('serial')) ?? '',
    firmware: (await device.property('firmware')) ?? '',
  };
  device.greeted();
  // The greeting asks for no keys: of an unknown model nothing is known.
  return withPinPad(info, false);
};

const readerOf = (device: MmsDevice, info: TerminalInfo): ReaderActions<MmsReading> => ({
  info,
  keys: () => keysOf(device),
  health: () => healthOf(device),
  echo: () => device.echo(),
  say: (prompt) => device.show(promptTexts[prompt]),
  reading: (request, tell) => new MmsReading(device, request, tell),
  async read(reading) {
    const why = await unreadyWhy(device);
    if (why !== undefined) throw new Fault('terminal.unready', { why });
    const { outcome, asked } = await read(reading);
    if (asked === undefined) return { outcome };
    const at = { asked, chip: outcome.kind === 'goOnline' && outcome.card.entryMode === 'ICC' };
    const waiting = {
      complete: (verdict: HostVerdict) => complete(device, verdict, at),
      drop: () => giveUp(device, asked.serial),
    };
    return { outcome, waiting };
  },
  async removed(withinMs) {
    const { events, tools } = device;
    if (!events.present()) return true;
    if (!events.running()) await device.show(texts.removeCard);
    const until = tools.clock.monotonic() + withinMs;
    while (events.present()) {
      // Events of a transaction that waits for the host are not taken away here.
      if (!(await device.changed(until))) return !events.present();
    }
    return true;
  },
  // The host's word is on its way to the card, which has the last say.
  stop: () => device.cancel(),
  calm: () => giveUp(device, undefined),
});
