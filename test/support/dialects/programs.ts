/** The real `till` and the real `simulate` as processes, as a person at a counter starts them by hand. */
import { spawn } from 'node:child_process';
import { program, roomy } from '../servers/program.ts';

/** The output of a command and its exit status: null if it had to be killed. */
export type Ended = { code: number | null; out: string; err: string };

/** Longer than the longest payment: three minutes at the terminal, and one for a cancellation. */
const MOST_MS = 300_000;

const start = (args: readonly string[], folder: string, mostMs = 0) => {
  const child = spawn(process.execPath, [...roomy, program, ...args], {
    ...{ cwd: folder, timeout: mostMs, killSignal: 'SIGKILL' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.err += text;
  });
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, ...output })));
  return { child, output, ended };
};

/** Runs one command to its end. */
export const command = (args: readonly string[], folder: string): Promise<Ended> => start(args, folder, MOST_MS).ended;

export type SimulatedTerminal = {
  /** The value for `--terminal`. */
  at: string;
  end(): Promise<void>;
};

/** Starts a simulated terminal on a free port. Rejects with its output if it ends before it listens. */
export const simulatedTerminal = async (args: readonly string[], folder: string): Promise<SimulatedTerminal> => {
  const { child, output, ended } = start(['simulate', ...args, '--tcp', '0'], folder);
  const at = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const found = /simulated terminal at (\S+)\n/.exec(output.out)?.[1];
      if (found !== undefined) resolve(found);
    });
    void ended.then(({ err }) => reject(new Error(err.trim())));
  });
  return {
    at,
    async end() {
      child.kill('SIGTERM');
      await ended;
    },
  };
};
