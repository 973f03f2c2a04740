/** The emulated machine: starts it, reads its console line by line, and ends it. */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, ftruncateSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { program } from './parts.ts';

const emulator = 'qemu-system-x86_64';
/** A processor without AVX: version 7.2 of the emulator gets AVX wrong, and Node's compiler then crashes. */
const cpu = 'Nehalem,+rdrand';
const diskBytes = 64 * 1024 * 1024;

export type Machine = {
  /** Every line printed so far. */
  readonly lines: readonly string[];
  /**
   * The first line that matches, already printed or still to come. Rejects when the machine ends without it, or time is
   * up.
   */
  awaitLine(form: RegExp, withinMs: number): Promise<string>;
  /** Resolves when it has switched itself off or was cut. If that takes longer, cuts it and rejects. */
  waitForEnd(withinMs: number): Promise<void>;
  /** Cuts the power: nothing in the machine keeps running. */
  cutPower(): Promise<void>;
};

export type Bootable = { vmlinuz: string; image: string; disk?: string; onLine(line: string): void };

/** Boots with these arguments for the program in it. Software emulation, so it needs nothing special of the host. */
export const boot = ({ vmlinuz, image, disk, onLine }: Bootable, orders: readonly string[] = []): Machine => {
  const args = ['console=ttyS0', 'quiet', 'panic=-1', 'edd=off', ...orders.map((order) => `bench.${order}`)];
  const child = spawn(
    program(emulator) ?? emulator,
    [
      ...['-accel', 'tcg,thread=multi', '-cpu', cpu, '-smp', '2', '-m', '1536'],
      ...['-nodefaults', '-nographic', '-no-reboot', '-serial', 'stdio'],
      ...['-kernel', vmlinuz, '-initrd', image, '-append', args.join(' ')],
      ...(disk === undefined ? [] : ['-drive', `file=${disk},if=virtio,format=raw`]),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  let part = '';
  let isOver = false;
  const take = (text: string): void => {
    const parts = (part + text).split('\n');
    part = parts.pop() ?? '';
    for (const line of parts.map(withoutControls)) {
      lines.push(line);
      onLine(line);
    }
    for (const check of [...waiting]) check();
  };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', take);
  // If a test run ends without its last hooks, the machine must not outlive it.
  const kill = () => void child.kill('SIGKILL');
  process.on('exit', kill);
  const finish = (): void => {
    isOver = true;
    process.off('exit', kill);
    for (const check of [...waiting]) check();
  };
  child.on('close', finish).on('error', ({ message }) => {
    lines.push(`${emulator}: ${message}`);
    finish();
  });

  const until = <T>(check: () => T | undefined, withinMs: number, expectation: string): Promise<T> =>
    new Promise((resolve, reject) => {
      const fail = (reason: string) => {
        stop();
        kill();
        reject(new Error(`${expectation}: ${reason}. The console's end:\n${lines.slice(-40).join('\n')}`));
      };
      const timer = setTimeout(() => fail(`not within ${withinMs} ms`), withinMs);
      const stop = () => {
        clearTimeout(timer);
        waiting.delete(check);
      };
      const check = () => {
        const result = check();
        if (result === undefined) return isOver ? fail('the machine has ended') : undefined;
        stop();
        resolve(result);
      };
      waiting.add(check);
      check();
    });

  return {
    lines,
    awaitLine: (form, withinMs) =>
      until(() => lines.find((line) => form.test(line)), withinMs, `${form} is to be said`),
    waitForEnd: async (withinMs) => void (await until(() => isOver || undefined, withinMs, 'the machine is to end')),
    async cutPower() {
      kill();
      await until(() => isOver || undefined, 10_000, 'the emulator is to end');
    },
  };
};

/** The line without the firmware's escape sequences and carriage returns. */
const withoutControls = (line: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the console's own
  line.replace(/\u001b(c|\[[?0-9;]*[A-Za-z])/g, '').replaceAll('\r', '');

/** An empty disk with a journaling file system, in a file in this folder. */
export const makeDisk = (folder: string): string => {
  const path = join(folder, 'disk');
  const file = openSync(path, 'w');
  ftruncateSync(file, diskBytes);
  closeSync(file);
  const { status, stderr } = spawnSync(program('mkfs.ext4') ?? 'mkfs.ext4', ['-q', '-F', path], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`mkfs.ext4 failed: ${stderr}`);
  return path;
};
