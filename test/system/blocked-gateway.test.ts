/** A gateway that the machine's own network blocks: the sale counts as not sent, and the next one need not wait. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { program } from '../support/servers/program.ts';
import { sellArgs, simulator, tap, trackProcesses } from './processes.ts';

trackProcesses();

/**
 * A network namespace for one process in which the system itself refuses an address with EACCES, as a firewall does.
 */
const runUnshared = (args: readonly string[]) =>
  spawnSync(
    'unshare',
    [
      '-rn',
      ...['sh', '-c', 'ip link set lo up && ip route add prohibit 192.0.2.0/24 && exec "$@"', 'sh'],
      ...[process.execPath, ...args],
    ],
    { encoding: 'utf8' },
  );

const { status } = runUnshared(['--version']);
const missing = status === 0 ? '' : '; missing here: a network namespace (unshare -rn, ip)';

const blocked = (url: string, at: string) => {
  const gatewayFlags = ['--gateway', url, '--channel', `${'0'.repeat(32)}:token-token-token`, '--json'];
  const { status, stdout, stderr } = runUnshared([program, ...sellArgs('12.50', { at, flags: gatewayFlags })]);
  expect(stderr).not.toMatch(/may have been charged|unknown/);
  return { status, ...(JSON.parse(stdout) as Record<string, unknown>) };
};

test.skipIf(missing !== '').each([
  ['prohibited, as by a firewall', 'https://192.0.2.1/'],
  ['without a route', 'https://203.0.113.1/'],
  ['of a name, with no name server', 'https://gateway.example/'],
])(`an address %s: nothing is sent, and nothing is left open${missing}`, async (_, url) => {
  const { at } = await simulator(tap);
  expect(blocked(url, at)).toMatchObject({ status: 3, ending: 'notSent' });
  expect(blocked(url, at)).toMatchObject({ status: 3, ending: 'notSent' });
});
