/** Miura's MPI terminals: the till's terminal interface over the MPI protocol. */
import { present } from '../../codec.ts';
import type { ReaderDriver } from '../../driver.ts';
import { noCardRead, ReaderCalls } from '../../long-calls.ts';
import {
  asSimulated,
  type ChipVerdict,
  type Encrypted,
  type HostVerdict,
  isSimulated,
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
import type { ResetAnswer } from '../protocol/commands.ts';
import { mpiEar } from '../protocol/dialect-detection.ts';
import { mpiNarrator } from '../protocol/narrator.ts';
import { mpiScribe } from '../protocol/trace.ts';
import { MpiDevice } from './device.ts';
import { healthOf, keyStates, type UsedKeys } from './health.ts';
import { everything, read } from './read.ts';
import { complete, MpiReading, promptTexts } from './reading.ts';

export const mpi: ReaderDriver = {
  kind: 'reader',
  name: 'mpi',
  title: 'Miura MPI',
  // The vendor's USB ids are not public; a terminal of this kind is found by its answer to the reset.
  usb: [],
  tcpPorts: [6543],
  serial: { baudRate: 115_200, stopBits: 1 },
  scribe: mpiScribe,
  narrator: mpiNarrator,
  ear: mpiEar,
  async open(link, tools) {
    const device = new MpiDevice(link, tools);
    try {
      const info = infoOf(await device.reset());
      // Nothing else answers this: the reset alone might be known by another maker's device.
      const { pin } = await device.need('keys', {});
      return new MpiTerminal(device, withPinPad(info, pin));
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
    model: modelIn(program?.name ?? ''),
    serial: serial.trim(),
    firmware: program?.version ?? '',
  };
};

const modelIn = (program: string): string => {
  const model = /^(?:SIMULATED )?([A-Z]+\d+)/.exec(program)?.[1] ?? 'Miura';
  return isSimulated({ model: program, serial: '' }) ? asSimulated(model) : model;
};

/** What the last read left behind: a chip that waits for the host's word, a card without a say, or nothing. */
type Left = 'chip' | 'card' | 'nothing';

/** Serial numbers count up: the highest is the key's last one, in whatever order the ciphertexts stand. */
const lastKsn = (sred: readonly Encrypted[]): string | undefined =>
  sred
    .map(({ ksn }) => ksn)
    .sort()
    .at(-1);

class MpiTerminal implements Terminal {
  readonly #device: MpiDevice;
  readonly #calls: ReaderCalls;
  readonly #info: TerminalInfo;
  #used: UsedKeys = {};
  #reading: MpiReading | undefined;
  #left: Left = 'nothing';
  /** A card may be put in before the amount is known: how to stop waiting for it. */
  #stopWaiting: (() => void) | undefined;

  constructor(device: MpiDevice, info: TerminalInfo) {
    this.#device = device;
    this.#calls = new ReaderCalls(device, {
      calm: () => device.abort(),
      after: ['terminal.refused', 'terminal.unready'],
    });
    this.#info = info;
  }

  async info(): Promise<TerminalInfo> {
    return this.#info;
  }

  async keys(): Promise<readonly KeyState[]> {
    this.#calls.idle();
    return keyStates(await this.#device.need('keys', {}), this.#used);
  }

  async health(): Promise<TerminalHealth> {
    this.#calls.idle();
    return healthOf(this.#device, this.#used);
  }

  async present(withinMs: number, tell: (event: TerminalEvent) => void): Promise<boolean> {
    this.#calls.idle();
    const { slot } = this.#device;
    return this.#calls.during('present', async () => {
      let stopped = false;
      this.#stopWaiting = () => {
        stopped = true;
        slot.poke();
      };
      try {
        if (this.#left === 'chip') await this.#device.abort();
        this.#left = 'nothing';
        await this.#device.tellOfCards(everything);
        const look = () => (slot.present() ? true : stopped ? false : undefined);
        const isThere = (await this.#device.until(look, withinMs)) ?? false;
        if (isThere) tell('cardInserted');
        return isThere && !stopped;
      } finally {
        this.#stopWaiting = undefined;
      }
    });
  }

  async read(request: ReadRequest, tell: (event: TerminalEvent) => void): Promise<ReadOutcome> {
    this.#calls.idle();
    const reading = new MpiReading(this.#device, { request, tell });
    return this.#calls.during('read', async () => {
      this.#reading = reading;
      try {
        if (this.#left === 'chip') await this.#device.abort();
        this.#left = 'nothing';
        const outcome = await read(reading);
        this.#remember(outcome);
        return outcome;
      } finally {
        this.#reading = undefined;
      }
    });
  }

  async complete(verdict: HostVerdict): Promise<ChipVerdict> {
    this.#calls.idle();
    const left = this.#left;
    this.#left = 'nothing';
    if (left === 'card') return { kind: 'none' };
    if (left === 'nothing') throw noCardRead();
    return this.#calls.during('complete', () => complete(this.#device, verdict));
  }

  async cancel(): Promise<void> {
    if (this.#reading !== undefined) return this.#reading.stop('cancelledByTill');
    if (this.#stopWaiting !== undefined) return this.#stopWaiting();
    if (this.#left !== 'chip' && !this.#device.waits()) return;
    this.#left = 'nothing';
    await this.#device.abort();
  }

  async say(prompt: Prompt): Promise<void> {
    this.#calls.idle();
    await this.#device.need('display', { text: promptTexts[prompt] });
  }

  async echo(): Promise<void> {
    this.#calls.idle();
    await this.#device.need('battery', {});
  }

  async removed(withinMs: number): Promise<boolean> {
    this.#calls.idle();
    const { slot } = this.#device;
    if (!slot.present()) return true;
    return this.#calls.during('removed', async () => {
      await this.#device.need('display', { text: promptTexts.removeCard });
      const look = () => (slot.present() ? undefined : true);
      return (await this.#device.until(look, withinMs)) ?? false;
    });
  }

  close(): Promise<void> {
    return this.#device.close();
  }

  #remember(outcome: ReadOutcome): void {
    const isChip = outcome.kind === 'goOnline' && outcome.card.entryMode === 'ICC';
    this.#left = isChip ? 'chip' : outcome.kind === 'notRead' ? 'nothing' : 'card';
    if (outcome.kind === 'notRead') return;
    const { sred, pin } = outcome.card;
    this.#used = { ...this.#used, ...present({ sred: lastKsn(sred), pin: pin?.ksn }) };
  }
}
