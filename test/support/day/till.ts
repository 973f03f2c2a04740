/**
 * A shop's till as it is started at its counter: the real process in its own folder, two simulated terminals, a
 * simulated printer, a separate gateway, and three people who work there.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SimulatedPrinter, simulatedPrinter, simulatePrinterOnTcp } from '../../../drivers/printers/simulator.ts';
import type { SessionState } from '../../../src/api/contract/session.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { program } from '../servers/program.ts';
import { reservePort } from '../servers/reserved-port.ts';
import { channel, type DayLine, openDayLine } from './line.ts';
import { type DayTerminal, openDayTerminals } from './terminals.ts';

export const people = {
  Anna: { role: 'cashier', pin: '471920' },
  Max: { role: 'manager', pin: '582931' },
  Tess: { role: 'technician', pin: '826417' },
} as const;

export type DayTill = {
  url: string;
  /** Everything that till and gateway write. */
  folder: string;
  line: DayLine;
  terminals: [DayTerminal, DayTerminal];
  printer: SimulatedPrinter;
  /** Cuts the power; `start` starts again on the same folder, at the same address. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Stops the till normally; resolves with its output. */
  end(): Promise<string>;
  /** Runs a command of the till on its folder, once it has stopped. */
  command(...args: readonly string[]): Promise<Ended>;
  close(): Promise<void>;
};

export type Ended = { code: number | null; out: string; err: string };

type Run = { child: ChildProcess; output: { out: string; err: string }; ended: Promise<Ended> };

const run = (args: readonly string[]): Run => {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { out: '', err: '' };
  child.stdout.on('data', (text) => {
    output.out += text;
  });
  child.stderr.on('data', (text) => {
    output.err += text;
  });
  return {
    child,
    output,
    ended: new Promise((resolve) => child.once('close', (code) => resolve({ code, ...output }))),
  };
};

/** The match of this pattern in the program's output, once there is one. */
const printed = ({ child, output, ended }: Run, pattern: RegExp): Promise<RegExpExecArray> =>
  new Promise((resolve, reject) => {
    const check = (): void => {
      const found = pattern.exec(output.out);
      if (found !== null) resolve(found);
    };
    check();
    child.stdout?.on('data', check);
    void ended.then(({ err }) => reject(new Error(`the till ended: ${err}`)));
  });

const startedTill = async (args: readonly string[]): Promise<Run> => {
  const till = run(args);
  await printed(till, /listening on .*\n/);
  return till;
};

type Places = { terminals: readonly DayTerminal[]; printer: string };

/** What a technician has set up before the day. */
const configuration = ({ terminals: [first, second], printer }: Places) => ({
  merchant: { name: 'NORDWIND BAKERY', address: ['Harbour Street 4', '24103 Kiel'], id: '000000012345678' },
  currency: 'EUR',
  terminalId: '12345678',
  terminal: first?.address,
  terminals: [{ terminalId: '12345679', terminal: second?.address }],
  gateway: { entityId: channel.entityId, timeoutMs: 4_000, requestLifeMs: 5_000 },
  offline: {
    chip: { upTo: '50.00', perCard: { count: 3 } },
    deferred: { upTo: '30.00', total: '60.00' },
    total: '150.00',
    hours: 24,
    withoutDataAuthentication: true,
  },
  printers: [{ name: 'Counter', address: printer, width: 80, codePage: 'cp858' }],
});

/** The first manager needs no approval; the others are added by the manager at the screens. */
const hire = async (url: string, till: Run): Promise<void> => {
  let cookie = '';
  let csrf = '';
  const ask = async (path: string, body?: unknown): Promise<Response> => {
    const answer = await fetch(`${url}api/${path}`, {
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json', 'x-csrf-token': csrf, cookie },
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
    return answer;
  };
  const check = async (): Promise<void> => {
    csrf = ((await (await ask('session')).json()) as SessionState).signedIn?.csrf ?? '';
  };
  const { Max, ...otherPeople } = people;
  const [, code] = await printed(till, /#code=(.*)\n/);
  await ask('session/code', { code });
  await check();
  await ask('staff', { name: 'Max', ...Max });
  await ask('session', { name: 'Max', pin: Max.pin });
  await check();
  for (const [name, person] of Object.entries(otherPeople)) await ask('staff', { name, ...person });
};

/** What was opened, to be closed in reverse order. */
type Closers = (() => unknown)[];

const closeAll = async (closers: Closers): Promise<void> => {
  for (const close of closers.splice(0).reverse()) await close();
};

/** Opens the shop for the day. `close` removes everything again, and so does a till that refuses to start. */
export const openDayTill = async (configured: object = {}): Promise<DayTill> => {
  const closers: Closers = [];
  try {
    return await opened(configured, closers);
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
};

const opened = async (configured: object, closers: Closers): Promise<DayTill> => {
  const folder = mkdtempSync(join(tmpdir(), 'day-'));
  closers.push(() => rmSync(folder, { recursive: true, force: true }));
  const data = join(folder, 'till');
  const terminals = await openDayTerminals();
  closers.push(...terminals.map((terminal) => () => terminal.unplug()));
  const printer = simulatedPrinter({ clock: systemClock });
  const tcpPrinter = await simulatePrinterOnTcp(printer, { port: 0, clock: systemClock });
  closers.push(() => tcpPrinter.close());
  const line = await openDayLine(join(folder, 'gateway'));
  closers.push(() => line.close());
  mkdirSync(data, { mode: 0o700 });
  const set = { ...configuration({ terminals, printer: tcpPrinter.address }), ...configured };
  writeFileSync(join(data, 'till.json'), JSON.stringify(set));
  const port = await reservePort();
  const url = `http://127.0.0.1:${port}/`;
  const gateway = ['--gateway', line.baseUrl, '--channel', `${channel.entityId}:${channel.token}`];
  const begin = () => startedTill(['start', '--data', data, '--port', String(port), '--no-open-browser', ...gateway]);
  let till = await begin();
  const stop = async (signal: NodeJS.Signals): Promise<Ended> => {
    till.child.kill(signal);
    return till.ended;
  };
  closers.push(() => stop('SIGKILL'));
  await hire(url, till);
  return {
    ...{ url, folder, line, terminals, printer },
    kill: async () => void (await stop('SIGKILL')),
    async start() {
      till = await begin();
    },
    end: async () => (await stop('SIGTERM')).err,
    command: (...args) => run(['till', ...args, '--data', data, ...gateway]).ended,
    close: () => closeAll(closers),
  };
};
