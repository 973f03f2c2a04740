/** Describes a NEO 2 conversation, one line per frame: the request and its meaning, never card data. */
import { printable } from '../../../src/base/mask.ts';
import { printMoney } from '../../../src/base/money.ts';
import { cryptogramOf } from '../../card-facts.ts';
import type { Narrator, TraceDirection } from '../../driver.ts';
import type { Neo2Frame } from '../../framing/neo2-frame.ts';
import type { Link } from '../../links/link.ts';
import { type Neo2Result, resultCodec } from './answers.ts';
import { clearIn, entryModeOf } from './card-data.ts';
import {
  commandByte,
  commandNames,
  commands,
  decodeAnswer,
  decodeRequest,
  interfaceBits,
  type Neo2CommandName,
  type Neo2Request,
  nameOf,
  resultCodeOf,
} from './commands.ts';
import { frameReader } from './protocol.ts';
import { resultRow, statusRow, statusText } from './status.ts';
import { decodeUpcall, isUpcall } from './upcalls.ts';

/** A narrator of one conversation. It remembers the last question, because answers do not repeat its sub-command. */
export const neo2Narrator = (carries: Link['carries']): Narrator => {
  const ways = { said: frameReader(carries, 'host'), heard: frameReader(carries, 'reader') };
  let openCommand: Neo2CommandName | undefined;
  return {
    push: (direction, bytes) =>
      ways[direction].push(bytes).map((piece) => {
        if (piece.kind === 'noise') return `${piece.bytes.length} unreadable bytes: ${piece.why}`;
        if (direction === 'said' && !isUpcall(piece.frame)) openCommand = nameOf(piece.frame);
        return describeFrame(direction, piece.frame, openCommand);
      }),
  };
};

const describeFrame = (
  direction: TraceDirection,
  frame: Neo2Frame,
  openCommand: Neo2CommandName | undefined,
): string => {
  const code = `${statusText(frame.command)}-${statusText(frame.sub ?? frame.status ?? 0)}`;
  try {
    if (isUpcall(frame)) return direction === 'said' ? `answer to the reader (${code})` : describeUpcall(frame);
    if (direction === 'heard') return describeAnswer(frame, openCommand);
    const request = decodeRequest(frame);
    return request === undefined ? `unknown command ${code}, ${frame.data.length} bytes` : describeRequest(request);
  } catch {
    // A malformed frame is described by its numbers alone.
    return `${code} with ${frame.data.length} bytes that cannot be read`;
  }
};

const titles: Partial<Readonly<Record<Neo2CommandName, string>>> = {
  activate: 'START TRANSACTION',
  authenticate: 'AUTHENTICATE CHIP',
  finish: 'HOST ANSWER',
  tapResult: 'HOST ANSWER FOR TAP',
  cancel: 'CANCEL',
  onlinePin: 'ENTER PIN',
  cancelKeys: 'STOP THE ENTRY',
  processor: 'PROCESSOR',
  manual: 'ENTER CARD NUMBER',
  manualUnderV3: 'ENTER CARD NUMBER',
  powerOff: 'POWER OFF CHIP',
  ping: 'PING',
  serial: 'SERIAL NUMBER',
  firmware: 'FIRMWARE',
  version: 'FIRMWARE IN WORDS',
  keyState: 'STATE OF A KEY',
  outputMode: 'USE OF THE DATA KEY',
  pollMode: 'READ CARDS ON DEMAND',
  configure: 'SETTINGS',
  bootNotice: 'BOOT NOTICE',
};

/** Uses of DUKPT keys by their number in 81-0B. */
const keyUses: Readonly<Record<number, string>> = { 1: 'PIN', 2: 'card data', 5: 'MAC' };

const modes = { tdes: 'Triple DES', aes: 'AES', transArmor: 'TransArmor', other: 'an unknown cipher' } as const;

const titleOf = (name: Neo2CommandName): string => titles[name] ?? commands[name].says;

const describeRequest = (request: Neo2Request): string => {
  const title = titleOf(request.name);
  switch (request.name) {
    case 'activate': {
      const { amountMinor, currency, interfaces = 0, timeoutS, type } = request.ask;
      const sum =
        amountMinor !== undefined && currency !== undefined ? ` ${printMoney({ minor: amountMinor, currency })}` : '';
      const ways = Object.entries(interfaceBits).filter(([, bit]) => (interfaces & bit) !== 0);
      return `${title}${type === '20' ? ' (refund)' : ''}${sum} by ${ways.map(([way]) => way).join(', ')}, ${timeoutS} s`;
    }
    case 'finish': {
      const tags = request.ask.tlvs.map(({ tag }) => tag).join(' ');
      return `${title}: ${request.ask.hostAnswered === 1 ? 'it answered' : 'nobody could be asked'}, tags ${tags}`;
    }
    case 'tapResult':
      return `${title}: ${request.ask.refused === 0 ? 'yes' : 'no'}`;
    case 'keyState':
      return `${title}: ${keyUses[request.ask.use] ?? `use ${statusText(request.ask.use)}`}`;
    default:
      return title;
  }
};

const describeUpcall = (frame: Neo2Frame): string => {
  const upcall = decodeUpcall(frame);
  switch (upcall?.kind) {
    case 'menu':
      return `READER ASKS: choose one of ${upcall.choices.length}`;
    case 'pin':
      return `READER ASKS: a PIN for the ${upcall.for}`;
    case 'words':
      return 'READER ASKS: show words';
    case undefined:
      return 'READER ASKS for something unknown';
  }
};

const describeAnswer = (frame: Neo2Frame, openCommand: Neo2CommandName | undefined): string => {
  const { command, status = 0xff, data } = frame;
  const name = openCommand !== undefined && commandByte(openCommand) === command ? openCommand : findCommand(command);
  if (name === undefined) return `unknown message ${statusText(command)}, ${data.length} bytes`;
  const { says, means } = statusRow(status);
  const start = `${titleOf(name)}: ${means === 'refused' ? `refused, status ${statusText(status)}, ` : ''}${says}`;
  if (name === 'bootNotice' && data.length > 0) return 'READER RESTARTED';
  const detail = detailOf(name, frame);
  return detail === '' ? start : `${start} (${detail})`;
};

const findCommand = (command: number): Neo2CommandName | undefined =>
  commandNames.find((name) => commandByte(name) === command);

const cardSteps: ReadonlySet<Neo2CommandName> = new Set([
  'activate',
  'lastResult',
  'startChip',
  'authenticate',
  'finish',
  'manual',
  'manualUnderV3',
]);

const detailOf = (name: Neo2CommandName, frame: Neo2Frame): string => {
  if (cardSteps.has(name) && frame.data.length > 0) return describeResult(resultCodec.decode(frame.data));
  if (name === 'keyState') {
    const { state, ksn } = decodeAnswer(name, frame).answer ?? {};
    return [state, ksn].filter((part) => part !== undefined).join(', ');
  }
  if (name === 'outputMode') {
    const { cipher, variant } = decodeAnswer(name, frame).answer ?? {};
    return cipher === undefined ? '' : `${modes[cipher]}, ${variant} variant`;
  }
  if (name !== 'version' && name !== 'firmware' && name !== 'serial' && name !== 'processor') return '';
  return printable(decodeAnswer(name, frame).answer?.text ?? '', 60).trim();
};

/** Result, entry mode and kind of cryptogram, but no card data. */
const describeResult = (answer: Neo2Result): string => {
  const code = resultCodeOf(answer);
  const text = code === undefined ? undefined : (resultRow(code)?.says ?? `result ${code}`);
  return [text, entryModeOf(answer), cryptogramOf(clearIn(answer.tlvs))?.kind]
    .filter((part) => part !== undefined)
    .join(', ');
};
