/** Miura's MPI terminals: the till's terminal interface over the MPI protocol. */
import { Fault, isFault } from '../../src/base/fault.ts';
import type {
  ChipVerdict,
  Driver,
  Health,
  HostVerdict,
  KeyState,
  Prompt,
  ReadOutcome,
  ReadRequest,
  Terminal,
  TerminalEvent,
  TerminalInfo,
} from '../terminal.ts';
import type { Keys, ResetAnswer } from './commands.ts';
import { complete } from './complete.ts';
import { MpiDevice } from './device.ts';
import { promptTexts } from './prompts.ts';
import { read } from './read.ts';
import { Reading } from './reading.ts';

/** Below this a terminal without its charger may not last the day. */
const batteryLowPercent = 10;

export const mpi: Driver = {
  name: 'mpi',
  async open(link, tools) {
    const device = new MpiDevice(link, tools);
    try {
      const info = infoOf(await device.need('reset', {}));
      const keys = await device.need('keys', {});
      return new MpiTerminal(device, info, keys);
    } catch (error) {
      await device.close();
      throw error;
    }
  },
};

/** The programs are named after the model: M020-OS, M020-MPI. */
const infoOf = ({ serial, parts }: ResetAnswer): TerminalInfo => {
  const program = parts.find(({ name }) => name.includes('MPI')) ?? parts[0];
  return {
    model: /^[A-Z]+\d+/.exec(program?.name ?? '')?.[0] ?? 'Miura',
    serial: serial.trim(),
    firmware: program?.version ?? '',
  };
};

/** What the last read left behind: a chip that waits for the host's word, a card without a say, or nothing. */
type Left = 'chip' | 'card' | 'nothing';

class MpiTerminal implements Terminal {
  readonly #device: MpiDevice;
  readonly #info: TerminalInfo;
  #keys: Keys;
  #reading: Reading | undefined;
  #doing: 'read' | 'complete' | 'removed' | undefined;
  #left: Left = 'nothing';

  constructor(device: MpiDevice, info: TerminalInfo, keys: Keys) {
    this.#device = device;
    this.#info = info;
    this.#keys = keys;
  }

  async info(): Promise<TerminalInfo> {
    return this.#info;
  }

  async keys(): Promise<readonly KeyState[]> {
    this.#idle();
    this.#keys = await this.#device.need('keys', {});
    const { ready, sred, pin } = this.#keys;
    return [
      { use: 'sred', ready: ready && sred },
      { use: 'pin', ready: ready && pin },
    ];
  }

  async health(): Promise<Health> {
    this.#idle();
    const { percent, charging = 0 } = await this.#device.need('battery', {});
    const { ready, sred, pin } = await this.#device.need('keys', {});
    const problems = [
      ...(percent < batteryLowPercent && charging === 0 ? [`The battery is at ${percent} %`] : []),
      ...(ready ? [] : ['The terminal says that it is not ready']),
      ...(sred ? [] : ['There is no key for card data']),
      ...(pin ? [] : ['There is no key for PINs']),
    ];
    return { ok: problems.length === 0, problems, batteryPercent: percent };
  }

  async read(request: ReadRequest, tell: (event: TerminalEvent) => void): Promise<ReadOutcome> {
    this.#idle();
    if (!this.#keys.ready || !this.#keys.sred)
      throw new Fault('terminal.unready', { why: 'it has no key for card data' });
    const reading = new Reading(this.#device, this.#keys, { request, tell });
    return this.#during('read', async () => {
      this.#reading = reading;
      try {
        if (this.#left === 'chip') await this.#device.abort();
        this.#left = 'nothing';
        const outcome = await read(reading);
        const isChip = outcome.kind === 'goOnline' && outcome.card.entryMode === 'ICC';
        this.#left = isChip ? 'chip' : outcome.kind === 'notRead' ? 'nothing' : 'card';
        return outcome;
      } finally {
        this.#reading = undefined;
      }
    });
  }

  async complete(verdict: HostVerdict): Promise<ChipVerdict> {
    this.#idle();
    const left = this.#left;
    this.#left = 'nothing';
    if (left === 'card') return { kind: 'none' };
    if (left === 'nothing') {
      throw new Fault('terminal.refused', { command: 'complete', status: '-', why: 'no card was read' });
    }
    return this.#during('complete', () => complete(this.#device, verdict));
  }

  async cancel(): Promise<void> {
    if (this.#reading !== undefined) return this.#reading.stop('cancelledByTill');
    if (this.#left !== 'chip' && !this.#device.waits()) return;
    this.#left = 'nothing';
    await this.#device.abort();
  }

  async say(prompt: Prompt): Promise<void> {
    this.#idle();
    await this.#device.need('display', { text: promptTexts[prompt] });
  }

  async removed(withinMs: number): Promise<boolean> {
    this.#idle();
    const { slot } = this.#device;
    if (!slot.present()) return true;
    return this.#during('removed', async () => {
      await this.#device.need('display', { text: promptTexts.removeCard });
      const look = () => (slot.present() ? undefined : true);
      return (await this.#device.until(look, withinMs)) ?? false;
    });
  }

  close(): Promise<void> {
    return this.#device.close();
  }

  /** Throws `terminal.busy` while a card is being dealt with, and whatever ended the session. */
  #idle(): void {
    this.#device.check();
    if (this.#doing !== undefined) throw new Fault('terminal.busy', { command: this.#doing });
  }

  /** Runs one of the long calls. One that the device refused is stopped, so that the device ends idle. */
  async #during<T>(doing: 'read' | 'complete' | 'removed', run: () => Promise<T>): Promise<T> {
    this.#doing = doing;
    try {
      return await run();
    } catch (error) {
      if (isFault(error, 'terminal.refused', 'terminal.unready')) await this.#calm();
      throw error;
    } finally {
      this.#doing = undefined;
    }
  }

  async #calm(): Promise<void> {
    try {
      await this.#device.abort();
    } catch (why) {
      if (why instanceof Fault) this.#device.tools.report(why);
    }
  }
}
