/**
 * A simulated MPI device on a link. It answers the protocol's bytes, computes real cryptograms under the test keys, and
 * is as strict as the device: after a block with a wrong checksum it is silent until a reset command or a new link.
 */
import type { Clock } from '../../../src/base/clock.ts';
import { isFault } from '../../../src/base/fault.ts';
import { concat, fromHex, toHex } from '../../../src/base/hex.ts';
import { decodeTlv, encodeTlv, find, type Tlv, tlv } from '../../../src/emv/tlv.ts';
import { localDateTime, tlvText } from '../../codec.ts';
import type { Link } from '../../links/link.ts';
import { Outlet } from '../../simulation/faults.ts';
import { type Simulator, type SimulatorOptions, unitParts } from '../../simulation/simulator.ts';
import { templateIn } from '../protocol/codec.ts';
import { commands, decodeRequest, type MpiCommandName, type MpiRequest } from '../protocol/commands.ts';
import { mpiDialects } from '../protocol/dialects.ts';
import { type Apdu, decodeApdu, encodeMessage, isLong, type MpiPiece, mpiReader } from '../protocol/messages.ts';
import { deviceCodes, encodeNotice } from '../protocol/notices.ts';
import { MpiCustomer } from './customer.ts';
import { continueContact, manualEntry, onlinePin, startContact, startContactless } from './transactions.ts';
import { MpiUnit } from './unit.ts';

const invites = /TAP|INSERT|SWIPE/i;
const removes = /REMOVE|CANCELLED/i;
const successStatus = '9000';

const execute = (unit: MpiUnit, customer: MpiCustomer, request: MpiRequest) => {
  const { config, keys } = unit.parts;
  switch (request.name) {
    case 'reset':
      unit.reset();
      customer.newSale();
      customer.takeCard();
      return unit.answer('reset', {
        status: successStatus,
        answer: { serial: config.serial, parts: partsOf(unit), extended: unit.hasDialect('long-commands') },
      });
    case 'battery':
      return unit.answer('battery', { status: successStatus, answer: { charging: 0, percent: config.batteryPercent } });
    case 'cardStatus':
      customer.newSale();
      return tellOfCards(unit, request.ask.tell);
    case 'askSlot':
      if (!unit.hasDialect('card-status-asked')) return unit.answerBody(fromHex(malformed.unknown));
      unit.tells = request.ask.tell;
      return unit.answerSlot();
    case 'display':
      unit.parts.report(`display: ${request.ask.text.replaceAll('\n', ' / ')}`);
      unit.answer('display', { status: successStatus, answer: {} });
      if (invites.test(request.ask.text)) customer.onInvited(request.ask.text);
      if (removes.test(request.ask.text)) customer.takeCard();
      return;
    case 'keys': {
      const { sred, pin } = keys.states();
      const answer = { ready: true, pin: pin.usesLeft > 0, sred: sred.usesLeft > 0 };
      return unit.answer('keys', { status: successStatus, answer });
    }
    case 'abort':
      // A stopped tap reader means nothing to the customer: a card just inserted can still be read.
      if (unit.currentCommand()?.name !== 'startContactless') customer.takeCard();
      return unit.abort();
    case 'startContact':
      return startContact(unit, customer, request.ask);
    case 'startContactless':
      return startContactless(unit, customer, request.ask);
    case 'continueContact':
      return continueContact(unit, customer, request.ask);
    case 'onlinePin':
      return onlinePin(unit, customer, request.ask);
    case 'manualEntry':
      return manualEntry(unit, customer, request.ask);
    default:
      // The clock was answered above, with and without data. A table row without a case does not compile.
      request satisfies { name: 'clock' };
  }
};

/** D060. The notice is the whole answer, as the vendor's SDK expects: it waits for no other. */
const tellOfCards = (unit: MpiUnit, tell: number): void => {
  unit.tells = tell;
  if (unit.hasDialect('card-status-silent') || unit.hasDialect('card-status-asked')) return;
  if (unit.hasDialect('card-status-answered')) unit.answer('cardStatus', { status: successStatus, answer: {} });
  unit.notifySlot({ answers: !unit.hasDialect('card-status-answered') });
  if (unit.hasDialect('card-status-answered-late')) unit.answerBody(fromHex(successStatus));
};

const partsOf = (unit: MpiUnit) => {
  const { config } = unit.parts;
  const program = { name: `${config.model}-MPI`, version: config.firmware };
  const system = { name: `${config.model}-OS`, version: '7-12' };
  return unit.hasDialect('system-first') ? [system, program] : [program, system];
};

/** Commands of technicians' tools that the driver does not use: bodies without their status word. */
const others: Readonly<Record<string, (unit: MpiUnit, apdu: Apdu) => readonly Tlv[]>> = {
  // Configuration files and their versions.
  D001: () => [tlv('E1', [entry('ED', 'emv.cfg', '000001'), entry('ED', 'contactless.cfg', '000001')])],
  // Capabilities.
  D002: (unit) => [
    tlv('E1', [
      entry('EF', 'Serial', unit.parts.config.serial),
      entry('EF', 'Contactless', '1'),
      entry('EF', 'Battery', '1'),
    ]),
  ],
  // The clock: set with data, read without.
  D010: (unit, { data }) => (data.length > 0 ? [] : clockOf(unit)),
  // Key presses: accepted and ignored.
  D061: () => [],
};

const entry = (template: string, name: string, value: string): Tlv =>
  tlv(template, [tlv('DF0D', tlvText(name)), tlv('DF7F', tlvText(value))]);

const clockOf = ({ parts: { clock, config } }: MpiUnit): Tlv[] => {
  const [date, time] = localDateTime(clock.now() + config.clockOffsetMs);
  return [tlv('E1', [tlv('9A', date), tlv('9F21', time)])];
};

/** The tags without which these commands cannot run. */
const needed: Readonly<Record<string, readonly string[]>> = {
  DED1: ['9C', '9F02', '9A', '9F21', '5F2A'],
  DEC1: ['9C', '9F02', '9A', '9F21', '5F2A'],
  DED6: ['9F02', '5F2A', 'DFAE22'],
};

const malformed = { format: '9F14', data: '9F21', missing: '9F27', empty: '9F88', unknown: '6D00', busy: '9F22' };

/** The status for a command with unreadable data: missing and malformed tags have different ones. */
const refusalOf = ({ code, data }: Apdu): string => {
  if (code === commands.manualEntry.code) return data.length === 0 ? malformed.empty : malformed.format;
  try {
    const children = templateIn(decodeTlv(data), 'E0');
    const missing = (needed[code] ?? []).some((tag) => find(children, tag) === undefined);
    return missing ? malformed.missing : malformed.data;
  } catch (error) {
    if (!isFault(error, 'emv.malformed', 'tlv.malformed')) throw error;
    return malformed.data;
  }
};

/** Carries out a command body, or answers why it cannot. */
const handleCommand = (unit: MpiUnit, customer: MpiCustomer, body: Uint8Array) => {
  const refuse = (status: string) => unit.answerBody(fromHex(status));
  let apdu: Apdu;
  try {
    apdu = decodeApdu(body);
  } catch (error) {
    if (!isFault(error, 'terminal.garbled')) throw error;
    return refuse(malformed.format);
  }
  // Only a device that reports it accepts commands longer than a block.
  if (isLong(body) && !unit.hasDialect('long-commands')) return refuse(malformed.format);
  const running = unit.currentCommand();
  if (running !== undefined && apdu.code !== 'D0FF' && apdu.code !== 'D000') return refuse(malformed.busy);
  const otherCommand = others[apdu.code];
  if (otherCommand !== undefined)
    return unit.answerBody(concat(encodeTlv(otherCommand(unit, apdu)), fromHex(successStatus)));
  try {
    const request = decodeRequest(body);
    if (request === undefined) return refuse(malformed.unknown);
    execute(unit, customer, request);
  } catch (error) {
    if (!isFault(error, 'emv.malformed', 'tlv.malformed', 'hex.malformed', 'currency.unknown')) throw error;
    unit.parts.report(`command ${toHex(body.subarray(0, 2))} refused: ${error.message}`);
    refuse(refusalOf(apdu));
  }
};

/** In addition to the common interface: what the device is doing, for tests and for a person watching. */
export type MpiSimulator = Simulator & {
  state(): 'idle' | 'silenced' | 'waitingForHost' | 'off' | MpiCommandName;
};

const deviceNotice = (code: number, text: string): Uint8Array =>
  encodeMessage(encodeNotice({ kind: 'device', code, text }), { unsolicited: true });

const spoiler = {
  spoil: (message: Uint8Array): Uint8Array =>
    message.map((byte, index) => (index === message.length - 1 ? byte ^ 0xff : byte)),
  unsolicited: (): Uint8Array => deviceNotice(deviceCodes.pinEntry, 'PIN ENTRY EVENT'),
  poweredOnNotice: (): Uint8Array => deviceNotice(deviceCodes.poweredOn, 'POWERED ON'),
  restartingNotice: (): Uint8Array => deviceNotice(deviceCodes.restarting, 'MPI RESTARTING'),
  // A template with an undocumented tag.
  unknown: (): Uint8Array => encodeMessage(fromHex('E105DFA27F01019000'), { unsolicited: true }),
};

/** How long an incomplete block may wait, ms: a whole one takes 23 ms at 115200 baud. */
const partMs = 1_000;

const isReset = (body: Uint8Array): boolean => body[0] === 0xd0 && body[1] === 0x00;

/** Passes each block to `take`. A false start that never ends does not swallow the reset after it. */
const blocksOf = (clock: Clock, take: (piece: MpiPiece) => void) => {
  const reader = mpiReader();
  let stop = (): void => {};
  let isOver = false;
  const takeAll = (pieces: readonly MpiPiece[]): void => {
    stop();
    for (const piece of pieces) take(piece);
    if (!isOver && reader.size() > 0) stop = clock.after(partMs, () => takeAll(reader.skip()));
  };
  return {
    push: (bytes: Uint8Array): void => takeAll(reader.push(bytes)),
    end(): void {
      isOver = true;
      stop();
    },
  };
};

/** Powers the device on at this link; the till is at the other end. The device ends with the link. */
const powerOnMpi = (link: Link, options: SimulatorOptions): MpiSimulator => {
  const { cardholder, faults = [] } = options;
  const parts = unitParts(options, {}, mpiDialects);
  const { clock, random, report } = parts;
  let silenced = false;
  let off = false;

  const powerOff = (reason: string): void => {
    if (off) return;
    off = true;
    blocks.end();
    report(`the link ended: ${reason}`);
    unit.reset();
    customer.leave();
  };
  const restart = (): void => {
    report('the device restarts');
    unit.reset();
    customer.leave();
    out.send(concat(spoiler.restartingNotice(), spoiler.poweredOnNotice()), { answers: false });
  };
  const out = new Outlet({ link, faults, clock, random, spoiler, onLost: powerOff, restart });
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
    if (out.noteCommand() === 'restarted') return;
    handleCommand(unit, customer, piece.body);
  };

  const blocks = blocksOf(clock, take);
  link.listen({
    bytes: blocks.push,
    closed: (fault) => powerOff(fault.message),
  });
  // Over TCP the device sends first; over a serial link it does not.
  if (link.name.startsWith('tcp') || unit.hasDialect('powered-on-told'))
    out.send(spoiler.poweredOnNotice(), { answers: false });

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
  unit.currentCommand()?.name ?? (unit.transaction === undefined ? 'idle' : 'waitingForHost');
