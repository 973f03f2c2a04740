/** MagTek's MMS terminals: the till's terminal interface over the MMS protocol, by USB HID or SLIP. */
import { Fault } from '../../../src/base/fault.ts';
import type { ReaderDriver } from '../../driver.ts';
import { noCardRead, ReaderCalls } from '../../long-calls.ts';
import {
  type ChipVerdict,
  type HostVerdict,
  type KeyState,
  type Prompt,
  type ReadOutcome,
  type ReadRequest,
  type Terminal,
  type TerminalEvent,
  type TerminalHealth,
  type TerminalInfo,
  withPinPad,
} from '../../terminal.ts';
import type { MmsBlock } from '../protocol/card-data.ts';
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
  async open(link, tools) {
    const device = new MmsDevice(link, tools);
    try {
      return new MmsTerminal(device, await hello(device));
    } catch (error) {
      await device.close();
      throw error;
    }
  },
};

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

class MmsTerminal implements Terminal {
  readonly #device: MmsDevice;
  readonly #calls: ReaderCalls;
  readonly #info: TerminalInfo;
  #reading: MmsReading | undefined;
  /** What the last read left behind: a card that waits for the host's word, one without a say, or nothing. */
  #left: { asked: MmsBlock; chip: boolean } | 'card' | undefined;

  constructor(device: MmsDevice, info: TerminalInfo) {
    this.#device = device;
    this.#calls = new ReaderCalls(device, {
      calm: () => giveUp(device, undefined),
      after: ['terminal.refused', 'terminal.unready', 'terminal.busy'],
    });
    this.#info = info;
  }

  async info(): Promise<TerminalInfo> {
    return this.#info;
  }

  async keys(): Promise<readonly KeyState[]> {
    this.#calls.idle();
    return keysOf(this.#device);
  }

  async health(): Promise<TerminalHealth> {
    this.#calls.idle();
    return healthOf(this.#device);
  }

  async read(request: ReadRequest, tell: (event: TerminalEvent) => void): Promise<ReadOutcome> {
    this.#calls.idle();
    const reading = new MmsReading(this.#device, request, tell);
    return this.#calls.during('read', async () => {
      this.#reading = reading;
      try {
        await this.#drop();
        const why = await unreadyWhy(this.#device);
        if (why !== undefined) throw new Fault('terminal.unready', { why });
        const { outcome, asked } = await read(reading);
        const chip = outcome.kind === 'goOnline' && outcome.card.entryMode === 'ICC';
        this.#left = asked === undefined ? (outcome.kind === 'notRead' ? undefined : 'card') : { asked, chip };
        return outcome;
      } finally {
        this.#reading = undefined;
      }
    });
  }

  async complete(verdict: HostVerdict): Promise<ChipVerdict> {
    this.#calls.idle();
    const left = this.#left;
    this.#left = undefined;
    if (left === 'card') return { kind: 'none' };
    if (left === undefined) throw noCardRead();
    return this.#calls.during('complete', () => complete(this.#device, verdict, left));
  }

  async cancel(): Promise<void> {
    if (this.#reading !== undefined) return this.#reading.stop('cancelledByTill');
    // The host's word is on its way to the card, which has the last say.
    if (this.#calls.running() === 'complete') {
      await this.#device.cancel();
      return;
    }
    await this.#drop();
  }

  async say(prompt: Prompt): Promise<void> {
    this.#calls.idle();
    await this.#device.show(promptTexts[prompt]);
  }

  async echo(): Promise<void> {
    this.#calls.idle();
    await this.#device.echo();
  }

  async removed(withinMs: number): Promise<boolean> {
    this.#calls.idle();
    const { events, tools } = this.#device;
    if (!events.present()) return true;
    return this.#calls.during('removed', async () => {
      if (!events.running()) await this.#device.show(texts.removeCard);
      const until = tools.clock.monotonic() + withinMs;
      while (events.present()) {
        // Events of a transaction that waits for the host are not taken away here.
        if (!(await this.#device.changed(until))) return !events.present();
      }
      return true;
    });
  }

  close(): Promise<void> {
    return this.#device.close();
  }

  /** Gives up the card that waits for the host's word, if one does. */
  async #drop(): Promise<void> {
    const left = this.#left;
    this.#left = undefined;
    if (left !== undefined && left !== 'card') await giveUp(this.#device, left.asked.serial);
  }
}
