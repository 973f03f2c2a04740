/** Miura's MPI terminals: the till's terminal interface over the MPI protocol. */
import type { ReaderDriver } from '../../driver.ts';
import { openReader, type ReaderActions } from '../../reader-terminal.ts';
import {
  asSimulated,
  type Encrypted,
  type HostVerdict,
  isSimulated,
  type TerminalEvent,
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
  open: (link, tools) => openReader(new MpiDevice(link, tools), greet),
};

const greet = async (device: MpiDevice): Promise<ReaderActions<MpiReading>> => {
  const info = infoOf(await device.reset());
  // Nothing else answers this: the reset alone might be known by another maker's device.
  const { pin } = await device.need('keys', {});
  return readerOf(device, withPinPad(info, pin));
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

/** Serial numbers count up: the highest is the key's last one, in whatever order the ciphertexts stand. */
const lastKsn = (sred: readonly Encrypted[]): string | undefined =>
  sred
    .map(({ ksn }) => ksn)
    .sort()
    .at(-1);

const readerOf = (device: MpiDevice, info: TerminalInfo): ReaderActions<MpiReading> => {
  const { slot } = device;
  let used: UsedKeys = {};
  const isRemoved = () => (slot.present() ? undefined : true);
  return {
    info,
    keys: async () => keyStates(await device.need('keys', {}), used),
    health: () => healthOf(device, used),
    echo: () => device.need('battery', {}),
    say: (prompt) => device.need('display', { text: promptTexts[prompt] }),
    insertion: (tell) => insertionAt(device, tell),
    reading: (request, tell) => new MpiReading(device, { request, tell }),
    async read(reading) {
      const outcome = await read(reading);
      if (outcome.kind === 'notRead') return { outcome };
      const { sred, pin, entryMode } = outcome.card;
      used = { sred: lastKsn(sred) ?? used.sred, pin: pin?.ksn ?? used.pin };
      if (outcome.kind !== 'goOnline' || entryMode !== 'ICC') return { outcome };
      const waiting = { complete: (verdict: HostVerdict) => complete(device, verdict), drop: () => device.abort() };
      return { outcome, waiting };
    },
    async removed(withinMs) {
      if (!slot.present()) return true;
      await device.need('display', { text: promptTexts.removeCard });
      return (await device.until(isRemoved, withinMs)) ?? false;
    },
    stop: async () => (device.waits() ? device.abort() : undefined),
    calm: () => device.abort(),
  };
};

/** A card that is put in before the amount is known. */
const insertionAt = (device: MpiDevice, tell: (event: TerminalEvent) => void) => {
  const { slot } = device;
  let stopped = false;
  return {
    async stop() {
      stopped = true;
      slot.poke();
    },
    async within(ms: number): Promise<boolean> {
      await device.tellOfCards(everything);
      const isThere = (await device.until(() => (slot.present() ? true : stopped ? false : undefined), ms)) ?? false;
      if (isThere) tell('cardInserted');
      return isThere && !stopped;
    },
  };
};
