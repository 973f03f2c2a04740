/**
 * Which dialects an MPI device turns out to speak, derived from what goes by on its line. Nothing is asked for it, and
 * no decision depends on it. What was read is overwritten: an answer may hold an encrypted PIN.
 */
import { toHex } from '../../src/base/hex.ts';
import { overwrite } from '../../src/base/overwrite.ts';
import type { Ear, Way } from '../driver.ts';
import { resetAnswer } from './answers.ts';
import { commands } from './commands.ts';
import { type MpiMessage, mpiReader } from './messages.ts';
import { decodeNotice } from './notices.ts';
import type { MpiDialect } from './simulator-dialects.ts';

/** Rows that a till cannot hear on its line, and why. */
export const unheardDialects: Partial<Readonly<Record<MpiDialect, string>>> = {
  'manual-with-expiry': 'it is in what the device encrypts',
};

const STATUS_BYTES = 2;
const CODE_BYTES = 2;

/** An ear of one conversation. Bytes that cannot be read tell nothing. */
export const mpiEar = (): Ear => {
  const readers = { said: mpiReader(), heard: mpiReader() };
  const listener = new Listener();
  return {
    dialects: listener.dialects,
    push(way, bytes) {
      // What is cut may be a window on these, which are the driver's to read.
      const own = bytes.slice();
      for (const piece of readers[way].push(own)) {
        if (piece.kind === 'noise') continue;
        listener.hear(way, piece);
        overwrite(piece.body);
      }
      overwrite(own);
    },
  };
};

class Listener {
  readonly dialects = new Set<MpiDialect>();
  /** Of the commands that were said: how many answers are still to come. */
  #open = 0;
  #last = '';
  /** The latest D060: whether its notice came, and whether an answer came that no other command waits for. */
  #status: { isNoticed: boolean; isAnswered: boolean } | undefined;

  hear(way: Way, { nad, unsolicited, body }: MpiMessage): void {
    if (nad !== 1) return;
    try {
      if (way === 'said') this.#command(toHex(body.subarray(0, CODE_BYTES)));
      else if (unsolicited) this.#notice(body);
      else this.#answer(body);
    } catch {
      // What breaks its own rules is the driver's to report; of a dialect it tells nothing.
    }
  }

  #command(code: string): void {
    this.#last = code;
    if (code === commands.reset.code) this.#open = 0;
    // The notice is its whole answer.
    if (code === commands.cardStatus.code) this.#status = { isNoticed: false, isAnswered: false };
    else this.#open += 1;
  }

  #notice(body: Uint8Array): void {
    if (this.#status !== undefined && decodeNotice(body).kind === 'card') this.#status.isNoticed = true;
  }

  #answer(body: Uint8Array): void {
    if (this.#last === commands.askSlot.code && this.#status?.isNoticed === false)
      this.dialects.add(body.length > STATUS_BYTES ? 'card-status-asked' : 'card-status-silent');
    if (this.#last === commands.reset.code && body.length > STATUS_BYTES) this.#reset(body);
    if (this.#open > 0) this.#open -= 1;
    else if (this.#status?.isAnswered === false) {
      this.#status.isAnswered = true;
      this.dialects.add(this.#status.isNoticed ? 'card-status-answered-late' : 'card-status-answered');
    }
  }

  #reset(body: Uint8Array): void {
    const { parts, extended } = resetAnswer.decode(body.subarray(0, -STATUS_BYTES));
    if (extended === true) this.dialects.add('long-commands');
    const place = (program: string): number => parts.findIndex(({ name }) => name.endsWith(program));
    if (place('OS') === 0 && place('MPI') > 0) this.dialects.add('system-first');
  }
}
