/**
 * Detects the dialects that an MPI device speaks from the traffic on its line. It sends nothing, and no decision
 * depends on it. The bytes are overwritten after reading: an answer may contain an encrypted PIN.
 */
import { overwrite, toHex } from '../../../src/base/hex.ts';
import { decodeTlv, findDeep } from '../../../src/emv/tlv.ts';
import type { DialectDetector, LinkFacts, TraceDirection } from '../../driver.ts';
import { resetAnswer } from './codec.ts';
import { commands } from './commands.ts';
import type { MpiDialect } from './dialects.ts';
import { type MpiMessage, mpiReader } from './messages.ts';
import { decodeNotice, deviceCodes, statusRow } from './notices.ts';

/** Dialects that a till cannot detect from its line, and why. */
export const undetectableDialects: Partial<Readonly<Record<MpiDialect, string>>> = {
  'manual-with-expiry': 'it is in what the device encrypts',
};

/** Events that only some devices report; the other codes concern power and the choice of an application. */
const events: ReadonlySet<number> = new Set([deviceCodes.pinEntry, deviceCodes.successBeep, deviceCodes.errorBeep]);

const STATUS_BYTES = 2;
const CODE_BYTES = 2;
const DONE = '9000';
const MASKED_TRACK_OF_TAP = 'DFAE6B';

/** Listens to one conversation. Unreadable bytes are ignored. */
export const mpiDialectDetector = ({ line }: Pick<LinkFacts, 'line'>): DialectDetector => {
  const readers = { said: mpiReader(), heard: mpiReader() };
  const listener = new Listener({ speaksFirst: line.startsWith('tcp') });
  return {
    dialects: listener.dialects,
    push(direction, bytes) {
      // The cut pieces may be views of these bytes, which belong to the driver.
      const own = bytes.slice();
      for (const piece of readers[direction].push(own)) {
        if (piece.kind === 'noise') continue;
        listener.handle(direction, piece);
        overwrite(piece.body);
      }
      overwrite(own);
    },
  };
};

class Listener {
  readonly dialects = new Set<MpiDialect>();
  /** How many commands are still unanswered. */
  #open = 0;
  #last = '';
  /** The latest D060: whether its notice arrived, and whether an answer arrived that belongs to no other command. */
  #status: { isNoticed: boolean; isAnswered: boolean } | undefined;
  /** An abort was sent during another command: whether that command has ended, with nothing received before. */
  #abort: 'said' | 'commandEnded' | undefined;
  /** A card is in the slot whose chip has not answered. */
  #isChipDown = false;
  /** Nothing has been received yet. */
  #isFresh = true;
  /** Over TCP each device reports at the beginning that it was switched on. */
  readonly #speaksFirst: boolean;

  constructor({ speaksFirst }: { speaksFirst: boolean }) {
    this.#speaksFirst = speaksFirst;
  }

  handle(direction: TraceDirection, { nad, unsolicited, body }: MpiMessage): void {
    if (nad !== 1) return;
    try {
      if (direction === 'said') this.#command(toHex(body.subarray(0, CODE_BYTES)));
      else if (unsolicited) this.#notice(body);
      else this.#answer(body);
    } catch {
      // The driver reports malformed messages; they say nothing about dialects.
    }
    if (direction === 'heard') this.#isFresh = false;
  }

  #command(code: string): void {
    this.#last = code;
    this.#abort = code === commands.abort.code && this.#open > 0 ? 'said' : undefined;
    if (code === commands.reset.code) this.#open = 0;
    // The notice is its whole answer.
    if (code === commands.cardStatus.code) this.#status = { isNoticed: false, isAnswered: false };
    else this.#open += 1;
  }

  #notice(body: Uint8Array): void {
    const notice = decodeNotice(body);
    if (notice.kind === 'device') this.#device(notice.code);
    if (notice.kind !== 'card') return;
    if (this.#status !== undefined) this.#status.isNoticed = true;
    if (notice.present && notice.chip && this.#isChipDown) this.dialects.add('card-before-chip');
    this.#isChipDown = notice.present && !notice.chip;
  }

  #device(code: number): void {
    if (events.has(code)) this.dialects.add('device-events');
    const isTold = code === deviceCodes.poweredOn && this.#isFresh;
    if (isTold && !this.#speaksFirst) this.dialects.add('powered-on-told');
  }

  #answer(body: Uint8Array): void {
    this.#aborted(toHex(body.subarray(-STATUS_BYTES)));
    if (this.#last === commands.startContactless.code && body.length > STATUS_BYTES) this.#tapped(body);
    if (this.#last === commands.askSlot.code && this.#status?.isNoticed === false)
      this.dialects.add(body.length > STATUS_BYTES ? 'card-status-asked' : 'card-status-silent');
    if (this.#last === commands.reset.code && body.length > STATUS_BYTES) this.#reset(body);
    if (this.#open > 0) this.#open -= 1;
    else if (this.#status?.isAnswered === false) {
      this.#status.isAnswered = true;
      this.dialects.add(this.#status.isNoticed ? 'card-status-answered-late' : 'card-status-answered');
    }
  }

  /**
   * Usually the abort is answered first. A command cancelled by its key at the same moment looks the same, so this is
   * an indication, not proof.
   */
  #aborted(status: string): void {
    if (this.#abort === 'commandEnded' && status === DONE) this.dialects.add('abort-answered-last');
    this.#abort = this.#abort === 'said' && statusRow(status).means === 'cancelled' ? 'commandEnded' : undefined;
  }

  #tapped(body: Uint8Array): void {
    const masked = findDeep(decodeTlv(body.subarray(0, -STATUS_BYTES)), MASKED_TRACK_OF_TAP);
    if (masked !== undefined) this.dialects.add('tap-track-apart');
  }

  #reset(body: Uint8Array): void {
    const { parts, extended } = resetAnswer.decode(body.subarray(0, -STATUS_BYTES));
    if (extended === true) this.dialects.add('long-commands');
    const placeOf = (program: string): number => parts.findIndex(({ name }) => name.endsWith(program));
    if (placeOf('OS') === 0 && placeOf('MPI') > 0) this.dialects.add('system-first');
  }
}
