/** The commands of the simulated MPI device that are answered at once, and the way to those that are not. */
import { isFault } from '../../../src/base/fault.ts';
import { concat, fromHex, toHex } from '../../../src/base/hex.ts';
import { decodeTlv, encodeTlv, find, type Tlv, tlv } from '../../../src/emv/tlv.ts';
import { localDateTime, tlvText } from '../../codec.ts';
import { inside } from '../protocol/codec.ts';
import { commands, decodeRequest, type MpiRequest } from '../protocol/commands.ts';
import { type Apdu, decodeApdu, isLong } from '../protocol/messages.ts';
import type { MpiCustomer } from './customer.ts';
import { continueContact, manualEntry, onlinePin, startContact, startContactless } from './transactions.ts';
import type { MpiUnit } from './unit.ts';

const invites = /TAP|INSERT|SWIPE/i;
const removes = /REMOVE|CANCELLED/i;
const done = '9000';

/** What each command of the table does. */
const carryOut = (unit: MpiUnit, customer: MpiCustomer, request: MpiRequest) => {
  const { config, keys } = unit.parts;
  switch (request.name) {
    case 'reset':
      unit.reset();
      customer.newSale();
      customer.takesCard();
      return unit.answer('reset', {
        status: done,
        answer: { serial: config.serial, parts: partsOf(unit), extended: unit.speaks('long-commands') },
      });
    case 'battery':
      return unit.answer('battery', { status: done, answer: { charging: 0, percent: config.batteryPercent } });
    case 'cardStatus':
      customer.newSale();
      return tellOfCards(unit, request.ask.tell);
    case 'askSlot':
      if (!unit.speaks('card-status-asked')) return unit.answerBody(fromHex(malformed.unknown));
      unit.tells = request.ask.tell;
      return unit.answerSlot();
    case 'display':
      unit.parts.report(`display: ${request.ask.text.replaceAll('\n', ' / ')}`);
      unit.answer('display', { status: done, answer: {} });
      if (invites.test(request.ask.text)) customer.invited(request.ask.text);
      if (removes.test(request.ask.text)) customer.takesCard();
      return;
    case 'keys': {
      const { sred, pin } = keys.states();
      const answer = { ready: true, pin: pin.usesLeft > 0, sred: sred.usesLeft > 0 };
      return unit.answer('keys', { status: done, answer });
    }
    case 'abort':
      // That the tap reader is stopped tells the customer nothing: a card just put in is still to be read.
      if (unit.running()?.name !== 'startContactless') customer.takesCard();
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
      // The clock alone is answered before, with data and without. A row of the table without a case does not compile.
      request satisfies { name: 'clock' };
  }
};

/** D060. The notice is the whole answer, as the vendor's SDK has it: it waits for no other. */
const tellOfCards = (unit: MpiUnit, tell: number): void => {
  unit.tells = tell;
  if (unit.speaks('card-status-silent') || unit.speaks('card-status-asked')) return;
  if (unit.speaks('card-status-answered')) unit.answer('cardStatus', { status: done, answer: {} });
  unit.tellSlot({ answers: !unit.speaks('card-status-answered') });
  if (unit.speaks('card-status-answered-late')) unit.answerBody(fromHex(done));
};

const partsOf = (unit: MpiUnit) => {
  const { config } = unit.parts;
  const program = { name: `${config.model}-MPI`, version: config.firmware };
  const system = { name: `${config.model}-OS`, version: '7-12' };
  return unit.speaks('system-first') ? [system, program] : [program, system];
};

/** Commands the driver has no use for, but technicians' tools have: bodies without their status word. */
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
  // The clock: told with data, asked without.
  D010: (unit, { data }) => (data.length > 0 ? [] : clockOf(unit)),
  // Key presses: taken note of.
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

/** The status for a command whose data could not be read: missing tags are named apart from malformed ones. */
const refusalOf = ({ code, data }: Apdu): string => {
  if (code === commands.manualEntry.code) return data.length === 0 ? malformed.empty : malformed.format;
  try {
    const children = inside(decodeTlv(data), 'E0');
    const missing = (needed[code] ?? []).some((tag) => find(children, tag) === undefined);
    return missing ? malformed.missing : malformed.data;
  } catch (error) {
    if (!isFault(error, 'emv.malformed', 'tlv.malformed')) throw error;
    return malformed.data;
  }
};

/** Carries out a command body, or answers why it cannot. */
export const hear = (unit: MpiUnit, customer: MpiCustomer, body: Uint8Array) => {
  const refuse = (status: string) => unit.answerBody(fromHex(status));
  let apdu: Apdu;
  try {
    apdu = decodeApdu(body);
  } catch (error) {
    if (!isFault(error, 'terminal.garbled')) throw error;
    return refuse(malformed.format);
  }
  // Only a device that says so takes commands longer than a block.
  if (isLong(body) && !unit.speaks('long-commands')) return refuse(malformed.format);
  const running = unit.running();
  if (running !== undefined && apdu.code !== 'D0FF' && apdu.code !== 'D000') return refuse(malformed.busy);
  const other = others[apdu.code];
  if (other !== undefined) return unit.answerBody(concat(encodeTlv(other(unit, apdu)), fromHex(done)));
  try {
    const request = decodeRequest(body);
    if (request === undefined) return refuse(malformed.unknown);
    carryOut(unit, customer, request);
  } catch (error) {
    if (!isFault(error, 'emv.malformed', 'tlv.malformed', 'hex.malformed', 'currency.unknown')) throw error;
    unit.parts.report(`command ${toHex(body.subarray(0, 2))} refused: ${error.message}`);
    refuse(refusalOf(apdu));
  }
};
