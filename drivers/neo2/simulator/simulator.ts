/**
 * A simulated NEO 2 reader on a link of bytes or of HID reports. It answers the protocol's frames under the header of
 * the question, and computes real cryptograms under the test keys.
 */

import { isFault } from '../../../src/base/fault.ts';
import { fromHex, toHex } from '../../../src/base/hex.ts';
import { hasPinPad } from '../../../src/emv/device-models.ts';
import { cutter } from '../../framing/framer.ts';
import { encodeNeo2Frame, type Neo2Frame, neo2FrameMax, neo2Framer, wrongCrc } from '../../framing/neo2-frame.ts';
import type { Link } from '../../links/link.ts';
import { Outlet } from '../../simulation/faults.ts';
import type { Cipher } from '../../simulation/key-slots.ts';
import { type Simulator, type SimulatorOptions, unitParts } from '../../simulation/simulator.ts';
import type { KeyAnswer } from '../protocol/answers.ts';
import {
  bootNotices,
  commandByte,
  decodeRequest,
  fromHost,
  fromReader,
  type Neo2CommandName,
  type Neo2Request,
  nameOf,
} from '../protocol/commands.ts';
import { neo2Dialects } from '../protocol/dialects.ts';
import { frameLink } from '../protocol/protocol.ts';
import { status, statusText } from '../protocol/status.ts';
import { choiceIn, upcallCommand } from '../protocol/upcalls.ts';
import { manual, Neo2Customer, onlinePin } from './customer.ts';
import { actionsOf, activate, authenticate, finish, sealedCommands } from './transactions.ts';
import { Neo2Unit, type Neo2UnitParts } from './unit.ts';

const okReply = { status: status.ok, answer: {} };

/** Carries out a command frame, or answers why it cannot. */
const handleCommand = (unit: Neo2Unit, customer: Neo2Customer, frame: Neo2Frame) => {
  unit.header = frame.header;
  const name = nameOf(frame);
  if (frame.command === upcallCommand && name === undefined) return unit.onHostAnswer(choiceIn(frame));
  const refuse = (value: number) => unit.send({ ...frame, status: value, data: new Uint8Array(0) }, { answers: true });
  if (name === undefined) return refuse(status.unknownCommand);
  if (unit.parts.config.tampered && sealedCommands.has(name)) return refuse(status.tampered);
  if (!mayRun(unit, name)) return refuse(status.failed);
  if (!isSupported(unit, name)) return refuse(status.unknownSub);
  if (unit.hasDialect('removal-detection-off') && name === 'activate') return refuse(status.badParameter);
  try {
    const request = decodeRequest(frame);
    if (request !== undefined) execute(unit, customer, request);
  } catch (error) {
    if (!isFault(error, 'emv.malformed', 'tlv.malformed', 'hex.malformed', 'currency.unknown')) throw error;
    unit.parts.report(`command ${statusText(frame.command)}-${statusText(frame.sub ?? 0)} refused: ${error.message}`);
    refuse(status.badParameter);
  }
};

/** The guide lists 83-41 under ViVOpayV3 (p358), and C7-A3 not at all. */
const isSupported = (unit: Neo2Unit, name: Neo2CommandName): boolean => {
  switch (name) {
    case 'manual':
      return unit.hasDialect('typed-under-tech2');
    case 'manualUnderV3':
      return !unit.hasDialect('typed-under-tech2');
    case 'outputMode':
      return unit.hasDialect('output-mode-told') || unit.hasDialect('transarmor-told');
    case 'keyState':
      return !(['key-state-unknown', 'in-clear', 'key-missing-at-card'] as const).some((row) => unit.hasDialect(row));
    case 'bootNotice':
      return !unit.hasDialect('boot-notice-unknown');
    default:
      return true;
  }
};

/**
 * While it waits for a card, any command except the cancel ends the wait; while a chip runs only the cancel is
 * accepted, and at the keypad only the end of the entry (IDG p160, p346).
 */
const mayRun = (unit: Neo2Unit, name: Neo2CommandName): boolean => {
  const running = unit.currentCommand()?.name;
  if (running === 'onlinePin') return name === 'cancelKeys';
  if (running === undefined) return name !== 'cancelKeys';
  if (name === 'cancel') return true;
  if (running !== 'activate') return false;
  unit.parts.report('another command came: the wait for a card is cancelled');
  unit.cancelKey();
  return true;
};

const execute = (unit: Neo2Unit, customer: Neo2Customer, request: Neo2Request) => {
  switch (request.name) {
    case 'cancel':
      customer.takeCard();
      return unit.cancel();
    case 'cancelKeys':
      unit.answer('cancelKeys', okReply);
      return unit.stopKeys();
    case 'bootNotice':
      unit.bootNotice = request.ask.on;
      return unit.answer('bootNotice', okReply);
    case 'processor':
      return unit.answer('processor', { status: status.ok, answer: { code: '4D00' } });
    case 'outputMode': {
      const cipher = unit.hasDialect('transarmor-told') ? 'transArmor' : unit.parts.cipher;
      return unit.answer('outputMode', { status: status.ok, answer: { cipher, variant: 'data' } });
    }
    case 'state':
      if (!tellsState.has(realModel(unit.parts.config.model)))
        return unit.answer('state', { status: status.unknownSub });
      return unit.answer('state', {
        status: status.ok,
        answer: { active: unit.hasDialect('removal-detection-off') ? 0 : 1, locked: 0 },
      });
    case 'powerOff':
      customer.takeCard();
      return unit.answer('powerOff', okReply);
    case 'keyState':
      return unit.answer('keyState', { status: status.ok, answer: keyAnswerOf(unit, request.ask.use) });
    case 'activate':
      return activate(unit, customer, request.ask);
    case 'authenticate':
      return authenticate(unit, customer);
    case 'finish':
      return finish(unit, customer, request.ask);
    case 'onlinePin':
      return onlinePin(unit, customer);
    case 'manual':
    case 'manualUnderV3':
      return manual(unit, customer, request);
    case 'tapResult':
      if (unit.phase !== 'waitingForHost') return unit.answer('tapResult', { status: status.notAllowed });
      unit.forget();
      unit.parts.report(request.ask.refused === 0 ? 'display: APPROVED' : 'display: DECLINED');
      return unit.answer('tapResult', okReply);
    case 'startChip':
    case 'lastResult':
      return unit.answer(request.name, { status: status.notAllowed });
    default:
      return answerPlain(unit, request.name);
  }
};

/** Only these support 32-03 (IDG p384). */
const tellsState: ReadonlySet<string> = new Set(['VP6800', 'VP3320']);
const realModel = (model: string): string => model.replace(/^SIMULATED /, '');

/** Commands whose answer is empty or a text. A command that is neither here nor in `execute` does not compile. */
type PlainCommandName =
  | 'ping'
  | 'serial'
  | 'firmware'
  | 'hardware'
  | 'modules'
  | 'version'
  | 'selfCheck'
  | 'pollMode'
  | 'configure'
  | 'setTerminal';

const answerPlain = (unit: Neo2Unit, name: PlainCommandName) => {
  const { config } = unit.parts;
  const words: Partial<Record<PlainCommandName, string>> = {
    serial: config.serial.padEnd(15, '\0'),
    hardware: `${config.model}\0`,
    modules: `FW, ${config.model} V${config.firmware},,\r\n\0`,
    firmware: `${config.model} V${config.firmware}`,
    version: `${config.model} FW V${config.firmware}\0`,
  };
  const text = words[name];
  unit.answer(name, { status: status.ok, answer: text === undefined ? {} : { text } } as typeof okReply);
};

const keyAnswerOf = (unit: Neo2Unit, use: number): KeyAnswer => {
  const { keys, config } = unit.parts;
  if (use === 1 && hasPinPad(config.model) === false) return { state: 'none' };
  const { sred, pin, mac } = keys.states();
  const key = use === 2 ? sred : use === 1 ? pin : use === 5 ? mac : undefined;
  if (key === undefined) return { state: 'none' };
  const bare = unit.hasDialect('key-state-without-length') ? ({ withoutLength: true } as const) : {};
  return { state: key.usesLeft > 0 ? 'valid' : 'ended', ksn: toHex(key.ksn), ...bare };
};

export type Neo2SimulatorOptions = SimulatorOptions & {
  /** The cipher under the DUKPT keys: Triple DES unless given. */
  cipher?: Cipher;
  /** Applications for the customer to choose from (61-01). None by default. */
  menu?: readonly string[];
};

/** In addition to the common interface: what the device is doing, for tests and for a person watching. */
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
    message.map((byte, index) => (index === message.length - 1 ? byte ^ 0xff : byte)),
  // "Accepted, working": meaningless while nothing runs.
  unsolicited: (): Uint8Array => encodeNeo2Frame(frame(commandByte('finish'), status.accepted), fromReader),
  unknown: (): Uint8Array => encodeNeo2Frame({ ...frame(0xee, status.ok), data: fromHex('DFEC4A00') }, fromReader),
};

/** The name of the platform, sent after a restart if the host wants it: plain, or in a frame (IDG p150). */
const platform = new Uint8Array(Buffer.from('NEO 2.0 v1.00'));
const bootFrame: Neo2Frame = {
  header: 'ViVOtech2',
  command: commandByte('bootNotice'),
  sub: 0x01,
  status: 0x01,
  data: platform,
};

/** The device's parts, created where the options give none. */
const partsOf = (options: Neo2SimulatorOptions, outlet: Outlet): Neo2UnitParts => {
  const { menu = [] } = options;
  const parts = unitParts(options, { model: 'VP6800', firmware: '1.00.110' }, neo2Dialects);
  // AES keys work with no other cipher.
  const cipher = parts.keys.scheme === 'tdesDukpt' ? (options.cipher ?? 'tdes') : 'aes';
  return { ...parts, outlet, cipher, menu };
};

/** Powers the device on at this link; the till is at the other end. The device ends with the link. */
const powerOnNeo2 = (link: Link, options: Neo2SimulatorOptions): Neo2Simulator => {
  const { clock, random, cardholder, faults = [], report = () => {} } = options;
  const frames = frameLink(link, 'reader');
  let off = false;
  let hasRefused = false;

  const powerOff = (reason: string): void => {
    if (off) return;
    off = true;
    report(`the link ended: ${reason}`);
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
  const out = new Outlet({ link: frames, faults, clock, random, spoiler, onLost: powerOff, restart });
  const unit = new Neo2Unit(partsOf(options, out));
  const customer: Neo2Customer = new Neo2Customer(
    unit,
    cardholder,
    actionsOf(unit, () => customer),
  );
  const reader = cutter(neo2Framer(fromHost), neo2FrameMax);

  /** Refuses once everything up to the next good frame, because what follows a broken frame is its remainder. */
  const refuseFrame = (reason: string): void => {
    report(`a frame was broken: ${reason}`);
    if (!hasRefused) unit.send(frame(0x00, reason === wrongCrc ? status.badCrc : status.badHeader), { answers: true });
    hasRefused = true;
  };

  frames.listen({
    bytes: (bytes) => {
      for (const piece of reader.push(bytes)) {
        if (off) return;
        if (piece.kind === 'noise') {
          refuseFrame(piece.why);
          continue;
        }
        hasRefused = false;
        if (out.noteCommand() === 'command') handleCommand(unit, customer, piece.frame);
      }
    },
    closed: (fault) => powerOff(fault.message),
  });

  return {
    state: () => (off ? 'off' : (unit.currentCommand()?.name ?? unit.phase)),
    async close() {
      powerOff('it was switched off');
      await out.close();
    },
  };
};

export const neo2Simulator = Object.assign(powerOnNeo2, { dialects: neo2Dialects });
