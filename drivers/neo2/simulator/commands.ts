/** The commands of the simulated NEO 2 reader that are answered at once, and the way to those that are not. */
import { isFault } from '../../../src/base/fault.ts';
import { toHex } from '../../../src/base/hex.ts';
import { hasPinPad } from '../../../src/emv/device-models.ts';
import type { Neo2Frame } from '../../framing/neo2-frame.ts';
import type { KeyAnswer } from '../protocol/answers.ts';
import { decodeRequest, type Neo2CommandName, type Neo2Request, nameOf } from '../protocol/commands.ts';
import { status, statusText } from '../protocol/status.ts';
import { choiceIn, upcallCommand } from '../protocol/upcalls.ts';
import { manual, type Neo2Customer, onlinePin } from './customer.ts';
import { activate, authenticate, finish, sealedCommands } from './transactions.ts';
import type { Neo2Unit } from './unit.ts';

const done = { status: status.ok, answer: {} };

/** Carries out a command frame, or answers why it cannot. */
export const hear = (unit: Neo2Unit, customer: Neo2Customer, frame: Neo2Frame) => {
  unit.header = frame.header;
  const name = nameOf(frame);
  if (frame.command === upcallCommand && name === undefined) return unit.hostAnswered(choiceIn(frame));
  const refuse = (value: number) => unit.send({ ...frame, status: value, data: new Uint8Array(0) }, { answers: true });
  if (name === undefined) return refuse(status.unknownCommand);
  if (unit.parts.config.tampered && sealedCommands.has(name)) return refuse(status.tampered);
  if (!mayRun(unit, name)) return refuse(status.failed);
  if (!knows(unit, name)) return refuse(status.unknownSub);
  if (unit.speaks('removal-detection-off') && name === 'activate') return refuse(status.badParameter);
  try {
    const request = decodeRequest(frame);
    if (request !== undefined) carryOut(unit, customer, request);
  } catch (error) {
    if (!isFault(error, 'emv.malformed', 'tlv.malformed', 'hex.malformed', 'currency.unknown')) throw error;
    unit.parts.report(`command ${statusText(frame.command)}-${statusText(frame.sub ?? 0)} refused: ${error.message}`);
    refuse(status.badParameter);
  }
};

/** The guide has 83-41 under ViVOpayV3 (p358), and C7-A3 not at all. */
const knows = (unit: Neo2Unit, name: Neo2CommandName): boolean => {
  switch (name) {
    case 'manual':
      return unit.speaks('typed-under-tech2');
    case 'manualUnderV3':
      return !unit.speaks('typed-under-tech2');
    case 'outputMode':
      return unit.speaks('output-mode-told') || unit.speaks('transarmor-told');
    case 'keyState':
      return !(['key-state-unknown', 'in-clear', 'key-missing-at-card'] as const).some((row) => unit.speaks(row));
    case 'bootNotice':
      return !unit.speaks('boot-notice-unknown');
    default:
      return true;
  }
};

/**
 * While a card is waited for any command but the cancel breaks that off; while a chip runs none but the cancel is
 * taken, and at the keypad none but the end of the entry (IDG p160, p346).
 */
const mayRun = (unit: Neo2Unit, name: Neo2CommandName): boolean => {
  const running = unit.running()?.name;
  if (running === 'onlinePin') return name === 'cancelKeys';
  if (running === undefined) return name !== 'cancelKeys';
  if (name === 'cancel') return true;
  if (running !== 'activate') return false;
  unit.parts.report('another command came: the wait for a card is cancelled');
  unit.cancelKey();
  return true;
};

/** What each command of the table does. */
const carryOut = (unit: Neo2Unit, customer: Neo2Customer, request: Neo2Request) => {
  switch (request.name) {
    case 'cancel':
      customer.takesCard();
      return unit.cancel();
    case 'cancelKeys':
      unit.answer('cancelKeys', done);
      return unit.stopKeys();
    case 'bootNotice':
      unit.bootNotice = request.ask.on;
      return unit.answer('bootNotice', done);
    case 'processor':
      return unit.answer('processor', { status: status.ok, answer: { code: '4D00' } });
    case 'outputMode': {
      const cipher = unit.speaks('transarmor-told') ? 'transArmor' : unit.parts.cipher;
      return unit.answer('outputMode', { status: status.ok, answer: { cipher, variant: 'data' } });
    }
    case 'state':
      if (!tellsState.has(asReal(unit.parts.config.model))) return unit.answer('state', { status: status.unknownSub });
      return unit.answer('state', {
        status: status.ok,
        answer: { active: unit.speaks('removal-detection-off') ? 0 : 1, locked: 0 },
      });
    case 'powerOff':
      customer.takesCard();
      return unit.answer('powerOff', done);
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
      return unit.answer('tapResult', done);
    case 'startChip':
    case 'lastResult':
      return unit.answer(request.name, { status: status.notAllowed });
    default:
      return answerPlain(unit, request.name);
  }
};

/** 32-03 is for these alone (IDG p384). */
const tellsState: ReadonlySet<string> = new Set(['VP6800', 'VP3320']);
const asReal = (model: string): string => model.replace(/^SIMULATED /, '');

type Plain = Exclude<
  Neo2CommandName,
  | 'cancel'
  | 'cancelKeys'
  | 'bootNotice'
  | 'processor'
  | 'state'
  | 'powerOff'
  | 'keyState'
  | 'activate'
  | 'authenticate'
  | 'finish'
  | 'onlinePin'
  | 'manual'
  | 'manualUnderV3'
  | 'outputMode'
  | 'tapResult'
  | 'startChip'
  | 'lastResult'
>;

const answerPlain = (unit: Neo2Unit, name: Plain) => {
  const { config } = unit.parts;
  const words: Partial<Record<Plain, string>> = {
    serial: config.serial.padEnd(15, '\0'),
    hardware: `${config.model}\0`,
    modules: `FW, ${config.model} V${config.firmware},,\r\n\0`,
    firmware: `${config.model} V${config.firmware}`,
    version: `${config.model} FW V${config.firmware}\0`,
  };
  const text = words[name];
  unit.answer(name, { status: status.ok, answer: text === undefined ? {} : { text } } as typeof done);
};

const keyAnswerOf = (unit: Neo2Unit, use: number): KeyAnswer => {
  const { keys, config } = unit.parts;
  if (use === 1 && hasPinPad(config.model) === false) return { state: 'none' };
  const { sred, pin, mac } = keys.states();
  const key = use === 2 ? sred : use === 1 ? pin : use === 5 ? mac : undefined;
  if (key === undefined) return { state: 'none' };
  const bare = unit.speaks('key-state-without-length') ? ({ withoutLength: true } as const) : {};
  return { state: key.usesLeft > 0 ? 'valid' : 'ended', ksn: toHex(key.ksn), ...bare };
};
