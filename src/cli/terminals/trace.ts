/** `till trace`: a recorded conversation with a terminal, side by side with what it means. */
import { statSync } from 'node:fs';
import { styleText } from 'node:util';
import type { Command } from 'commander';
import { parseTape } from '../../../drivers/links/tape-text.ts';
import { driverOf } from '../../../drivers/registry.ts';
import type { TracedMessage } from '../../api/contract/diagnosis.ts';
import { errorText, Fault } from '../../base/fault.ts';
import { readTextFile } from '../../base/files.ts';
import { type TraceLook, tracedJson, tracedLines, tracedTape } from '../../terminals/trace/recording.ts';
import { malformed } from '../arguments.ts';
import { print, tell } from '../terms.ts';

type TraceFlags = { protocol?: string; json?: true; full?: true };

const fileBytesMax = 128 * 1024 * 1024;
const hexLinesMax = 8;
/** The width for an output that is not a terminal. */
const plainWidth = 120;

export const addTrace = (till: Command): void => {
  till
    .command('trace <file>')
    .description('show a recorded conversation with a terminal, as bytes and in words')
    .option('--protocol <name>', 'the terminal’s protocol, if the recording does not name it')
    .option('--full', 'all bytes of long messages')
    .option('--json', 'one JSON object for each message')
    .action((file: string, flags: TraceFlags) => trace(file, flags));
};

const trace = (file: string, { protocol, json, full }: TraceFlags): void => {
  const tape = parseTape(textOf(file), file);
  const name = protocol ?? tape.protocol;
  const narrator = name === undefined ? undefined : driverOf(name).narrator(tape.carries);
  if (narrator === undefined) tell('The recording names no protocol: bytes without meaning. Name it with --protocol.');
  const look: TraceLook = {
    width: process.stdout.columns ?? plainWidth,
    hexLinesMax: full ? Number.POSITIVE_INFINITY : hexLinesMax,
    paint: paintOn(process.stdout),
  };
  for (const message of tracedTape(tape, narrator)) {
    if (json) print(JSON.stringify(tracedJson(message)));
    else for (const line of tracedLines(message, look)) print(line);
  }
};

/** Prints each message on stderr as it arrives. */
export const tellTraced = (): ((message: TracedMessage) => void) => {
  const look: TraceLook = { width: process.stderr.columns ?? plainWidth, hexLinesMax, paint: paintOn(process.stderr) };
  return (message) => {
    for (const line of tracedLines(message, look)) tell(line);
  };
};

const colours = { said: 'cyan', heard: 'green', lost: 'red' } as const;

/** Only on a screen, and not where NO_COLOR is set. */
const paintOn =
  (stream: NodeJS.WriteStream) =>
  (way: TracedMessage['way'], text: string): string =>
    styleText(colours[way], text, { stream });

const textOf = (file: string): string => {
  const unreadableFault = (why: string, cause?: unknown) => malformed(`${file} cannot be read: ${why}`, cause);
  try {
    const { size } = statSync(file);
    if (size > fileBytesMax) throw unreadableFault(`it has more than ${fileBytesMax} bytes`);
    return readTextFile(file);
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw unreadableFault(errorText(error), error);
  }
};
