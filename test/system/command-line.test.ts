/** How the command line behaves: a reader that goes away changes nothing, and a refusal comes before any sale. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { program } from '../support/servers/program.ts';
import {
  folder,
  type Running,
  sales,
  sell,
  sellArgs,
  simulator,
  tillgate,
  trackProcesses,
  waitingText,
} from './processes.ts';

trackProcesses();

describe('a reader that goes away', () => {
  test.each<[string, (sale: Running) => void]>([
    ['from stdout', ({ child }) => child.stdout?.destroy()],
    ['from stderr', ({ child }) => child.stderr?.destroy()],
    ['from both', ({ child: { stdout, stderr } }) => [stdout, stderr].map((stream) => stream?.destroy())],
  ])('that goes away %s does not affect the sale', async (_, leave) => {
    const { at } = await simulator({ card: 'mastercard-m10', by: 'chip', afterMs: 300 });
    const sale = sell('12.50', { at });
    await sale.waitForOutput(waitingText);
    leave(sale);
    const end = await sale.ended;
    expect(end, end.err).toMatchObject({ code: 0 });
    expect(await sales()).toMatchObject([{ ending: 'approved', amount: '12.50' }]);
  });

  test.each([
    ['12.50', 'mastercard-m10', 0],
    ['64.00', 'visa-poor', 1],
  ] as const)(
    'that goes away after a first line, sale of %s: the exit code is the sale’s',
    async (amount, card, code) => {
      const { at } = await simulator({ card, by: 'chip', afterMs: 10 });
      const args = [process.execPath, program, ...sellArgs(amount, { at })];
      const script = 'set -o pipefail; "$@" | head -1 >"$0"';
      const shell = spawnSync('bash', ['-c', script, join(folder, 'head'), ...args], {
        encoding: 'utf8',
        cwd: folder,
      });
      expect([shell.status, shell.stderr]).toEqual([code, expect.stringContaining(`${amount} EUR`)]);
      expect(shell.stderr).not.toContain('EPIPE');
      expect(readFileSync(join(folder, 'head'), 'utf8').split('\n')).toHaveLength(2);
    },
  );
});

describe('refusals before any sale', () => {
  const at = 'mpi+tcp://127.0.0.1:9';
  const refusals: readonly { name: string; args: readonly string[]; code: string; next: RegExp }[] = [
    { name: 'no terminal', args: ['sell', '1.00'], code: 'terminal.unpaired', next: /npm run till -- pair/ },
    { name: 'no address', args: ['sell', '1.00', '--terminal', '?'], code: 'terminal.unknown', next: /zvt\+tcp:/ },
    { name: 'no amount', args: ['sell', 'ten', '--terminal', at], code: 'amount.malformed', next: /12\.50/ },
    { name: 'nothing', args: ['sell', '0.00', '--terminal', at], code: 'amount.malformed', next: /12\.50/ },
    { name: 'no way', args: ['sell', '1.00', '--accept', 'coins'], code: 'command.malformed', next: /--help/ },
    { name: 'no receipt', args: ['refund', '7', '--terminal', at], code: 'till.notFound', next: /number/ },
    {
      name: 'a security code',
      args: ['resolve', '7', '--reason', 'CVV 123'],
      code: 'text.cardData',
      next: /Remove the card number/,
    },
  ];

  test.each(refusals)('$name: exit code 2, and what to do next', async ({ args, next }) => {
    const end = await tillgate(['till', ...args, '--data', join(folder, 'till')]).ended;
    expect(end, end.err).toMatchObject({ code: 2, out: '' });
    expect(end.err).toMatch(next);
    expect(end.err).not.toMatch(/^ +at /m);
    expect(await sales()).toEqual([]);
  });

  test.each(refusals)('$name: with --json on stdout', async ({ args, code, next }) => {
    const end = await tillgate(['till', ...args, '--json', '--data', join(folder, 'till')]).ended;
    expect(end, end.err).toMatchObject({ code: 2, err: '' });
    expect(JSON.parse(end.out)).toEqual({
      mode: 'test',
      fault: {
        code,
        says: expect.any(String),
        money: expect.stringMatching(/^Nothing was (charged|done)\.$/),
        next: expect.stringMatching(next),
        remedy: 'refuse',
      },
    });
    expect(await sales()).toEqual([]);
  });
});

describe('when it cannot start', () => {
  const channel = ['--channel', '0123456789abcdef0123456789abcdef:a-token-of-a-test'];
  const gateway = (port: string, data: string) => tillgate(['gateway', '--port', port, '--data', data, ...channel]);

  test('a gateway whose port is taken says so, with what to do', async () => {
    const first = gateway('0', join(folder, 'first'));
    const port = /:(\d+)\/$/.exec(await first.waitForOutput('listening on'))?.[1] ?? '';
    const end = await gateway(port, join(folder, 'second')).ended;
    expect(end, end.err).toMatchObject({ code: 2, out: '' });
    expect(end.err).toMatch(/cannot listen on 127\.0\.0\.1:\d+: another program has it\.\nNo payment .* another port/);
  });

  test.each([
    ['the till', () => sell('1.00', { at: 'mpi+tcp://127.0.0.1:9', flags: ['--data', '/proc/tillgate/data'] })],
    ['the gateway', () => gateway('0', '/proc/tillgate/data')],
  ])('%s with a folder that cannot be created exits at once', async (_, start) => {
    // A file for the card data scan to read.
    writeFileSync(join(folder, 'empty'), '');
    const end = await start().ended;
    expect(end, end.err).toMatchObject({ code: 2, out: '' });
    expect(end.err).toMatch(/folder \/proc\/tillgate\/data cannot be used: .*\n.* --data/);
  });
});
