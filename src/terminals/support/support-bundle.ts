/**
 * A support bundle: one readable file with what somebody far away needs to help, and nothing that anybody could pay
 * with. What goes in is gathered section by section and looked through for card data before a byte is written.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { arch, platform, release } from 'node:os';
import { join } from 'node:path';
import { type Clock, dateTime } from '../../base/clock.ts';
import { Fault, isFault, wordsOf } from '../../base/fault.ts';
import { readTextFile, replaceFile } from '../../base/files.ts';
import { journalFile } from '../../folder/config.ts';
import type { Sql } from '../../journal/sql.ts';
import type { Diagnosis } from '../checks/diagnosis.ts';
import { bundledFiles } from './bundled-files.ts';
import { type CardDataKind, scanForCardData } from './card-data-scan.ts';
import { journalTail, lastEntries } from './journal-tail.ts';

export type SupportSection = { name: string; lines: readonly string[] };

export type BundleParts = {
  folder: string;
  clock: Clock;
  /** The journal of a till that runs; the folder's file is read if left out. */
  journal?: Sql;
  /** Programs and their versions. */
  versions: Readonly<Record<string, string>>;
  /** What is plugged in, a line each. */
  terminals: readonly string[];
  diagnosis: Diagnosis | undefined;
};

const ENTRIES = 100;

/** Everything that may go into a bundle. What cannot be read is told in its section; nothing else is thrown. */
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
    return { name, lines: [`It could not be read: ${wordsOf(error)}`] };
  }
};

/** till.json as it stands, but for what an address may carry beside the host. Its secrets are in another file. */
const configLines = (folder: string): string[] => {
  const file = join(folder, 'till.json');
  if (!existsSync(file)) return ['There is no till.json yet.'];
  const config = JSON.parse(readTextFile(file)) as unknown;
  return JSON.stringify(config, (_, value: unknown) => (typeof value === 'string' ? bare(value) : value), 2).split(
    '\n',
  );
};

const bare = (text: string): string => text.replace(/(\w+:\/\/)[^/@\s]*@/g, '$1').replace(/\?.*$/s, '');

const diagnosisLines = (diagnosis: Diagnosis): string[] => JSON.stringify(diagnosis, null, 2).split('\n');

/** The till's own secrets, to be looked for in everything. None when they cannot be read. */
const ownSecrets = (folder: string): string[] => {
  try {
    const secrets: unknown = JSON.parse(readTextFile(join(folder, 'till.secrets.json')));
    return Object.values(secrets as Record<string, unknown>).filter((value) => typeof value === 'string');
  } catch {
    return [];
  }
};

export type Suspect = { section: string; kinds: readonly CardDataKind[]; lines: readonly number[] };

/** What is suspicious in a section: the kinds and the lines, never what stands there. Undefined when it is clean. */
export const suspectIn = ({ name, lines }: SupportSection, secrets: readonly string[] = []): Suspect | undefined => {
  const found = scanForCardData(lines.join('\n'), secrets);
  // Files of the till's folder lend their names to their sections.
  const named = scanForCardData(name, secrets);
  const kinds = [...new Set([...named, ...found].map(({ kind }) => kind))];
  if (kinds.length === 0) return undefined;
  return { section: named.length > 0 ? 'the name of a file' : name, kinds, lines: found.map(({ line }) => line) };
};

export type WrittenBundle = { file: string; sections: readonly string[]; leftOut: readonly Suspect[] };

/**
 * Writes the bundle, whole or not at all, for its owner only. Sections under suspicion are left out when `leaveOut`
 * says so; otherwise throws `bundle.cardData`, naming them, and writes nothing. Throws `bundle.unwritable`.
 */
export const writeBundle = (
  file: string,
  sections: readonly SupportSection[],
  { folder, leaveOut }: { folder: string; leaveOut?: true },
): WrittenBundle => {
  const judged = judgedSections(sections, folder);
  const { text, kept, leftOut } = bundleText(judged);
  if (leftOut.length > 0 && leaveOut !== true) throw new Fault('bundle.cardData', { sections: suspectWords(leftOut) });
  save(file, text);
  return { file, sections: kept, leftOut };
};

export type CheckedSection = { section: SupportSection; suspect: Suspect | undefined };

/** Each section looked through for card data, and for the till's own secrets in this folder. */
export const judgedSections = (sections: readonly SupportSection[], folder: string): CheckedSection[] => {
  const secrets = ownSecrets(folder);
  return sections.map((section) => ({ section, suspect: suspectIn(section, secrets) }));
};

/** The bundle as one text: sections under suspicion are left out, and named at its top. */
export const bundleText = (judged: readonly CheckedSection[]): { text: string; kept: string[]; leftOut: Suspect[] } => {
  const leftOut = judged.flatMap(({ suspect }) => suspect ?? []);
  const kept = judged.filter(({ suspect }) => suspect === undefined).map(({ section }) => section);
  const text = [
    'TILLGATE SUPPORT BUNDLE 1',
    ...leftOut.map((suspect) => `LEFT OUT: ${suspectWords([suspect])}`),
    ...kept.flatMap(({ name, lines }) => ['', `==== ${name} (lines: ${lines.length})`, ...lines]),
    '',
  ].join('\n');
  return { text, kept: kept.map(({ name }) => name), leftOut };
};

const save = (file: string, text: string): void => {
  const fresh = `${file}.new`;
  try {
    writeFileSync(fresh, text, { mode: 0o600, flush: true });
    replaceFile(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    if (isFault(error)) throw error;
    throw new Fault('bundle.unwritable', { file, why: wordsOf(error) }, error);
  }
};

/** Lines named for each section, at most. */
const LINES_NAMED = 5;

/** `log till.log (card number, line 12)`. */
export const suspectWords = (suspects: readonly Suspect[]): string =>
  suspects
    .map(({ section, kinds, lines }) => {
      const more = lines.length > LINES_NAMED ? ' and more' : '';
      const at = [...new Set(lines)].slice(0, LINES_NAMED).join(', ');
      return `${section} (${kinds.join(' and ')}${at === '' ? '' : `, line ${at}${more}`})`;
    })
    .join('; ');
