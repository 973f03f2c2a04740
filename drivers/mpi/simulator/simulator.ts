/**
 * A simulated MPI device on a link. It answers the protocol's bytes, runs real cryptograms under the test keys, and is
 * as strict as the device: a block with a wrong checksum silences it until a reset command comes or the link is new.
 */
import type { Clock } from '../../../src/base/clock.ts';
import { concat, fromHex } from '../../../src/base/hex.ts';
import type { Link } from '../../links/link.ts';
import { Outlet } from '../../simulation/faults.ts';
import { type Simulator, type SimulatorOptions, unitParts } from '../../simulation/simulator.ts';
import type { MpiCommandName } from '../protocol/commands.ts';
import { mpiDialects } from '../protocol/dialects.ts';
import { encodeMessage, type MpiPiece, mpiReader } from '../protocol/messages.ts';
import { deviceCodes, encodeNotice } from '../protocol/notices.ts';
import { hear } from './commands.ts';
import { MpiCustomer } from './customer.ts';
import { MpiUnit } from './unit.ts';

/** Beside the common interface: what the device is doing, for tests and for the person who watches. */
export type MpiSimulator = Simulator & {
  state(): 'idle' | 'silenced' | 'waitingForHost' | 'off' | MpiCommandName;
};

const deviceNotice = (code: number, text: string): Uint8Array =>
  encodeMessage(encodeNotice({ kind: 'device', code, text }), { unsolicited: true });

const spoiler = {
  spoil: (message: Uint8Array): Uint8Array =>
    message.map((byte, at) => (at === message.length - 1 ? byte ^ 0xff : byte)),
  unsolicited: (): Uint8Array => deviceNotice(deviceCodes.pinEntry, 'PIN ENTRY EVENT'),
  poweredOn: (): Uint8Array => deviceNotice(deviceCodes.poweredOn, 'POWERED ON'),
  restarting: (): Uint8Array => deviceNotice(deviceCodes.restarting, 'MPI RESTARTING'),
  // A template of a tag that no table has.
  unknown: (): Uint8Array => encodeMessage(fromHex('E105DFA27F01019000'), { unsolicited: true }),
};

/** How long the start of a block may stand alone, ms: a whole one takes 23 ms at 115200 baud. */
const partMs = 1_000;

const isReset = (body: Uint8Array): boolean => body[0] === 0xd0 && body[1] === 0x00;

/** Gives each block to `take`. What looks like a block's start and never ends does not swallow the reset after it. */
const blocksOf = (clock: Clock, take: (piece: MpiPiece) => void) => {
  const reader = mpiReader();
  let stop = (): void => {};
  let isOver = false;
  const takeAll = (pieces: readonly MpiPiece[]): void => {
    stop();
    for (const piece of pieces) take(piece);
    if (!isOver && reader.held() > 0) stop = clock.after(partMs, () => takeAll(reader.skip()));
  };
  return {
    push: (bytes: Uint8Array): void => takeAll(reader.push(bytes)),
    end(): void {
      isOver = true;
      stop();
    },
  };
};

/** Powers the device on at this link; the till is at the other end. Ends with the link. */
const powerOnMpi = (link: Link, options: SimulatorOptions): MpiSimulator => {
  const { cardholder, faults = [] } = options;
  const parts = unitParts(options, {}, mpiDialects);
  const { clock, random, report } = parts;
  let silenced = false;
  let off = false;

  const powerOff = (why: string): void => {
    if (off) return;
    off = true;
    blocks.end();
    report(`the link ended: ${why}`);
    unit.reset();
    customer.leave();
  };
  const restart = (): void => {
    report('the device restarts');
    unit.reset();
    customer.leave();
    out.send(concat(spoiler.restarting(), spoiler.poweredOn()), { answers: false });
  };
  const out = new Outlet({ link, faults, clock, random, spoiler, lost: powerOff, restart });
  const unit = new MpiUnit({ ...parts, outlet: out });
  const customer = new MpiCustomer(unit, cardholder);

  const take = (piece: MpiPiece): void => {
    if (off) return;
    if (piece.kind === 'noise' || piece.unsolicited) {
      if (!silenced) report('a block was broken: silent until the next reset');
      silenced = true;
      unit.reset();
      return;
    }
    // Address 2 is a printer that this device does not have.
    if (piece.nad !== 1 || (silenced && !isReset(piece.body))) return;
    silenced = false;
    if (out.heard() === 'restarted') return;
    hear(unit, customer, piece.body);
  };

  const blocks = blocksOf(clock, take);
  link.listen({
    bytes: blocks.push,
    closed: (why) => powerOff(why.message),
  });
  // Over TCP the device speaks first; over a serial link it does not.
  if (link.name.startsWith('tcp') || unit.speaks('powered-on-told')) out.send(spoiler.poweredOn(), { answers: false });

  return {
    state: () => (off ? 'off' : silenced ? 'silenced' : stateOf(unit)),
    async close() {
      powerOff('it was switched off');
      await out.close();
    },
  };
};

export const mpiSimulator = Object.assign(powerOnMpi, { dialects: mpiDialects });

const stateOf = (unit: MpiUnit): 'idle' | 'waitingForHost' | MpiCommandName =>
  unit.running()?.name ?? (unit.transaction === undefined ? 'idle' : 'waitingForHost');
