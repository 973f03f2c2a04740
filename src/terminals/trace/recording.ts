/** Writes a terminal's conversation into a file while it goes on: without card data, for its owner's eyes, bounded. */
import { closeSync, openSync, writeSync } from 'node:fs';
import type { Driver } from '../../../drivers/driver.ts';
import type { Link } from '../../../drivers/links/link.ts';
import { record } from '../../../drivers/links/tape.ts';
import { tapeHeader } from '../../../drivers/links/tape-text.ts';
import type { Clock } from '../../base/clock.ts';
import { Fault, wordsOf } from '../../base/fault.ts';

/** A long day of sales; a file beyond this serves nobody. */
const recordingBytesMax = 64 * 1024 * 1024;

export type RecordingOptions = {
  clock: Clock;
  /** The largest file; 64 MiB unless given. */
  bytesMax?: number;
  /** Hears once why nothing more is written. The sale goes on without its recording. */
  report?(why: Fault): void;
};

export type Recording = {
  /** For `openTerminal`. A terminal that is opened again goes on in the same file. */
  wrap(link: Link, driver: Driver): Link;
  close(): void;
};

/** Makes the file, for this user alone. Throws `command.malformed` when it is there already or cannot be made. */
export const recordTo = (
  file: string,
  { clock, bytesMax = recordingBytesMax, report }: RecordingOptions,
): Recording => {
  let handle: number | undefined = made(file);
  const since = clock.monotonic();
  let bytes = 0;

  const stop = (why?: string, cause?: unknown) => {
    if (handle === undefined) return;
    const ended = handle;
    handle = undefined;
    closeSync(ended);
    if (why !== undefined) report?.(unusable(file, why, cause));
  };
  const write = (text: string) => {
    if (handle === undefined) return;
    const line = Buffer.from(`${text}\n`);
    try {
      if (bytes + line.length > bytesMax) {
        writeSync(handle, `# cut here: the recording has reached ${bytesMax} bytes\n`);
        return stop(`it is full at ${bytesMax} bytes; what comes after is not in it`);
      }
      bytes += writeSync(handle, line);
    } catch (error) {
      stop(wordsOf(error), error);
    }
  };

  return {
    wrap(link, driver) {
      if (bytes === 0) write(tapeHeader({ protocol: driver.name, carries: link.carries, startedAt: clock.now() }));
      write(`# opened ${link.name}`);
      return record(link, { line: write, scribe: driver.scribe, clock, since });
    },
    close: () => stop(),
  };
};

const unusable = (file: string, why: string, cause?: unknown): Fault =>
  new Fault('command.malformed', { why: `The recording ${file} cannot be written: ${why}` }, cause);

/** A file that is there may be somebody's only recording, or a link to something else: it is never written over. */
const made = (file: string): number => {
  try {
    return openSync(file, 'wx', 0o600);
  } catch (error) {
    const taken = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw unusable(file, taken ? 'there is a file of that name already' : wordsOf(error), error);
  }
};
