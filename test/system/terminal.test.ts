/** The till's commands with a terminal at a real port: what is printed, what is charged, and the exit codes. */
import { randomBytes } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reservePort } from '../support/servers/reserved-port.ts';
import { setStoreLimits } from '../support/till/store-limits.ts';
import {
  type Customer,
  closings,
  folder,
  run,
  sales,
  sell,
  sellArgs,
  simulator,
  tap,
  tillgate,
  trackProcesses,
  waitingText,
} from './processes.ts';

trackProcesses();

/** Makes a process print its peak memory in KB when it exits. */
const weighs = 'process.on("exit",()=>process.stderr.write("peak "+process.resourceUsage().maxRSS))';

const endings: readonly { name: string; customer: Customer; amount: string; code: number; expected: string }[] = [
  {
    name: 'a chip is approved',
    customer: { card: 'mastercard-m10', by: 'chip', afterMs: 10 },
    amount: '12.50',
    code: 0,
    expected: 'APPROVED',
  },
  {
    name: 'the bank declines',
    customer: { card: 'visa-poor', by: 'chip', afterMs: 10 },
    amount: '64.00',
    code: 1,
    expected: 'DECLINED',
  },
  {
    name: 'the customer cancels',
    customer: { card: 'visa-credit', by: 'chip', cancels: true, afterMs: 10 },
    amount: '7.00',
    code: 3,
    expected: 'NOT CHARGED',
  },
];

describe('a sale over a serial port', () => {
  test.each(endings)('$name: exit code $code', async ({ customer, amount, code, expected }) => {
    const { at } = await simulator(customer);
    const end = await sell(amount, { at }).ended;
    expect(end, end.err).toMatchObject({ code });
    expect(end.err).toContain(`${expected}  ${amount} EUR`);
    if (code === 3) {
      // No card was read, so there is no receipt.
      expect(end.out).toBe('');
      return;
    }
    expect(end.out).toMatch(new RegExp(`SALE +${amount} EUR`));
    expect(end.out).toContain('MERCHANT COPY');
    expect(end.out).toContain('CUSTOMER COPY');
    if (code === 0) expect(end.out).toMatch(/MASTERCARD +\*{12}0119\n.*\nAID +A0000000041010\nAC TC/);
    if (code === 1) expect(end.out).toContain('NOT CHARGED');
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s cancels it, and says so', async (signal) => {
    const { at } = await simulator({ card: 'visa-credit', by: 'chip', never: true });
    const sale = sell('9.00', { at });
    await sale.waitForOutput(waitingText);
    sale.child.kill(signal);
    const end = await sale.ended;
    expect(end, end.err).toMatchObject({ code: 3 });
    expect(end.err).toMatch(/NOT CHARGED +9\.00 EUR +cancelled at the till/i);
    expect(await sales()).toMatchObject([{ ending: 'notSent', reason: 'cancelledByTill' }]);
  });

  test('a lost terminal is named, nothing is charged, and the next sale succeeds', async () => {
    const { process, at } = await simulator({ card: 'visa-credit', by: 'chip', afterMs: 10 });
    const sale = sell('9.00', { at });
    await sale.waitForOutput('Reading the card');
    process.child.kill('SIGKILL');
    const end = await sale.ended;
    expect(end, end.err).toMatchObject({ code: 3 });
    expect(end.err).toMatch(/NOT CHARGED +9\.00 EUR .*terminal.*was lost/);
    expect(end.err).not.toMatch(/^ +at /m);

    const withoutTerminal = await sell('9.00', { at }).ended;
    expect(withoutTerminal, withoutTerminal.err).toMatchObject({ code: 5 });
    expect(withoutTerminal.err).toContain('is the terminal plugged in?');

    await simulator(tap);
    const next = await sell('9.00', { at }).ended;
    expect(next, next.err).toMatchObject({ code: 0 });
    // The attempt without a terminal was not a sale, and used no receipt number.
    expect(next.out).toMatch(/RECEIPT +000002/);
  });

  test('a port or a data folder in use is refused; the till that has it keeps working', async () => {
    const { at } = await simulator({ ...tap, afterMs: 15_000 });
    const first = sell('1.00', { at });
    await first.waitForOutput(waitingText);
    // Both commands run at once, while the customer still looks for the card.
    const [port, journal] = await Promise.all([sell('2.00', { at, data: 'other' }).ended, sell('3.00', { at }).ended]);
    expect(port, port.err).toMatchObject({ code: 5 });
    expect(port.err).toContain('another program holds the port');
    expect(journal, journal.err).toMatchObject({ code: 5 });
    expect(journal.err).toContain('Another till already uses');
    const end = await first.ended;
    expect(end, end.err).toMatchObject({ code: 0 });
  });
});

/** A port that sends this to everybody again and again, as fast as it is read. */
const openBabbler = (portion: () => Uint8Array): Promise<string> =>
  new Promise((resolve) => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      const sendMore = () => {
        while (!socket.destroyed && socket.write(portion()));
      };
      socket.on('drain', sendMore).on('error', () => socket.destroy());
      sendMore();
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

/** An unsolicited answer: well-formed, but to no question. */
const unasked = Buffer.alloc(6_000, Uint8Array.of(0x01, 0x40, 0x02, 0x90, 0x00, 0xd3));

describe('a terminal that never stops sending', () => {
  const floods: readonly {
    says: string;
    portion: () => Uint8Array;
    mostMegabytes: number;
  }[] = [
    { says: 'noise', portion: () => randomBytes(16_384), mostMegabytes: 200 },
    { says: 'unsolicited messages', portion: () => unasked, mostMegabytes: 200 },
  ];
  test.each(floods)('$says', async ({ portion, mostMegabytes }) => {
    const at = await openBabbler(portion);
    const measuredNode = ['--import', `data:text/javascript,${encodeURIComponent(weighs)}`];
    // Measured with a shop's small young space: the larger one of the tests would hide what the till keeps in memory.
    const young = ['--min-semi-space-size=1', '--max-semi-space-size=8'];
    const till = tillgate(sellArgs('1.00', { at }), [...young, ...measuredNode]);
    const end = await till.ended;
    // The terminal never identified itself, so no sale was begun.
    expect(end, end.err).toMatchObject({ code: 5, out: '' });
    expect(end.err).toMatch(/terminal sent [\d,]+ bytes that are not a valid answer/);
    expect(await sales()).toEqual([]);
    expect(Number(/peak (\d+)/.exec(end.err)?.[1]) / 1_024).toBeLessThan(mostMegabytes);
  });

  test('noise during a sale', async () => {
    const { at } = await simulator(tap, { kind: 'garbage', fromCommand: 5, everyMs: 10 });
    const end = await sell('1.00', { at }).ended;
    expect(end, end.err).toMatchObject({ code: 3 });
    expect(end.err).toMatch(/NOT CHARGED +1\.00 EUR .*not a valid answer/);
  });
});

test('while the gateway is down a chip sale is taken offline, and sent when it is back', async () => {
  const channel = '0123456789abcdef0123456789abcdef:a-token-of-a-test';
  const port = String(await reservePort());
  const startGateway = async () => {
    const data = join(folder, 'gateway');
    const gateway = tillgate(['gateway', '--port', port, '--data', data, '--channel', channel]);
    const url = /http:\S+/.exec(await gateway.waitForOutput('listening on'))?.[0] ?? '';
    return { gateway, url };
  };
  const { gateway, url } = await startGateway();
  gateway.child.kill('SIGTERM');
  await gateway.ended;

  const gatewayFlags = ['--gateway', url, '--channel', channel];
  setStoreLimits(join(folder, 'till'));
  const { at } = await simulator({ card: 'mastercard-m10', by: 'chip', afterMs: 10 });
  const end = await sell('30.00', { at, flags: gatewayFlags }).ended;
  expect(end, end.err).toMatchObject({ code: 0 });
  expect(end.err).toContain('APPROVED OFFLINE  30.00 EUR');
  expect(end.out).toContain('OFFLINE, APPROVED BY THE CHIP');
  expect(await run('queue', ...gatewayFlags)).toMatch(/waiting +send/);

  await startGateway();
  expect(await run('queue', '--send', ...gatewayFlags)).toContain('1 message settled');
  const [sale] = await sales(...gatewayFlags);
  expect(sale).toMatchObject({
    ending: 'approved',
    offline: 'chip',
    forwarded: true,
    answer: { statusText: 'APPROVED' },
  });
});
