/** A ZVT conversation in words, a line for each message: what was asked, what it means, and never card data. */
import { printMoney } from '../../../src/base/money.ts';
import type { Narrator, TraceDirection } from '../../driver.ts';
import type { ZvtApdu } from '../../framing/zvt-frame.ts';
import { resultOf, statusOf } from '../protocol/codes.ts';
import { commands, decodeRequest } from '../protocol/commands.ts';
import { problemsOf, readAbout } from '../protocol/health.ts';
import { decodeMessage, isAnswer, readResult, type ZvtMessage } from '../protocol/messages.ts';
import { type StreamPiece, zvtStream } from '../protocol/trace.ts';
import { homeCurrency } from './outcome.ts';

/** A narrator of one conversation. Acknowledgements of the line are left out; a NAK is told. */
export const zvtNarrator = (): Narrator => {
  const streams = { said: zvtStream(), heard: zvtStream() };
  return { push: (way, bytes) => streams[way].push(bytes).flatMap((piece) => words(way, piece)) };
};

const words = (way: TraceDirection, piece: StreamPiece): string[] => {
  if (piece.kind === 'ack') return [];
  if (piece.kind === 'nak') return ['NAK: say it again'];
  if (piece.kind === 'noise') return [`${piece.bytes} unreadable bytes: ${piece.why}`];
  const { apdu } = piece;
  try {
    if (isAnswer(apdu)) return [answerWords(apdu)];
    return [way === 'said' ? commandWords(apdu) : messageWords(apdu)];
  } catch {
    // A message that breaks its own rules is told by its code.
    return [`${apdu.data.length} bytes of ${apdu.code} that cannot be read`];
  }
};

const answerWords = ({ code }: ZvtApdu): string => {
  if (code.startsWith('80') || code === '8400') return 'taken';
  const low = code.slice(2);
  return low === '9C' ? 'PLEASE WAIT' : `REFUSED ${low}: ${low === '66' ? 'goods not issued' : resultOf(low).says}`;
};

const commandWords = (apdu: ZvtApdu): string => {
  const request = decodeRequest(apdu);
  if (request === undefined) return `unknown command ${apdu.code}`;
  const name = commands[request.name].says.toUpperCase();
  if (request.name === 'authorisation' || request.name === 'refund') {
    const { amountMinor: minor, currency } = request.ask;
    return `${name} ${printMoney({ minor, currency })}`;
  }
  return request.name === 'reversal' ? `${name} of receipt ${request.ask.receipt}` : name;
};

const messageWords = (apdu: ZvtApdu): string => {
  const message = decodeMessage(apdu);
  return message === undefined ? `unknown message ${apdu.code}` : wordsOfMessage(message);
};

const wordsOfMessage = (message: ZvtMessage): string => {
  switch (message.kind) {
    case 'status':
      return `STATUS ${message.code}: ${statusOf(message.code).says}`;
    case 'result':
      return resultWords(message);
    case 'print': {
      const { receipt, lines, ends } = message;
      return `PRINT ${lines.length} lines of the ${receipt} receipt${ends ? ', its end' : ''}`;
    }
    case 'completion': {
      const problems = problemsOf(readAbout(message.data));
      return ['COMPLETION', ...problems].join('; ');
    }
    case 'aborted':
      return `ABORTED ${message.code}: ${resultOf(message.code).says}`;
  }
};

const resultWords = (message: Extract<ZvtMessage, { kind: 'result' }>): string => {
  const { code, amountMinor: minor, currency = homeCurrency, receiptNumber, told } = readResult(message);
  return [
    `RESULT ${code}: ${code === '00' ? 'approved' : resultOf(code).says}`,
    ...(minor === undefined ? [] : [printMoney({ minor, currency })]),
    ...(receiptNumber === undefined ? [] : [`receipt ${receiptNumber}`]),
    ...(told.entryMode === undefined ? [] : [told.entryMode]),
    ...(told.maskedPan === undefined ? [] : [told.maskedPan]),
  ].join(', ');
};
