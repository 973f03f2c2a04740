/** `till diagnose`: examines a terminal without a payment, and writes a support bundle. */
import { styleText } from 'node:util';
import type { Command } from 'commander';
import type { Check, DiagnosisAnswer, DiagnosisNews } from '../../api/contract/diagnosis.ts';
import { systemClock as clock } from '../../base/clock.ts';
import { Fault, isFault } from '../../base/fault.ts';
import { printMs } from '../../terminals/checks/diagnosis.ts';
import { histogram } from '../../terminals/checks/loopback.ts';
import {
  describeSuspects,
  saveBundle,
  type WrittenBundle,
  writeFolderBundle,
} from '../../terminals/support/support-bundle.ts';
import { type TillApi, unwrap, unwrapBytes, unwrapLines } from '../api-client.ts';
import { wholeNumber } from '../arguments.ts';
import { type CommandSession, withTillApi } from '../front-door.ts';
import type { PersonFlags } from '../person.ts';
import { FAULT, print, progressBar, tell } from '../terms.ts';
import { type FolderFlags, folderOf, printJson } from '../till-folder.ts';
import { folderCommand, MACHINE } from '../till-options.ts';
import { oneOf, search, withYes } from './search.ts';
import { tellTraced } from './trace.ts';

type DiagnoseFlags = FolderFlags &
  PersonFlags & {
    terminal?: string;
    echoes: string;
    live?: true;
    yes?: true;
    bundle?: string;
    leaveOut?: true;
    json?: true;
  };

export const addDiagnose = (till: Command): void => {
  folderCommand(till, 'diagnose', 'check a terminal without a payment: port, device, keys, health and connection')
    .option('--terminal <address>', 'its address; default: the paired one, or the only one found')
    .option('--echoes <n>', 'how many test messages to measure with, 0 to 1000', '20')
    .option('--machine <name>', MACHINE)
    .option('--yes', 'ask no questions: try all protocols at an address without one')
    .option('--live', 'show each message to and from the terminal')
    .option(
      '--bundle <file>',
      'write a file for support: diagnosis, configuration, versions, log, journal; no card data',
    )
    .option('--leave-out', 'leave out of the bundle the sections that may contain card data')
    .action(async (flags: DiagnoseFlags) => {
      const { data, test, machine, as, pinFile } = flags;
      let isOpen = false;
      try {
        await withTillApi({ data, test, machine, as, pinFile }, (till) => {
          isOpen = true;
          return diagnose(till, flags);
        });
      } catch (error) {
        if (!isOpen) await bundleOfFolder(error, flags);
        throw error;
      }
    });
};

const diagnose = async ({ api, shown }: CommandSession, flags: DiagnoseFlags): Promise<void> => {
  const echoes = wholeNumber(flags.echoes, '--echoes takes a whole number from 0 to 1000', 1_000);
  let diagnosis: DiagnosisAnswer | undefined;
  let nothing: Fault | undefined;
  try {
    diagnosis = await examine(api, { ...flags, echoCount: echoes });
  } catch (error) {
    // Support needs the bundle even without a terminal to examine.
    if (!isFault(error) || flags.bundle === undefined) throw error;
    nothing = error;
  }
  const bundle = flags.bundle === undefined ? undefined : await writeBundle(api, flags.bundle, flags);
  if (nothing !== undefined) throw nothing;
  if (flags.json === true) printJson(shown, { ...(diagnosis && diagnosisJson(diagnosis)), bundle });
  process.exitCode = exitCodes[diagnosis?.verdict ?? 'bad'];
};

const exitCodes: Readonly<Record<DiagnosisAnswer['verdict'], number>> = { good: 0, odd: 1, notAsked: 1, bad: FAULT };

type ExamineFlags = DiagnoseFlags & { echoCount: number };

/** Throws `command.malformed` if consent is missing, `terminal.unknown`, `terminal.notFound`, `terminal.several`. */
const examine = async (api: TillApi, flags: ExamineFlags): Promise<DiagnosisAnswer> => {
  const { terminal, live, echoCount: echoes } = flags;
  const [own] = await unwrap(api.devices.$get());
  const address = terminal ?? own?.address ?? oneOf((await search(api, [], flags)).found).address;
  const hear = news(flags);
  const diagnosis = await withYes(flags, (probe) =>
    unwrapLines<DiagnosisNews, DiagnosisAnswer>(
      api.devices.diagnosis.$post({ json: { address, probe, echoes, live } }),
      hear,
    ),
  );
  if (flags.json !== true) showEnd(diagnosis);
  return diagnosis;
};

const news = ({ json, live, echoCount }: ExamineFlags): ((news: DiagnosisNews) => void) => {
  if (json === true) return () => {};
  const bar = progressBar(live === true ? 0 : echoCount);
  const traced = tellTraced();
  return (one) => {
    if ('address' in one) print(`The terminal at ${one.address}`);
    else if ('check' in one) showCheck(one.check);
    else if ('message' in one) traced(one.message);
    else if ('stray' in one) tell(`? ${one.stray}`);
    else {
      bar.at(one.echo);
      if (one.echo === one.of) bar.end();
    }
  };
};

const verdicts = { good: 'good', odd: 'attention', bad: 'bad', notAsked: 'notAsked' } as const;

const showEnd = ({ address, loopback, verdict, says, answersAt }: DiagnosisAnswer): void => {
  if (loopback !== undefined && loopback.tookMs.length > 0) {
    const { tookMs, minMs = 0, medianMs = 0, p95Ms = 0, maxMs = 0 } = loopback;
    print('');
    for (const line of histogram(tookMs)) print(line);
    print(
      `least ${printMs(minMs)}, median ${printMs(medianMs)}, 95 % within ${printMs(p95Ms)}, most ${printMs(maxMs)}`,
    );
  }
  print('');
  print(styleText(['bold', colours[verdicts[verdict]]], says, { stream: process.stdout }));
  if (answersAt !== undefined && answersAt !== address)
    tell(`The paired terminal answers at ${answersAt} now. Pair it there: npm run till -- pair ${answersAt}`);
};

const colours = { good: 'green', attention: 'yellow', bad: 'red', notAsked: 'gray' } as const;
const marks = { good: '✓', attention: '!', bad: '✗', notAsked: '–' } as const;

const showCheck = ({ what, verdict, says, cure, inOrder = [] }: Check): void => {
  const mark = styleText(colours[verdict], marks[verdict], { stream: process.stdout });
  print(`${mark} ${what.padEnd(8)} ${says}`);
  if (cure !== undefined) print(`${' '.repeat(11)}→ ${cure}`);
  for (const [at, words] of inOrder.entries()) print(`${' '.repeat(13)}${at + 1}. ${words}`);
};

const diagnosisJson = ({ verdict, device, loopback, ...rest }: DiagnosisAnswer) => {
  const { histogram: _, lost = 0, asked = 0, ...figures } = loopback ?? {};
  return {
    ...rest,
    verdict: verdicts[verdict],
    found: device && {
      title: device.title,
      kind: device.asksBank === true ? 'integrated' : 'reader',
      info: {
        ...{ model: device.model, serial: device.serial, firmware: device.firmware },
        hasPinPad: device.hasPinPad,
      },
      keys: device.keys,
      health: device.health,
      problems: device.problems,
    },
    loopback: loopback && { asked, answered: asked - lost, ...figures },
  };
};

type BundleFlags = Pick<DiagnoseFlags, 'leaveOut' | 'json'>;

/** Throws `bundle.cardData` unless `--leave-out` was given, and `bundle.unwritable`. */
const writeBundle = async (api: TillApi, file: string, flags: BundleFlags): Promise<WrittenBundle> => {
  const { sections } = await unwrap(api.bundle.$get());
  const leftOut = sections.flatMap(({ suspect }) => suspect ?? []);
  if (leftOut.length > 0 && flags.leaveOut !== true)
    throw new Fault('bundle.cardData', { sections: describeSuspects(leftOut) });
  saveBundle(file, await unwrapBytes(api.bundle.$post()));
  const written = { file, sections: sections.flatMap(({ name, suspect }) => (suspect ? [] : [name])), leftOut };
  tellWritten(written, flags);
  return written;
};

const tellWritten = ({ file, sections, leftOut }: WrittenBundle, { json }: BundleFlags): void => {
  if (json === true) return;
  tell(`Support bundle ${file}: ${sections.join(', ')}. No card data was found in it.`);
  if (leftOut.length > 0) tell(`Left out, because they may contain card data or keys: ${describeSuspects(leftOut)}`);
};

/** Writes the bundle of a till that cannot be opened. A failed sign-in gets no bundle. */
const bundleOfFolder = async (error: unknown, flags: DiagnoseFlags): Promise<void> => {
  const { bundle: file, leaveOut } = flags;
  if (file === undefined || !isFault(error) || /^(staff|session|command)\./.test(error.code)) return;
  tellWritten(await writeFolderBundle(file, { folder: folderOf(flags), clock, leaveOut }), flags);
};
