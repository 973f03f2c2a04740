/**
 * A simulated NEO 2 reader on a link of bytes or of HID reports. It answers the protocol's frames under the header it
 * was asked with, and runs real cryptograms under the test keys.
 */
import { fromHex } from '../../../src/base/hex.ts';
import { cutter } from '../../framing/framer.ts';
import { encodeNeo2Frame, type Neo2Frame, neo2Frame, neo2FrameMax, wrongCrc } from '../../framing/neo2-frame.ts';
import type { Link } from '../../links/link.ts';
import { Outlet } from '../../simulation/faults.ts';
import type { Cipher } from '../../simulation/key-slots.ts';
import { type Simulator, type SimulatorOptions, unitParts } from '../../simulation/simulator.ts';
import { bootNotices, commandByte, fromHost, fromReader, type Neo2CommandName } from '../protocol/commands.ts';
import { neo2Dialects } from '../protocol/dialects.ts';
import { frameLink } from '../protocol/protocol.ts';
import { status } from '../protocol/status.ts';
import { hear } from './commands.ts';
import { Neo2Customer } from './customer.ts';
import { actsOf } from './transactions.ts';
import { Neo2Unit, type Neo2UnitParts } from './unit.ts';

export type Neo2SimulatorOptions = SimulatorOptions & {
  /** The cipher under the DUKPT keys: Triple DES unless given. */
  cipher?: Cipher;
  /** Applications that the customer is to choose from (61-01). None unless given. */
  menu?: readonly string[];
};

/** Beside the common interface: what the device is doing, for tests and for the person who watches. */
export type Neo2Simulator = Simulator & {
  state(): 'idle' | 'started' | 'waitingForHost' | 'off' | Neo2CommandName;
};

const frame = (command: number, value: number): Neo2Frame => ({
  header: 'ViVOtech2',
  command,
  status: value,
  data: new Uint8Array(0),
});

const spoiler = {
  spoil: (message: Uint8Array): Uint8Array =>
    message.map((byte, at) => (at === message.length - 1 ? byte ^ 0xff : byte)),
  // "Accepted, working": means nothing where nothing runs.
  unsolicited: (): Uint8Array => encodeNeo2Frame(frame(commandByte('finish'), status.accepted), fromReader),
  unknown: (): Uint8Array => encodeNeo2Frame({ ...frame(0xee, status.ok), data: fromHex('DFEC4A00') }, fromReader),
};

/** The name of the platform, said at a restart where the host wants it: as it is, or in a frame (IDG p150). */
const platform = new Uint8Array(Buffer.from('NEO 2.0 v1.00'));
const bootFrame: Neo2Frame = {
  header: 'ViVOtech2',
  command: commandByte('bootNotice'),
  sub: 0x01,
  status: 0x01,
  data: platform,
};

/** The device's parts, made where the options give none. */
const partsOf = (options: Neo2SimulatorOptions, outlet: Outlet): Neo2UnitParts => {
  const { menu = [] } = options;
  const parts = unitParts(options, { model: 'VP6800', firmware: '1.00.110' }, neo2Dialects);
  // AES keys know no other cipher.
  const cipher = parts.keys.scheme === 'tdesDukpt' ? (options.cipher ?? 'tdes') : 'aes';
  return { ...parts, outlet, cipher, menu };
};

/** Powers the device on at this link; the till is at the other end. Ends with the link. */
const powerOnNeo2 = (link: Link, options: Neo2SimulatorOptions): Neo2Simulator => {
  const { clock, random, cardholder, faults = [], report = () => {} } = options;
  const frames = frameLink(link, 'reader');
  let off = false;
  let complained = false;

  const powerOff = (why: string): void => {
    if (off) return;
    off = true;
    report(`the link ended: ${why}`);
    unit.forget();
    customer.leave();
  };
  const restart = (): void => {
    report('the reader restarts');
    unit.forget();
    customer.leave();
    if (unit.bootNotice === bootNotices.frame) unit.send(bootFrame, { answers: false });
    if (unit.bootNotice === bootNotices.rawText) unit.parts.outlet.send(platform.slice(), { answers: false });
  };
  const out = new Outlet({ link: frames, faults, clock, random, spoiler, lost: powerOff, restart });
  const unit = new Neo2Unit(partsOf(options, out));
  const customer: Neo2Customer = new Neo2Customer(
    unit,
    cardholder,
    actsOf(unit, () => customer),
  );
  const reader = cutter(neo2Frame(fromHost), neo2FrameMax);

  /** Once for everything up to the next good frame: what follows a broken one is its own rest. */
  const complain = (why: string): void => {
    report(`a frame was broken: ${why}`);
    if (!complained) unit.send(frame(0x00, why === wrongCrc ? status.badCrc : status.badHeader), { answers: true });
    complained = true;
  };

  frames.listen({
    bytes: (bytes) => {
      for (const piece of reader.push(bytes)) {
        if (off) return;
        if (piece.kind === 'noise') {
          complain(piece.why);
          continue;
        }
        complained = false;
        if (out.heard() === 'command') hear(unit, customer, piece.frame);
      }
    },
    closed: (why) => powerOff(why.message),
  });

  return {
    state: () => (off ? 'off' : (unit.running()?.name ?? unit.phase)),
    async close() {
      powerOff('it was switched off');
      await out.close();
    },
  };
};

export const neo2Simulator = Object.assign(powerOnNeo2, { dialects: neo2Dialects });
