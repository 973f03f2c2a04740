/**
 * A till that starts with Windows: a task of its Task Scheduler, for a service needs a program that speaks to the
 * service manager, which Node is not. Elements as Microsoft's Task Scheduler schema 1.3 has them.
 */
import { createHash } from 'node:crypto';

export type BootTask = {
  /** Security identifier of the user who runs it. */
  sid: string;
  program: string;
  args: readonly string[];
  folder: string;
  description: string;
};

/** By the till's folder: a machine may have several tills. */
export const taskName = (dataDir: string): string =>
  `\\Tillgate\\till-${createHash('sha256').update(dataDir.toLowerCase()).digest('hex').slice(0, 8)}`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** One argument as a program of Windows takes its command line apart: backslashes count before a quote alone. */
export const quoted = (arg: string): string =>
  /^[^\s"]+$/.test(arg) ? arg : `"${arg.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;

/**
 * At each start of the machine, without anybody signed in and without a password kept (S4U). A till that has ended is
 * started again within a minute, for the scheduler restarts only what it could not start: the trigger repeats for ever,
 * and does nothing while one runs. It is never ended for running long, nor for a battery, and runs as quickly as other
 * programs (priority 5; 7 is a task's own).
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

/** As schtasks reads a file: UTF-16 with its mark, and line ends of Windows. */
export const taskBytes = (xml: string): Buffer => Buffer.from(`\uFEFF${xml.replaceAll('\n', '\r\n')}`, 'utf16le');
