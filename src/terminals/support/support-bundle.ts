/**
 * A support bundle: one readable file with what remote support needs, and nothing that could be used to pay. Its
 * content is gathered section by section and scanned for card data before a byte is written.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { arch, platform, release } from 'node:os';
import { join } from 'node:path';
import { candidatesOf } from '../../../drivers/discovery.ts';
import { listPluggedDevices } from '../../../drivers/links/plugged.ts';
import manifest from '../../../package.json' with { type: 'json' };
import type { BundleSection, Suspect, TraceRow } from '../../api/contract/diagnosis.ts';
import { type Clock, dateTime } from '../../base/clock.ts';
import { errorText, Fault, isFault } from '../../base/fault.ts';
import { readTextFile, replaceFile } from '../../base/files.ts';
import { journalFile } from '../../folder/config.ts';
import type { Sql } from '../../journal/sql.ts';
import { unlistedMessage } from '../../locales/messages/en/machine.ts';
import type { Diagnosis } from '../checks/diagnosis.ts';
import { bundledFiles, journalTail, lastEntries } from './bundled-files.ts';
import { scanForCardData } from './card-data-scan.ts';

export type SupportSection = { name: string; lines: readonly string[] };

export type BundleParts = {
  folder: string;
  clock: Clock;
  /** The journal of a running till; if absent, the folder's file is read. */
  journal?: Sql;
  versions: Readonly<Record<string, string>>;
  /** What is plugged in, one line each. */
  terminals: readonly string[];
  diagnosis: Diagnosis | undefined;
};

const ENTRIES = 100;

/** Everything that can go into a bundle. A section that cannot be read says so; nothing else is thrown. */
export const bundleSections = ({
  folder,
  clock,
  journal,
  versions,
  terminals,
  diagnosis,
}: BundleParts): SupportSection[] => [
  section('about', () => [
    `made  ${dateTime(clock.now())} UTC`,
    `system  ${platform()} ${release()} ${arch()}`,
    ...Object.entries(versions).map(([name, version]) => `${name}  ${version}`),
  ]),
  section('configuration', () => configLines(folder)),
  section('terminals', () => terminals),
  section('diagnosis', () => (diagnosis === undefined ? ['None was made.'] : diagnosisLines(diagnosis))),
  section('journal', () =>
    journal === undefined ? journalTail(journalFile(folder), ENTRIES) : lastEntries(journal, ENTRIES),
  ),
  ...bundledFiles(folder).map(({ name, read }) => section(name, read)),
];

const section = (name: string, read: () => readonly string[]): SupportSection => {
  try {
    return { name, lines: read() };
  } catch (error) {
    return { name, lines: [`It could not be read: ${errorText(error)}`] };
  }
};

/** till.json as it is, except for what an address contains besides the host. Its secrets are in another file. */
const configLines = (folder: string): string[] => {
  const file = join(folder, 'till.json');
  if (!existsSync(file)) return ['There is no till.json yet.'];
  const config = JSON.parse(readTextFile(file)) as unknown;
  return JSON.stringify(
    config,
    (_, value: unknown) => (typeof value === 'string' ? withoutCredentials(value) : value),
    2,
  ).split('\n');
};

const withoutCredentials = (text: string): string => text.replace(/(\w+:\/\/)[^/@\s]*@/g, '$1').replace(/\?.*$/s, '');

const diagnosisLines = (diagnosis: Diagnosis): string[] => JSON.stringify(diagnosis, null, 2).split('\n');

/** The till's own secrets, to search for in everything. None when they cannot be read. */
const ownSecrets = (folder: string): string[] => {
  try {
    const secrets: unknown = JSON.parse(readTextFile(join(folder, 'till.secrets.json')));
    return Object.values(secrets as Record<string, unknown>).filter((value) => typeof value === 'string');
  } catch {
    return [];
  }
};

/** What is suspicious in a section: the kinds and the lines, never the content. Undefined when it is clean. */
export const findSuspect = ({ name, lines }: SupportSection, secrets: readonly string[] = []): Suspect | undefined => {
  const found = scanForCardData(lines.join('\n'), secrets);
  // Files of the till's folder give their names to sections.
  const named = scanForCardData(name, secrets);
  const kinds = [...new Set([...named, ...found].map(({ kind }) => kind))];
  if (kinds.length === 0) return undefined;
  return { section: named.length > 0 ? 'the name of a file' : name, kinds, lines: found.map(({ line }) => line) };
};

export type WrittenBundle = { file: string; sections: readonly string[]; leftOut: readonly Suspect[] };

/**
 * Writes the bundle, completely or not at all, readable by its owner only. Suspicious sections are left out if
 * `leaveOut` is set; otherwise throws `bundle.cardData` with their names and writes nothing. Throws
 * `bundle.unwritable`.
 */
export const writeBundle = (
  file: string,
  sections: readonly SupportSection[],
  { folder, leaveOut }: { folder: string; leaveOut?: true },
): WrittenBundle => {
  const judged = judgedSections(sections, folder);
  const { text, included, leftOut } = bundleText(judged);
  if (leftOut.length > 0 && leaveOut !== true)
    throw new Fault('bundle.cardData', { sections: describeSuspects(leftOut) });
  saveBundle(file, text);
  return { file, sections: included, leftOut };
};

type CheckedSection = { section: SupportSection; suspect: Suspect | undefined };

/** Scans each section for card data and for the till's own secrets. */
const judgedSections = (sections: readonly SupportSection[], folder: string): CheckedSection[] => {
  const secrets = ownSecrets(folder);
  return sections.map((section) => ({ section, suspect: findSuspect(section, secrets) }));
};

/** The bundle as one text: suspicious sections are left out and listed at its top. */
const bundleText = (
  checkedSections: readonly CheckedSection[],
): { text: string; included: string[]; leftOut: Suspect[] } => {
  const leftOut = checkedSections.flatMap(({ suspect }) => suspect ?? []);
  const stored = checkedSections.filter(({ suspect }) => suspect === undefined).map(({ section }) => section);
  const text = [
    'TILLGATE SUPPORT BUNDLE 1',
    ...leftOut.map((suspect) => `LEFT OUT: ${describeSuspects([suspect])}`),
    ...stored.flatMap(({ name, lines }) => ['', `==== ${name} (lines: ${lines.length})`, ...lines]),
    '',
  ].join('\n');
  return { text, included: stored.map(({ name }) => name), leftOut };
};

/** Writes a bundle's text, whole or not at all, for its owner only. Throws `bundle.unwritable`. */
export const saveBundle = (file: string, text: string | Uint8Array): void => {
  const fresh = `${file}.new`;
  try {
    writeFileSync(fresh, text, { mode: 0o600, flush: true });
    replaceFile(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    if (isFault(error)) throw error;
    throw new Fault('bundle.unwritable', { file, why: errorText(error) }, error);
  }
};

/** The most lines named for each section. */
const LINES_NAMED = 5;

/** `log till.log (card number, line 12)`. */
export const describeSuspects = (suspects: readonly Suspect[]): string =>
  suspects
    .map(({ section, kinds, lines }) => {
      const more = lines.length > LINES_NAMED ? ' and more' : '';
      const at = [...new Set(lines)].slice(0, LINES_NAMED).join(', ');
      return `${section} (${kinds.join(' and ')}${at === '' ? '' : `, line ${at}${more}`})`;
    })
    .join('; ');

// The support bundle for a screen: its content, the scan's findings, and the file itself.

export type BundleTools = {
  folder: string;
  clock: Clock;
  journal: Sql;
  version: string;
  /** The last diagnosis that was made, if any. */
  diagnosis: Diagnosis | undefined;
  trace: readonly TraceRow[];
};

/** The lines of a section that are shown for inspection before it is sent. */
const BEGINS = 40;

const machineParts = async (version: string): Promise<Pick<BundleParts, 'versions' | 'terminals'>> => {
  const { devices, problems } = await listPluggedDevices();
  const terminals = candidatesOf(devices).map(({ likely, place, family }) => `${likely}  ${place}  ${family ?? ''}`);
  return {
    versions: { tillgate: version, node: process.version, ...manifest.dependencies },
    terminals: [...terminals, ...problems.map((one) => unlistedMessage(one).says)],
  };
};

/** The bundle of a till that cannot be opened, from the files in its folder. Throws as `writeBundle`. */
export const writeFolderBundle = async (
  file: string,
  { folder, clock, leaveOut }: { folder: string; clock: Clock; leaveOut?: true | undefined },
): Promise<WrittenBundle> => {
  const parts = { folder, clock, diagnosis: undefined, ...(await machineParts(manifest.version)) };
  return writeBundle(file, bundleSections(parts), { folder, leaveOut });
};

const collectSections = async ({
  folder,
  clock,
  journal,
  version,
  diagnosis,
  trace,
}: BundleTools): Promise<CheckedSection[]> => {
  const machine = await machineParts(version);
  const sections = bundleSections({ folder, clock, journal, diagnosis, ...machine });
  return judgedSections([...sections, traceSection(trace)], folder);
};

/** The bytes are masked already; those that still look like card data, mostly by chance, are not worth the risk. */
const traceSection = (trace: readonly TraceRow[]): SupportSection => ({
  name: 'trace',
  lines: trace.map(({ at, counter, way, hex, says }) => {
    const printLine = (bytes: string): string =>
      `${dateTime(at)}  ${counter}  ${way}  ${bytes}  ${says.map(({ text }) => text).join('; ')}`;
    const whole = printLine(hex);
    return scanForCardData(whole).length === 0 ? whole : printLine(`(${hex.length / 2} bytes left out)`);
  }),
});

/** What the bundle would contain, and why parts are left out. */
export const bundlePreview = async (tools: BundleTools): Promise<{ sections: BundleSection[] }> => ({
  sections: (await collectSections(tools)).map(({ section: { name, lines }, suspect }) => ({
    name,
    lines: lines.length,
    suspects: suspect === undefined ? [] : [describeSuspects([suspect])],
    begins: suspect === undefined ? lines.slice(0, BEGINS) : [],
    suspect,
  })),
});

/** The file, made again from the present data: it contains only what the scan found clean. */
export const bundleFile = async (
  tools: BundleTools,
): Promise<{ name: string; bytes: Uint8Array; leftOut: string[] }> => {
  const { text, leftOut } = bundleText(await collectSections(tools));
  const stamp = dateTime(tools.clock.now()).replace(/[: ]/g, '-');
  return {
    name: `tillgate-support-${stamp}.txt`,
    bytes: Buffer.from(text),
    leftOut: leftOut.map((suspect) => describeSuspects([suspect])),
  };
};
