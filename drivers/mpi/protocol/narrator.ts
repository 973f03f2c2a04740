/** An MPI conversation in words, a line for each message: what was asked, what it means, and never card data. */
import { toHex } from '../../../src/base/hex.ts';
import type { Narrator } from '../../driver.ts';
import { type MpiPiece, mpiReader } from './messages.ts';
import { answerWords } from './narrator-answers.ts';
import { commandWords } from './narrator-commands.ts';
import { noticeWords } from './narrator-notices.ts';

/** A narrator of one conversation. What cannot be read is told by its size and the rule that it breaks. */
export const mpiNarrator = (): Narrator => {
  const readers = { said: mpiReader(), heard: mpiReader() };
  return { push: (way, bytes) => readers[way].push(bytes).map((piece) => wordsOfPiece(way, piece)) };
};

const wordsOfPiece = (way: 'said' | 'heard', piece: MpiPiece): string => {
  if (piece.kind === 'noise') return `${piece.bytes.length} unreadable bytes: ${piece.why}`;
  const { body, unsolicited, nad } = piece;
  const printer = nad === 2 ? 'printer: ' : '';
  try {
    if (unsolicited) return `${printer}unasked: ${noticeWords(body)}`;
    return `${printer}${way === 'said' ? commandWords(body) : answerWords(body)}`;
  } catch {
    // A body that breaks its own rules is told by its first two bytes, which are a command's code or a template's tag.
    return `${printer}${body.length} bytes that cannot be read, beginning ${toHex(body.subarray(0, 2))}`;
  }
};
