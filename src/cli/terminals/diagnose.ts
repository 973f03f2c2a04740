/** `till diagnose`: what is wrong with a terminal, in words, without a payment; and a bundle for whoever helps. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { styleText } from 'node:util';
import type { Command } from 'commander';
import { candidateAt, candidatesOf } from '../../../drivers/discovery.ts';
import { pluggedIn } from '../../../drivers/links/plugged.ts';
import manifest from '../../../package.json' with { type: 'json' };
import type { Check } from '../../api/ports/devices.ts';
import { holdTill, ledgerOf } from '../../app/stores.ts';
import { systemClock } from '../../base/clock.ts';
import { Fault, isFault } from '../../base/fault.ts';
import { systemIds } from '../../base/ids.ts';
import { loadConfig, type PairedDevice } from '../../folder/config.ts';
import { ownersOf, rightsOf } from '../../folder/rights/folder-rights.ts';
import { bindingOfFolder, modeOfFolder } from '../../folder/till-folder.ts';
import { unlistedMessage } from '../../locales/messages/en/machine.ts';
import { jumpsAt } from '../../terminals/checks/device-checks.ts';
import { type Diagnosis, type DiagnosisTools, diagnose, ms } from '../../terminals/checks/diagnosis.ts';
import { histogram } from '../../terminals/checks/loopback.ts';
import { checkPort } from '../../terminals/checks/port-check.ts';
import { unknownInFiles } from '../../terminals/checks/unknown-keys-words.ts';
import { theOne } from '../../terminals/pairing/device-meeting.ts';
import { refind } from '../../terminals/refind.ts';
import {
  bundleSections,
  suspectWords,
  type WrittenBundle,
  writeBundle,
} from '../../terminals/support/support-bundle.ts';
import { FAULT, print, tell } from '../terms.ts';
import { type FolderFlags, folderOf, printJson, withFolder } from '../till-folder.ts';
import { boundTo, MACHINE, pairedIn } from '../till-options.ts';
import { addressOfNamed, search } from './search.ts';
import { candidateLine, showProgress } from './terminal-words.ts';
import { liveTrace } from './trace.ts';

type DiagnoseFlags = FolderFlags & {
  terminal?: string;
  echoes: string;
  live?: true;
  yes?: true;
  bundle?: string;
  leaveOut?: true;
  json?: true;
};

export const addDiagnose = (till: Command): void => {
  withFolder(till.command('diagnose'))
    .description('what is wrong with a terminal: port, device, keys, health, and the way to it; never a payment')
    .option('--terminal <address>', 'where it is; the paired one if left out, or the only one that is found')
    .option('--echoes <n>', 'how many questions measure the way to it, 0 to 1000', '20')
    .option('--machine <name>', MACHINE)
    .option('--yes', 'ask no questions: a place without its protocol, and what is plugged in, is asked in each')
    .option('--live', 'show what is said and heard, message by message')
    .option(
      '--bundle <file>',
      'write a file for support: diagnosis, configuration, versions, log, journal; no card data',
    )
    .option('--leave-out', 'write the bundle without the sections that may hold card data')
    .option('--json', 'print the result as JSON')
    .action(async (given: DiagnoseFlags) => {
      const flags = { ...given, data: folderOf(given) };
      const echoes = echoesOf(flags.echoes);
      let diagnosis: Diagnosis | undefined;
      let nothing: Fault | undefined;
      try {
        diagnosis = await examine(await addressOf(flags), { ...flags, echoCount: echoes, ...bindingIn(flags) });
      } catch (error) {
        // With nothing to examine a bundle is wanted all the more.
        if (!isFault(error) || flags.bundle === undefined) throw error;
        nothing = error;
      }
      const bundle = flags.bundle === undefined ? undefined : await writeFor(flags.bundle, flags, diagnosis);
      if (nothing !== undefined) throw nothing;
      if (flags.json === true) printJson(modeOfFolder(flags.data), { ...diagnosis, bundle });
      process.exitCode = { good: 0, attention: 1, bad: FAULT }[diagnosis?.verdict ?? 'bad'];
    });
};

const echoesOf = (text: string): number => {
  if (/^\d{1,4}$/.test(text) && Number(text) <= 1_000) return Number(text);
  throw new Fault('command.malformed', { why: '--echoes takes a whole number from 0 to 1000' });
};

const report = (): void => {};

/**
 * The terminal named, paired, or found. Throws `command.malformed` where a yes is missing, `terminal.unknown`,
 * `terminal.notFound`, `terminal.several`.
 */
const addressOf = async ({ terminal, data, json, yes }: DiagnoseFlags): Promise<string> => {
  const paired = pairedIn(data).terminal;
  const named = terminal ?? paired;
  const how = { json, yes };
  if (named === undefined) return theOne(await search({ places: [], ...how })).address;
  const [first] = candidateAt(named).fits;
  // A port that is not there, or that another program has, is all that is wrong: nobody has to be asked.
  if (first !== undefined && (await checkPort(first.address)).verdict === 'bad') return first.address;
  return addressOfNamed(named, { ...how, paired, untouched: () => holdTill(data)() });
};

type ExamineFlags = DiagnoseFlags & { echoCount: number } & Pick<DiagnosisTools, 'binding'>;

/** The paired terminal is the till's: meanwhile no till may be started. Throws `journal.busy` if one runs. */
const examine = async (address: string, flags: ExamineFlags): Promise<Diagnosis> => {
  const paired = pairedIn(flags.data);
  const isPaired = paired.terminal === address;
  const { device } = paired;
  const jumps =
    isPaired && device !== undefined
      ? ledgerOf(flags.data, { clock: systemClock }, (ledger) =>
          jumpsAt(ledger, { device, terminalId: loadConfig(flags.data, systemIds).terminalId }, systemClock.now()),
        )
      : undefined;
  const release = isPaired ? holdTill(flags.data) : () => {};
  try {
    if (flags.json !== true) print(`The terminal at ${address}`);
    const tools = diagnosisTools(flags, isPaired ? device : undefined);
    const rights = await rightsOf(flags.data, { owners: ownersOf(flags.data) });
    const diagnosis = await diagnose(address, { ...tools, rights, jumps });
    if (flags.json !== true) showEnd(diagnosis);
    if (flags.json !== true && diagnosis.verdict === 'bad' && isPaired && paired.device) {
      await lookElsewhere(address, paired.device);
    }
    return diagnosis;
  } finally {
    release();
  }
};

const diagnosisTools = (flags: ExamineFlags, device: PairedDevice | undefined): DiagnosisTools => ({
  clock: systemClock,
  report: (stray) => void (flags.live === true && tell(`? ${stray.message}`)),
  echoes: flags.echoCount,
  device,
  binding: flags.binding,
  unknown: unknownFiles(flags.data),
  wrap: flags.live && liveTrace,
  tell(news) {
    if (flags.json === true) return;
    if ('check' in news) showCheck(news.check);
    else if (flags.live !== true) showProgress(news.echo, news.of, 'questions');
  },
});

/** Of a folder whose till was started once. */
const bindingIn = (flags: DiagnoseFlags): Pick<DiagnosisTools, 'binding'> => {
  const binding = bindingOfFolder(flags.data, boundTo(flags).identity);
  return binding === undefined ? {} : { binding };
};

/** The secrets are read by a till that starts: they may be sealed. */
const unknownFiles = (folder: string): NonNullable<DiagnosisTools['unknown']> =>
  existsSync(join(folder, 'till.json')) ? unknownInFiles({ config: loadConfig(folder, systemIds) }) : [];

const showEnd = ({ loopback, verdict, says }: Diagnosis): void => {
  if (loopback !== undefined && loopback.answered > 0) {
    const { minMs = 0, medianMs = 0, p95Ms = 0, maxMs = 0 } = loopback;
    print('');
    for (const line of histogram(loopback.tookMs)) print(line);
    print(`least ${ms(minMs)}, median ${ms(medianMs)}, 95 % within ${ms(p95Ms)}, most ${ms(maxMs)}`);
  }
  print('');
  print(styleText(['bold', colours[verdict]], says, { stream: process.stdout }));
};

const colours = { good: 'green', attention: 'yellow', bad: 'red', notAsked: 'gray' } as const;
const marks = { good: '✓', attention: '!', bad: '✗', notAsked: '–' } as const;

const showCheck = ({ what, verdict, says, cure, inOrder = [] }: Check): void => {
  const mark = styleText(colours[verdict], marks[verdict], { stream: process.stdout });
  print(`${mark} ${what.padEnd(8)} ${says}`);
  if (cure !== undefined) print(`${' '.repeat(11)}→ ${cure}`);
  for (const [at, words] of inOrder.entries()) print(`${' '.repeat(13)}${at + 1}. ${words}`);
};

/** The paired terminal may only have changed its port. */
const lookElsewhere = async (address: string, device: PairedDevice) => {
  const now = await refind({ address, device }, { clock: systemClock, report });
  if (now !== undefined)
    tell(`The paired terminal answers at ${now} now. Have the till know: npm run till -- pair ${now}`);
};

const writeFor = async (
  file: string,
  { data, leaveOut, json }: DiagnoseFlags,
  diagnosis: Diagnosis | undefined,
): Promise<WrittenBundle> => {
  const { devices, problems } = await pluggedIn();
  const { dependencies } = manifest;
  const sections = bundleSections({
    folder: data,
    clock: systemClock,
    versions: { tillgate: manifest.version, node: process.version, ...dependencies },
    terminals: [...candidatesOf(devices).map(candidateLine), ...problems.map((one) => unlistedMessage(one).says)],
    diagnosis,
  });
  const written = writeBundle(file, sections, { folder: data, leaveOut });
  if (json !== true) {
    tell(`Support bundle ${file}: ${written.sections.join(', ')}. No card data was found in it.`);
    if (written.leftOut.length > 0)
      tell(`Left out, because card data or keys may stand there: ${suspectWords(written.leftOut)}`);
  }
  return written;
};
