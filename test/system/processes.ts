/**
 * Tillgate's own processes for tests: the command line, and simulated terminals at pseudo terminals; a folder for each
 * test, and afterwards the check that no card number was printed or stored.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import type { DeviceFault } from '../../drivers/simulation/faults.ts';
import type { Presentation } from '../../drivers/simulation/simulator.ts';
import { type TestCardName, testCards } from '../../src/emv/test-cards.ts';
import { scanForCardData } from '../support/leaks/leak-scan.ts';
import { program, roomy } from '../support/servers/program.ts';

export type End = { code: number | null; out: string; err: string };
export type Running = { child: ChildProcess; waitForOutput(text: string): Promise<string>; ended: Promise<End> };

const cardNumbers = Object.values(testCards).map(({ pan }) => pan);
/** The running test's folder, where its processes write. */
export let folder: string;
let started: Running[];
/** Called after the test. */
export let closings: (() => void)[];

/** Call once in each test file: gives every test a folder, and stops what it started. */
export const trackProcesses = (): void => {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'terminal-'));
    started = [];
    closings = [];
  });

  afterEach(async () => {
    for (const { child } of started) child.kill('SIGKILL');
    const ends = await Promise.all(started.map(({ ended }) => ended));
    for (const close of closings) close();
    try {
      for (const { out, err } of ends) for (const number of cardNumbers) expect(out + err).not.toContain(number);
      // A tape is hex text: packed digits appear in it as digits, which are searched for. What looks like packed digits
      // is text: a row of Es, which masks a number, is also 54545454 from its second digit on.
      const found = scanForCardData({ roots: [folder], needles: cardNumbers });
      expect(found.filter((hit) => !isNoCardNumber(hit))).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
};

type LeakFinding = ReturnType<typeof scanForCardData>[number];

const isNoCardNumber = ({ file, encoding }: LeakFinding): boolean => encoding === 'bcd' && file.endsWith('.tape');

/** `of`: another version's program. */
export const tillgate = (args: readonly string[], node: readonly string[] = [], of = program): Running => {
  const child = spawn(process.execPath, [...roomy, ...node, of, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: folder,
  });
  const text = { out: '', err: '' };
  const waiting: { text: string; resolve(line: string): void; silent(error: Error): void }[] = [];
  const listen = () => {
    for (const waiter of [...waiting]) {
      const line = `${text.out}\n${text.err}`.split('\n').find((each) => each.includes(waiter.text));
      if (line === undefined) continue;
      waiting.splice(waiting.indexOf(waiter), 1);
      waiter.resolve(line);
    }
  };
  for (const stream of ['out', 'err'] as const) {
    child[`std${stream}`].setEncoding('utf8').on('data', (portion: string) => {
      text[stream] += portion;
      listen();
    });
  }
  const ended = new Promise<End>((resolve) =>
    child.once('close', (code) => {
      for (const { text: message, silent } of waiting)
        silent(new Error(`never said "${message}": ${text.out}${text.err}`));
      resolve({ code, ...text });
    }),
  );
  const waitForOutput = (text: string) =>
    new Promise<string>((resolve, silent) => {
      waiting.push({ text, resolve, silent });
      listen();
    });
  const running = { child, waitForOutput, ended };
  started.push(running);
  return running;
};

export type Customer = Omit<Presentation, 'card'> & { card: TestCardName };

export const tap: Customer = { card: 'mastercard-tap', by: 'tap', afterMs: 10 };

/** A terminal at its own pseudo terminal, and its address. */
export const simulator = async (customer: Customer, ...faults: DeviceFault[]) => {
  const scenario = join(folder, 'scenario.json');
  writeFileSync(scenario, JSON.stringify({ presentations: [customer], faults }));
  const path = join(folder, 'terminal');
  const process = tillgate(['simulate', 'mpi', '--pty', path, '--scenario', scenario, '--data', join(folder, 'cards')]);
  await process.waitForOutput('simulated terminal at');
  return { process, at: `mpi+serial:${path}` };
};

export type Place = { at: string; data?: string; flags?: readonly string[] };

export const sellArgs = (amount: string, { at, data = 'till', flags = [] }: Place) => [
  ...['till', 'sell', amount, '--terminal', at, '--data', join(folder, data)],
  ...flags,
];
export const sell = (amount: string, place: Place): Running => tillgate(sellArgs(amount, place));

export const run = async (...args: string[]): Promise<string> => {
  const { code, out, err } = await tillgate(['till', ...args, '--data', join(folder, 'till')]).ended;
  expect(code, err).toBe(0);
  return out + err;
};

export const sales = async (...flags: string[]) =>
  (JSON.parse(await run('sales', '--json', ...flags)) as { sales: Record<string, unknown>[] }).sales;

/** The address of a started till's screens, and the code that opens them at a till without people. */
export const screensOf = async (till: Running): Promise<{ url: string; code: string }> => {
  const [, url = '', code = ''] = /^open (.*)#code=(.*)$/.exec(await till.waitForOutput('open http')) ?? [];
  return { url, code };
};

/** Printed once the terminal waits for a card. */
export const waitingText = 'Waiting for the customer';
