/** `till boot`: starts the till together with this machine, before anybody signs in. */
import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { Fault } from '../../base/fault.ts';
import { makeOwnedFolder, ownersOf } from '../../folder/rights/folder-rights.ts';
import {
  type Follow,
  shareOf,
  sidIn,
  type WindowsPrograms,
  windowsPrograms,
} from '../../folder/rights/windows-programs.ts';
import { isFolderBusy, modeOfFolder } from '../../folder/till-folder.ts';
import { malformed, portOf } from '../arguments.ts';
import { print, tell } from '../terms.ts';
import { printJson } from '../till-folder.ts';
import { type RunningFlags, runningFolder, withRunning } from './running-till.ts';

type BootFlags = RunningFlags & { port: string; dryRun?: true };

const AFTERWORDS = `
On Windows a task of the Task Scheduler starts the till as you, without a stored password and without a window. It
starts a till that has ended again within a minute, even after till stop: to stop it for longer, use till boot off
first, then till stop. Never end the task itself during a sale: to the till, that is like a power cut. Run on and off in a
PowerShell that was started as administrator.

A task without a password cannot reach a share (\\\\server\\share, or a drive that leads to one): the till’s folder
and this program must be on a disk of this machine.

On Linux, use the systemd unit build/linux/tillgate.service: see build/README.md.`;

export const addBoot = (till: Command): void => {
  const boot = till.command('boot').description('start this till with the machine').addHelpText('after', AFTERWORDS);
  withRunning(boot.command('show', { isDefault: true }))
    .description('whether it starts with the machine')
    .action((flags: RunningFlags) => show(flags));
  withRunning(boot.command('on'))
    .description('start it with the machine from now on, and now if it is not running')
    .option('--port <n>', 'TCP port on 127.0.0.1 for its screens', '8800')
    .option('--dry-run', 'print the task, and change nothing')
    .action((flags: BootFlags) => on(flags));
  withRunning(boot.command('off'))
    .description('no longer start it with the machine; a running till continues')
    .action((flags: RunningFlags) => off(flags));
};

/** Throws `command.malformed` on systems other than Windows. */
const refuseElsewhere = (platform: NodeJS.Platform): void => {
  if (platform === 'win32') return;
  const why = 'till boot is for Windows. On Linux use the systemd unit build/linux/tillgate.service: build/README.md';
  throw malformed(why);
};

/** How this process was started, so that the task starts the till in the same way. */
type Self = Pick<NodeJS.Process, 'platform' | 'execPath' | 'execArgv' | 'argv'> & { cwd(): string };

export type BootParts = {
  self: Self;
  programs: WindowsPrograms;
  /** Follows a path to its drive or share. Default: the system's own way. */
  follow?: Follow;
};

const systemParts = (): BootParts => ({ self: process, programs: windowsPrograms });

/** Throws `boot.share` if the folder or this program is on a share: a task without a password cannot reach it. */
const refuseShares = (folder: string, { self, follow }: BootParts): void => {
  for (const path of [folder, self.argv[1] ?? '', self.execPath, self.cwd()]) {
    const share = shareOf(path, follow);
    if (share !== undefined) throw new Fault('boot.share', { path, share });
  }
};

/** The task that starts the till of this folder. Throws `boot.refused` if Windows does not name the user. */
export const taskFor = (folder: string, port: number, { self, programs }: BootParts): BootTask => {
  const sid = sidIn(programs('whoami', ['/user']));
  if (sid === undefined) throw new Fault('boot.refused', { why: 'whoami does not name the user' });
  const start = ['start', '--data', folder, '--port', String(port), '--no-open-browser'];
  return {
    sid,
    program: self.execPath,
    args: [...self.execArgv, self.argv[1] ?? '', ...start],
    folder: self.cwd(),
    description: `Tillgate: the till in ${folder}`,
  };
};

export const on = async (flags: BootFlags, parts = systemParts()): Promise<void> => {
  const folder = resolve(runningFolder(flags));
  const { self, programs } = parts;
  const port = portOf(flags.port);
  refuseElsewhere(self.platform);
  refuseShares(folder, parts);
  const xml = taskXml(taskFor(folder, port, parts));
  if (flags.dryRun === true) return print(xml);
  const name = taskName(folder);
  register(folder, { xml, name, parts });
  const runs = isFolderBusy(folder);
  if (!runs) mustDo(programs('schtasks', ['/Run', '/TN', name]));
  if (flags.json === true) return printJson(modeOfFolder(folder), { boot: true, task: name, started: !runs });
  print(`The till in ${folder} starts with this machine (task ${name}).`);
  tell(
    runs
      ? 'One is already running, and continues.'
      : 'It is being started. Open its screens with: npm run till -- open',
  );
};

type Registering = { xml: string; name: string; parts: BootParts };

const register = (folder: string, { xml, name, parts: { self, programs } }: Registering): void => {
  // The folder must be protected before anything is in it.
  makeOwnedFolder(folder, { owners: ownersOf(folder), platform: self.platform, programs });
  const file = join(folder, 'boot-task.xml');
  writeFileSync(file, taskBytes(xml), { mode: 0o600 });
  try {
    mustDo(programs('schtasks', ['/Create', '/TN', name, '/XML', file, '/F']));
  } finally {
    rmSync(file, { force: true });
  }
};

const mustDo = ({ code, out }: { code: number; out: string }): void => {
  if (code !== 0) throw new Fault('boot.refused', { why: out === '' ? `schtasks ended with ${code}` : out });
};

const isOn = (folder: string, programs: WindowsPrograms): boolean =>
  programs('schtasks', ['/Query', '/TN', taskName(folder)]).code === 0;

export const show = async (flags: RunningFlags, { self, programs } = systemParts()): Promise<void> => {
  refuseElsewhere(self.platform);
  const folder = resolve(runningFolder(flags));
  const boot = isOn(folder, programs);
  if (flags.json === true) return printJson(modeOfFolder(folder), { boot, task: boot ? taskName(folder) : undefined });
  print(boot ? `It starts with this machine (task ${taskName(folder)}).` : 'It does not start with this machine.');
};

export const off = async (flags: RunningFlags, { self, programs } = systemParts()): Promise<void> => {
  refuseElsewhere(self.platform);
  const folder = resolve(runningFolder(flags));
  const was = isOn(folder, programs);
  if (was) mustDo(programs('schtasks', ['/Delete', '/TN', taskName(folder), '/F']));
  if (flags.json === true) return printJson(modeOfFolder(folder), { boot: false, was });
  print(was ? 'It no longer starts with this machine.' : 'It did not start with this machine.');
  if (isFolderBusy(folder)) tell('The running till continues. To stop it: npm run till -- stop');
};

// A task of the Windows Task Scheduler, because Node cannot run as a Windows service. Elements as in Microsoft's Task
// Scheduler schema 1.3.

type BootTask = {
  /** Security identifier of the user who runs it. */
  sid: string;
  program: string;
  args: readonly string[];
  folder: string;
  description: string;
};

/** The name of the task, made from the till's folder: a machine can have several tills. */
export const taskName = (dataDir: string): string =>
  `\\Tillgate\\till-${createHash('sha256').update(dataDir.toLowerCase()).digest('hex').slice(0, 8)}`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Quotes an argument as programs of Windows parse it: backslashes are special only before a quotation mark. */
export const quoted = (arg: string): string =>
  /^[^\s"]+$/.test(arg) ? arg : `"${arg.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;

/**
 * Starts the till with the machine, without a signed-in user and without a stored password (S4U). The scheduler
 * restarts only what it could not start, so the trigger repeats each minute and does nothing while the till runs. No
 * time limit and no battery ends the task. Its priority is that of ordinary programs (5; the default for tasks is 7).
 */
export const taskXml = ({ sid, program, args, folder, description }: BootTask): string =>
  `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.3" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>${escaped(description)}</Description>
  </RegistrationInfo>
  <Triggers>
    <BootTrigger>
      <Repetition>
        <Interval>PT1M</Interval>
        <StopAtDurationEnd>false</StopAtDurationEnd>
      </Repetition>
      <Enabled>true</Enabled>
    </BootTrigger>
  </Triggers>
  <Principals>
    <Principal id="Till">
      <UserId>${escaped(sid)}</UserId>
      <LogonType>S4U</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <AllowHardTerminate>false</AllowHardTerminate>
    <StartWhenAvailable>true</StartWhenAvailable>
    <RunOnlyIfNetworkAvailable>false</RunOnlyIfNetworkAvailable>
    <AllowStartOnDemand>true</AllowStartOnDemand>
    <Enabled>true</Enabled>
    <RunOnlyIfIdle>false</RunOnlyIfIdle>
    <WakeToRun>false</WakeToRun>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <Priority>5</Priority>
  </Settings>
  <Actions Context="Till">
    <Exec>
      <Command>${escaped(program)}</Command>
      <Arguments>${escaped(args.map(quoted).join(' '))}</Arguments>
      <WorkingDirectory>${escaped(folder)}</WorkingDirectory>
    </Exec>
  </Actions>
</Task>
`;

/** The file format that schtasks reads: UTF-16 with a byte order mark, and Windows line breaks. */
export const taskBytes = (xml: string): Buffer => Buffer.from(`\uFEFF${xml.replaceAll('\n', '\r\n')}`, 'utf16le');
