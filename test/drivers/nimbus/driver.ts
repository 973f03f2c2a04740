/** NIMBUS terminals: the till's interface for integrated terminals over the NIMBUS protocol. */
import type { IntegratedDriver } from '../../../drivers/driver.ts';
import {
  framedNarrator,
  framedScribe,
  openPlainTerminal,
  type PlainCall,
  type PlainProtocol,
} from '../../../drivers/plain-terminal.ts';
import { Fault } from '../../../src/base/fault.ts';
import { entryModes } from '../../../src/emv/entry-mode.ts';
import { commands, digits, events, frames, type Message, notice, refusals, statuses, wordOf } from './commands.ts';

/** The fields of a command. A payment's trace is the number of its question; a refund names no payment. */
const fieldsOf = (call: PlainCall, number: string): string[] => {
  if (call.do === 'reverse') return [digits(call.receiptNumber, 6)];
  if (!('amount' in call)) return [];
  return [digits(call.do === 'pay' ? number : '', 6), digits(call.amount.minor, 12), call.amount.currency];
};

/** An answer that cannot be understood is neither an approval nor a decline. */
const unclear = (status: string) =>
  new Fault('terminal.unclear', { command: 'a command', status, why: 'its answer is in no known form' });

const isMasked = (pan: string): boolean => /^\d{0,6}\*+\d{0,4}$/.test(pan);
// The terminal prints its own receipts: there are no lines for the till.
const lines = { customerLines: [], merchantLines: [] };

const outcomeOf: PlainProtocol<Message>['outcomeOf'] = ({ letter, fields }) => {
  const [first = '', second = '', currency = '', authorisationCode = '', maskedPan = '', cardName = '', mode] = fields;
  if (letter === 'N') return { kind: 'none' };
  if (letter === 'D') {
    if (first === refusals.busy[0]) return { kind: 'busy' };
    if (!/^[0-9A-F]{2}$/.test(first)) throw unclear(letter);
    const reversal = first === refusals.alreadyReversed[0] ? { already: true as const } : {};
    return { kind: 'declined', code: first, why: second, ...reversal, ...lines };
  }
  if (!/^\d{6} \d{12} [A-Z]{3}$/.test(`${first} ${second} ${currency}`) || !isMasked(maskedPan)) throw unclear(letter);
  const entryMode = entryModes.find((known) => known === mode);
  const reported = { authorisationCode, maskedPan, cardName, entryMode };
  const amount = { minor: BigInt(second), currency };
  return { kind: 'approved', payment: { amount, receiptNumber: first, traceNumber: first, ...reported }, ...lines };
};

/**
 * The state of one connection: answers have no numbers, so the open questions are kept here and matched by order and
 * kind.
 */
const protocolOf = (): PlainProtocol<Message> => {
  let running = { number: '', answers: '', trace: '' };
  const cancels: string[] = [];
  return {
    frames,
    ask(call, number) {
      const fields = fieldsOf(call, number);
      const trace = call.do === 'pay' || call.do === 'reverse' ? `${fields[0]}` : '';
      if (call.do === 'cancel') cancels.push(number);
      else running = { number, answers: commands[call.do].answers, trace };
      return { letter: commands[call.do].letter, fields };
    },
    placeOf({ letter, fields }) {
      if (letter === notice) return 'notice';
      if (letter === 'K' && fields.length === 0) return { number: cancels.shift() ?? '' };
      const isOurs = letter !== 'A' || running.trace === '' || running.trace === fields[0];
      return { number: isOurs && running.answers.includes(letter) ? running.number : '' };
    },
    eventOf: ({ fields }) => events.find((event) => statuses[event] === fields[0]),
    infoOf: ({ fields: [model = 'NIMBUS', serial = '', firmware = ''] }) => ({ model, serial, firmware }),
    linesOf({ letter, fields }) {
      if (letter !== 'T') throw unclear(letter);
      return fields;
    },
    outcomeOf,
  };
};

/** A message that may contain card data is neither described nor recorded: an approval's number may not be masked. */
const isShown = ({ letter, fields }: Message): boolean =>
  letter === 'A' ? isMasked(fields[4] ?? '') : wordOf(letter) !== undefined;

const describeMessage = (message: Message): string =>
  isShown(message) ? [wordOf(message.letter)?.toUpperCase(), ...message.fields].join(' ') : 'an unknown message';

export const nimbus: IntegratedDriver = {
  kind: 'integrated',
  name: 'nimbus',
  title: 'NIMBUS',
  usb: [],
  serial: { baudRate: 9_600, stopBits: 1 },
  scribe: () => framedScribe(frames, isShown),
  narrator: () => framedNarrator(frames, describeMessage),
  async open(link, tools) {
    const terminal = await openPlainTerminal(link, tools, protocolOf());
    // An operation that an earlier connection left running must end: its answer could not be told from the next one's.
    await terminal.cancel();
    return terminal;
  },
};
