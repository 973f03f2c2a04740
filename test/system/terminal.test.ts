import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DeviceFault } from '../../drivers/simulation/faults.ts';
import type { Presentation } from '../../drivers/simulation/simulator.ts';
import { type TestCardName, testCards } from '../../src/emv/test-cards.ts';
import { scanForCardData } from '../support/leak-scan.ts';

type End = { code: number | null; out: string; err: string; tookMs: number };
type Running = { child: ChildProcess; said(words: string): Promise<string>; ended: Promise<End> };

const main = join(import.meta.dirname, '../../src/cli/main.ts');
const cardNumbers = Object.values(testCards).map(({ pan }) => pan);
/** Makes a process say at its end how much memory it ever held, in KB. */
const weighs = 'process.on("exit",()=>process.stderr.write("peak "+process.resourceUsage().maxRSS))';

let folder: string;
let started: Running[];
let closings: (() => void)[];

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
    expect(scanForCardData({ roots: [folder], needles: cardNumbers })).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

const tillgate = (args: readonly string[], node: readonly string[] = []): Running => {
  const since = performance.now();
  const child = spawn(process.execPath, [...node, main, ...args], { stdio: ['ignore', 'pipe', 'pipe'], cwd: folder });
  const text = { out: '', err: '' };
  const waiting: { words: string; heard(line: string): void; silent(why: Error): void }[] = [];
  const listen = () => {
    for (const wait of [...waiting]) {
      const line = `${text.out}\n${text.err}`.split('\n').find((each) => each.includes(wait.words));
      if (line === undefined) continue;
      waiting.splice(waiting.indexOf(wait), 1);
      wait.heard(line);
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
      for (const { words, silent } of waiting) silent(new Error(`never said "${words}": ${text.out}${text.err}`));
      resolve({ code, ...text, tookMs: performance.now() - since });
    }),
  );
  const said = (words: string) =>
    new Promise<string>((heard, silent) => {
      waiting.push({ words, heard, silent });
      listen();
    });
  const running = { child, said, ended };
  started.push(running);
  return running;
};

type Customer = Omit<Presentation, 'card'> & { card: TestCardName };

const tap: Customer = { card: 'mastercard-tap', by: 'tap', afterMs: 10 };

/** A terminal at a pseudo terminal of its own, and its address. */
const simulator = async (customer: Customer, ...faults: DeviceFault[]) => {
  const scenario = join(folder, 'scenario.json');
  writeFileSync(scenario, JSON.stringify({ presentations: [customer], faults }));
  const at = join(folder, 'terminal');
  const process = tillgate(['simulate', 'mpi', '--pty', at, '--scenario', scenario, '--data', join(folder, 'cards')]);
  await process.said('simulated terminal at');
  return { process, at };
};

type Place = { at: string; data?: string; more?: readonly string[] };

const sellArgs = (amount: string, { at, data = 'till', more = [] }: Place) => [
  ...['till', 'sell', amount, '--terminal', at, '--data', join(folder, data)],
  ...more,
];
const sell = (amount: string, place: Place): Running => tillgate(sellArgs(amount, place));

const look = async (...args: string[]): Promise<string> => {
  const { code, out, err } = await tillgate(['till', ...args, '--data', join(folder, 'till')]).ended;
  expect(code, err).toBe(0);
  return out + err;
};

const endings: readonly { name: string; customer: Customer; amount: string; code: number; word: string }[] = [
  {
    name: 'a chip is approved',
    customer: { card: 'mastercard-m10', by: 'chip', afterMs: 10 },
    amount: '12.50',
    code: 0,
    word: 'APPROVED',
  },
  {
    name: 'the bank declines',
    customer: { card: 'visa-poor', by: 'chip', afterMs: 10 },
    amount: '64.00',
    code: 1,
    word: 'DECLINED',
  },
  {
    name: 'the customer cancels',
    customer: { card: 'visa-credit', by: 'chip', cancels: true, afterMs: 10 },
    amount: '7.00',
    code: 3,
    word: 'NOT CHARGED',
  },
];

describe('a sale over a serial port', () => {
  test.each(endings)('$name: exit code $code', async ({ customer, amount, code, word }) => {
    const { at } = await simulator(customer);
    const end = await sell(amount, { at }).ended;
    expect(end, end.err).toMatchObject({ code });
    expect(end.err).toContain(`${word}  ${amount} EUR`);
    expect(end.out).toMatch(new RegExp(`SALE +${amount} EUR`));
    expect(end.out).toContain('MERCHANT COPY');
    expect(end.out).toContain('CUSTOMER COPY');
    if (code === 0) expect(end.out).toMatch(/MASTERCARD +\*{12}0119\n.*\nAID +A0000000041010\nAC TC/);
    else expect(end.out).toContain('NOT CHARGED');
  });

  test('Control-C cancels it, and says so', async () => {
    const { at } = await simulator({ card: 'visa-credit', by: 'chip', never: true });
    const sale = sell('9.00', { at });
    await sale.said('Insert, tap');
    sale.child.kill('SIGINT');
    const end = await sale.ended;
    expect(end, end.err).toMatchObject({ code: 3 });
    expect(end.err).toMatch(/NOT CHARGED +9\.00 EUR +cancelled at the till/i);
    expect(await look('sales')).toMatch(/notSent +cancelledByTill/);
  });

  test('a terminal that goes away is named, nothing is charged, and the next sale is fine', async () => {
    const { process, at } = await simulator({ card: 'visa-credit', by: 'chip', afterMs: 10 });
    const sale = sell('9.00', { at });
    await sale.said('Reading the card');
    process.child.kill('SIGKILL');
    const end = await sale.ended;
    expect(end, end.err).toMatchObject({ code: 3 });
    expect(end.err).toMatch(/NOT CHARGED +9\.00 EUR .*terminal.*was lost/);
    expect(end.err).not.toMatch(/^ +at /m);

    const gone = await sell('9.00', { at }).ended;
    expect(gone, gone.err).toMatchObject({ code: 3 });
    expect(gone.err).toContain('is the terminal plugged in?');

    await simulator(tap);
    const next = await sell('9.00', { at }).ended;
    expect(next, next.err).toMatchObject({ code: 0 });
    expect(next.out).toMatch(/RECEIPT +000003/);
  });

  test('a port in use, and a data folder in use, are refused; the till that has them goes on', async () => {
    const { at } = await simulator({ ...tap, afterMs: 3_000 });
    const first = sell('1.00', { at });
    await first.said('Insert, tap');
    const port = await sell('2.00', { at, data: 'other' }).ended;
    expect(port, port.err).toMatchObject({ code: 3 });
    expect(port.err).toContain('another program holds the port');
    const journal = await sell('3.00', { at }).ended;
    expect(journal, journal.err).toMatchObject({ code: 5 });
    expect(journal.err).toContain('Another till already works on');
    const end = await first.ended;
    expect(end, end.err).toMatchObject({ code: 0 });
  });
});

/** A port that sends this to everybody, again and again, as fast as it is taken. */
const babbler = (portion: () => Uint8Array): Promise<string> =>
  new Promise((resolve) => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      const more = () => {
        while (!socket.destroyed && socket.write(portion()));
      };
      socket.on('drain', more).on('error', () => socket.destroy());
      more();
    });
    closings.push(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(`mpi+tcp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`);
    });
  });

/** An answer that fits no question: well-formed, but said unasked. */
const unasked = Buffer.alloc(6_000, Uint8Array.of(0x01, 0x40, 0x02, 0x90, 0x00, 0xd3));

describe('a terminal that talks for ever', () => {
  const chatter: readonly {
    says: string;
    portion: () => Uint8Array;
    within: { seconds: number; megabytes: number };
  }[] = [
    { says: 'noise', portion: () => randomBytes(16_384), within: { seconds: 4, megabytes: 256 } },
    // The first question's deadline is five seconds.
    { says: 'messages nobody asked for', portion: () => unasked, within: { seconds: 12, megabytes: 640 } },
  ];
  test.each(chatter)('$says', async ({ portion, within }) => {
    const at = await babbler(portion);
    const till = tillgate(sellArgs('1.00', { at }), ['--import', `data:text/javascript,${encodeURIComponent(weighs)}`]);
    const end = await till.ended;
    expect(end, end.err).toMatchObject({ code: 3 });
    expect(end.err).toMatch(/NOT CHARGED +1\.00 EUR .*terminal.*(no message|did not answer)/);
    expect(end.tookMs).toBeLessThan(within.seconds * 1_000);
    expect(Number(/peak (\d+)/.exec(end.err)?.[1]) / 1_024).toBeLessThan(within.megabytes);
  });

  test('noise in the middle of a sale', async () => {
    const { at } = await simulator(tap, { kind: 'garbage', fromCommand: 5, everyMs: 10 });
    const end = await sell('1.00', { at }).ended;
    expect(end, end.err).toMatchObject({ code: 3 });
    expect(end.err).toMatch(/NOT CHARGED +1\.00 EUR .*no message/);
  });
});

test('with the gateway stopped a chip sale is taken offline, and sent when it is back', async () => {
  const channel = '0123456789abcdef0123456789abcdef:a-token-of-a-test';
  const startGateway = async (port: string) => {
    const data = join(folder, 'gateway');
    const gateway = tillgate(['gateway', '--port', port, '--data', data, '--channel', channel]);
    const url = /http:\S+/.exec(await gateway.said('listening on'))?.[0] ?? '';
    return { gateway, url };
  };
  const { gateway, url } = await startGateway('0');
  gateway.child.kill('SIGTERM');
  await gateway.ended;

  const more = ['--gateway', url, '--channel', channel];
  const { at } = await simulator({ card: 'mastercard-m10', by: 'chip', afterMs: 10 });
  const end = await sell('30.00', { at, more }).ended;
  expect(end, end.err).toMatchObject({ code: 0 });
  expect(end.err).toContain('APPROVED  30.00 EUR');
  expect(end.out).toContain('OFFLINE, APPROVED BY THE CHIP');
  expect(await look('queue', ...more)).toMatch(/waiting +forward/);

  await startGateway(new URL(url).port);
  expect(await look('queue', '--send', ...more)).toContain('1 message settled');
  const [sale] = JSON.parse(await look('sales', '--json', ...more)) as Record<string, unknown>[];
  expect(sale).toMatchObject({
    ending: 'approved',
    offline: 'chip',
    forwarded: true,
    answer: { statusText: 'APPROVED' },
  });
});
