/**
 * Who can open a till's folder. File modes, which make it private elsewhere, protect nothing on Windows: there it is
 * the access control list, set by `icacls` with security identifiers, because names are translated. See
 * docs/technician.md.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, parse, resolve, sep } from 'node:path';
import { makeFolder } from '../../base/files.ts';
import { environment } from '../machine.ts';
import {
  type AskWindows,
  askWindows,
  type ProgramResult,
  sidIn,
  type WindowsProgram,
  type WindowsPrograms,
  windowsPrograms,
} from './windows-programs.ts';

/** `user`: whoever created it. `counter`: everybody who signs in at this machine, for several logins at one counter. */
export type Owners = 'user' | 'counter';

/** The shared program data folder, where the desktop app has its till on Windows. */
export const counterFolder = (programData: string): string => join(programData, 'Tillgate');

/** Who owns a till's folder, decided by where it is. `programData`: the Windows variable of that name. */
export const ownersOf = (path: string, programData = environment()['ProgramData']): Owners => {
  if (programData === undefined || programData === '') return 'user';
  const counter = `${resolve(counterFolder(programData))}${sep}`.toLowerCase();
  return `${resolve(path)}${sep}`.toLowerCase().startsWith(counter) ? 'counter' : 'user';
};

type RightsContext = { owners: Owners; platform?: NodeJS.Platform };
export type MakingParts = RightsContext & { programs?: WindowsPrograms };
export type LookingParts = RightsContext & { ask?: AskWindows; diskType?: DiskType };

const SYSTEM = 'S-1-5-18';
const ADMINISTRATORS = 'S-1-5-32-544';
const INTERACTIVE = 'S-1-5-4';

/** The names in security descriptors (SDDL) of identifiers that can appear in a folder's list. */
const names: Readonly<Record<string, { sid: string; name: string }>> = {
  SY: { sid: SYSTEM, name: 'SYSTEM' },
  BA: { sid: ADMINISTRATORS, name: 'Administrators' },
  IU: { sid: INTERACTIVE, name: 'INTERACTIVE' },
  WD: { sid: 'S-1-1-0', name: 'Everyone' },
  AU: { sid: 'S-1-5-11', name: 'Authenticated Users' },
  BU: { sid: 'S-1-5-32-545', name: 'Users' },
  LA: { sid: 'LA', name: 'Administrator' },
  BG: { sid: 'S-1-5-32-546', name: 'Guests' },
  PU: { sid: 'S-1-5-32-547', name: 'Power Users' },
  BO: { sid: 'S-1-5-32-551', name: 'Backup Operators' },
  RD: { sid: 'S-1-5-32-555', name: 'Remote Desktop Users' },
  NU: { sid: 'S-1-5-2', name: 'NETWORK' },
  SU: { sid: 'S-1-5-6', name: 'SERVICE' },
  AN: { sid: 'S-1-5-7', name: 'ANONYMOUS LOGON' },
  LS: { sid: 'S-1-5-19', name: 'LOCAL SERVICE' },
  NS: { sid: 'S-1-5-20', name: 'NETWORK SERVICE' },
  AC: { sid: 'S-1-15-2-1', name: 'ALL APPLICATION PACKAGES' },
  // These two identifiers stand for whoever creates or owns an item, and give nobody access by themselves.
  CO: { sid: 'S-1-3-0', name: 'CREATOR OWNER' },
  OW: { sid: 'S-1-3-4', name: 'OWNER RIGHTS' },
};
/** The built-in Administrator (`LA`) counts as one of the administrators, whatever machine its identifier is from. */
const trustedSids: ReadonlySet<string> = new Set([SYSTEM, ADMINISTRATORS, 'LA', 'S-1-3-0', 'S-1-3-4']);

/**
 * The arguments for `icacls`: access for the owners, the system and its administrators, and no inheritance. Everybody
 * at the counter may do everything with the content, except change access to it. No single login gets more access
 * than that, because the others would then count as strangers. `others`: identifiers that were granted access by name,
 * which only `/remove` takes away.
 */
export const grantsFor = (sid: string, owners: Owners, others: readonly string[] = []): string[] => {
  const isCounter = owners === 'counter';
  const all = [...(isCounter ? [] : [sid]), SYSTEM, ADMINISTRATORS].map((one) => `*${one}:(OI)(CI)F`);
  const removed = [...(isCounter ? [sid] : []), ...others].map((one) => `*${one}`);
  return [
    '/inheritance:r',
    '/grant:r',
    ...all,
    ...(isCounter ? [`*${INTERACTIVE}:(OI)(CI)M`] : []),
    ...(removed.length === 0 ? [] : ['/remove:g', ...removed]),
  ];
};

/** The same as a person types it: PowerShell would execute what is in brackets. */
const commandLine = (path: string, args: readonly string[]): string =>
  ['icacls', `"${path}"`, ...args.map((arg) => (/[()]/.test(arg) ? `"${arg}"` : arg))].join(' ');

/** Creates a folder for keys, accessible to its owners only, if it does not exist. Throws `folder.unusable`. */
export const makeOwnedFolder = (path: string, { owners, platform = process.platform, ...rest }: MakingParts): void => {
  makeFolder(path);
  if (platform === 'win32' && isEmpty(path)) closeFolder(path, { owners, ...rest });
};

/** An interrupted start leaves an empty folder without its own access list. */
const isEmpty = (path: string): boolean => {
  try {
    return readdirSync(path).length === 0;
  } catch {
    return false;
  }
};

/** Restricts a folder to its owners. `rightsOf` must check the result, because `icacls` can succeed without effect. */
export const closeFolder = (
  path: string,
  { owners, programs = windowsPrograms }: Omit<MakingParts, 'platform'>,
): void => {
  const sid = sidIn(programs('whoami', ['/user']));
  if (sid !== undefined) programs('icacls', [path, ...grantsFor(sid, owners)]);
};

export type Rights =
  /** Only its owners can open it. */
  | { state: 'own' }
  /** `who`: others who can open it, by their Windows names; on systems with modes, the kind of users. */
  | { state: 'open'; who: readonly string[]; cure: string }
  /** It is the till of all users of this machine, and some of them cannot open it. */
  | { state: 'narrow'; cure: string }
  /** Its disk has no permissions, like FAT32 and exFAT, so everybody can open it. */
  | { state: 'rightless'; fileSystem: string }
  /** The system does not tell. `said`: its output. `cure`: a command with which a person can check. */
  | { state: 'unsaid'; said: string; cure: string };

/** Who can open it. `cure` is the command that corrects it. */
export const rightsOf = async (
  path: string,
  { owners, platform = process.platform, ...rest }: LookingParts,
): Promise<Rights> => {
  if (!existsSync(path)) return { state: 'own' };
  const { ask = askWindows, diskType } = rest;
  const isWindows = platform === 'win32';
  const rights = isWindows ? await byList(path, owners, ask) : byModes(path);
  if (rights.state === 'own') return rights;
  const fileSystem = isWindows ? await rightlessVolume(path, ask) : rightlessDisk(path, diskType);
  return fileSystem === undefined ? rights : { state: 'rightless', fileSystem };
};

const byList = async (path: string, owners: Owners, ask: AskWindows): Promise<Rights> => {
  const unknownRights = (program: WindowsProgram, { code, out }: ProgramResult): Rights => ({
    state: 'unsaid',
    said: out === '' ? `${program} (${code})` : `${program}: ${out}`,
    cure: commandLine(path, []),
  });
  const user = await ask('whoami', ['/user']);
  const sid = sidIn(user);
  if (sid === undefined) return unknownRights('whoami', user);
  const readers = await readersOf(path, ask);
  if ('code' in readers) return unknownRights('icacls', readers);
  return judgeReaders(readers, { path, sid, owners });
};

type RightCheck = { path: string; sid: string; owners: Owners };

const judgeReaders = (readers: readonly Reader[], { path, sid, owners }: RightCheck): Rights => {
  const own = new Set([sid, ...trustedSids, ...(owners === 'counter' ? [INTERACTIVE] : [])]);
  const others = readers.filter((one) => !own.has(one.sid));
  const removable = others.map((one) => one.sid).filter((id) => id.startsWith('S-'));
  const remedy = commandLine(path, grantsFor(sid, owners, removable));
  const who = others.map(({ sid: id, name }) => (name === id ? id : `${name} (${id})`));
  if (who.length > 0) return { state: 'open', who, cure: remedy };
  const isNarrow = owners === 'counter' && readers.every((one) => one.sid !== INTERACTIVE);
  return isNarrow ? { state: 'narrow', cure: remedy } : { state: 'own' };
};

/** Checks the secrets file too: the folder itself may be open to others, but its secrets must not be. */
const byModes = (path: string): Rights => {
  const secrets = join(path, 'till.secrets.json');
  if (!existsSync(secrets)) return { state: 'own' };
  const { mode } = statSync(secrets);
  const who = [...(mode & 0o070 ? ['its group'] : []), ...(mode & 0o007 ? ['other users'] : [])];
  return who.length === 0 ? { state: 'own' } : { state: 'open', who, cure: `chmod 600 "${secrets}"` };
};

type Reader = { sid: string; name: string };

/** Everybody whom the folder's list gives access to it or to its new content; else the output of `icacls`. */
const readersOf = async (path: string, ask: AskWindows): Promise<Reader[] | ProgramResult> => {
  const folder = mkdtempSync(join(tmpdir(), 'tillgate-rights-'));
  const file = join(folder, 'rights');
  try {
    const saved = await ask('icacls', [path, '/save', file]);
    return (existsSync(file) ? readersIn(readFileSync(file).toString('utf16le')) : undefined) ?? saved;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/**
 * The allowed identifiers in a security descriptor, as `icacls /save` writes it after the folder's name. Undefined if
 * there is none, and empty if nobody has access. A folder without a list (`NO_ACCESS_CONTROL`) is open to everybody.
 */
export const readersIn = (text: string): Reader[] | undefined => {
  const [, list] = /D:(.*?)(?:S:[A-Z]*\(|$)/s.exec(text) ?? [];
  if (list === undefined) return undefined;
  if (list.startsWith('NO_ACCESS_CONTROL')) return [{ sid: 'S-1-1-0', name: 'Everyone' }];
  // An entry may have a condition after its trustee: whoever could have access by it counts.
  const allowed = [...list.matchAll(/\((\w+);(?:[^;()]*;){4}([^;()]+)/g)].flatMap(([, type = '', trustee = '']) =>
    ['A', 'OA', 'XA', 'ZA'].includes(type) ? [trustee] : [],
  );
  return [...new Set(allowed)].map((trustee) => names[trustee] ?? readerOfSid(trustee));
};

const readerOfSid = (sid: string): Reader => Object.values(names).find((one) => one.sid === sid) ?? { sid, name: sid };

// Disks without permissions, such as USB sticks: settings there are silently lost.

/** File system numbers of Linux's statfs(2). */
const rightless: Readonly<Record<number, string>> = { 19780: 'FAT', 538032816: 'exFAT' };

/** The number of the file system that contains a path. */
type DiskType = (path: string) => number;

const systemDiskType: DiskType = (path) => statfsSync(path).type;

/** The name of a file system without permissions. Undefined for others, and when unknown. */
const rightlessDisk = (path: string, diskType = systemDiskType): string | undefined => rightless[diskType(path)];

/** The same on Windows. `fsutil` translates its output, but not the name of a file system. */
const rightlessVolume = async (path: string, ask: AskWindows): Promise<string | undefined> => {
  const { out } = await ask('fsutil', ['fsinfo', 'volumeinfo', parse(resolve(path)).root]);
  return /: *(FAT\d*|exFAT)\s*$/im.exec(out)?.[1];
};

// Describes who else can open a folder with keys, and what a person can do about it.

/** The message and the remedy. Empty for a folder that only its owners can open. */
export const rightsText = (folder: string, rights: Rights): string[] => {
  switch (rights.state) {
    case 'own':
      return [];
    case 'open':
      return [`Other users can open ${folder}, and the keys in it: ${rights.who.join(', ')}.`, toType(rights.cure)];
    case 'narrow':
      return [
        `Other users of this machine cannot open ${folder}, so they cannot sell on this till.`,
        toType(rights.cure),
      ];
    case 'rightless':
      return [
        `${folder} is on a disk with ${rights.fileSystem}, which has no permissions: anyone who uses this machine or takes the disk can open the folder, and the keys in it.`,
        'Stop the programs that use the folder, then move it to a disk with permissions, such as this machine’s own.',
      ];
    case 'unsaid':
      return [
        `Windows does not show who can open ${folder}, and the keys in it (${rights.said}).`,
        `An administrator can see it with: ${rights.cure}`,
      ];
  }
};

const toType = (command: string): string => `An administrator runs: ${command}`;
