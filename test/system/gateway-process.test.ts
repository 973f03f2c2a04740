/** The gateway process: how it starts, the configurations it refuses, what it logs, and how it stops. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { entityId, payment, token } from '../support/gateway/gateway.ts';
import { type GatewayProcess, runGateway, startGateway } from '../support/gateway/gateway-process.ts';
import { selfSigned } from '../support/servers/certificate.ts';

const channels = [{ entityId, token }];

let folder: string;
let started: GatewayProcess[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-process-'));
  started = [];
});
afterEach(async () => {
  for (const gateway of started) await gateway.end('SIGKILL');
  rmSync(folder, { recursive: true });
});

const start = async (...flags: string[]): Promise<GatewayProcess> => {
  const gateway = await startGateway(join(folder, 'data'), channels, flags);
  started.push(gateway);
  return gateway;
};
const file = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

test('a second gateway on one SQLite folder is refused with a clear message', async () => {
  await start();
  const second = await runGateway(['--port', '0', '--data', join(folder, 'data'), '--channel', `${entityId}:${token}`]);
  expect(second).toMatchObject({ code: 5, out: '' });
  expect(second.errorOutput).toMatch(/Stop that gateway, or name another folder with --data/);
  expect(second.errorOutput).not.toMatch(/^\s+at /m);
});

test('all faults of a broken configuration are listed at once, without a secret or a stack', async () => {
  const config = file(
    'gateway.json',
    JSON.stringify({ prot: 1, host: '', channels: [{ entityId: 'X', token: 'seen-by-nobody', lenint: true }] }),
  );
  const environment = { TILLGATE_DATABASE: 'mysql://root:seen-by-nobody@host/x', TILLGATE_LENIENT: 'perhaps' };
  const { code, errorOutput: complaints } = await runGateway(
    ['--config', config, '--throttle', '0:x', '--tls-key', 'k'],
    environment,
  );
  expect(code).toBe(2);
  for (const text of [
    `${config}: prot: is not known; did you mean port?`,
    `${config}: host: must be`,
    `${config}: channels[0].entityId: must be 32 lower-case hex digits`,
    `${config}: channels[0].lenint: is not known; did you mean lenient?`,
    'TILLGATE_DATABASE: must be postgres://',
    'TILLGATE_LENIENT: must be true or false',
    '--throttle.perSecond: must be more than 0',
    '--throttle.burst: must be a whole number',
    '--port: is missing',
    '--tls-cert: is missing beside --tls-key',
  ]) {
    expect(complaints).toContain(text);
  }
  expect(complaints).not.toMatch(/seen-by-nobody|^\s+at /m);
});

test('the password in the address of an unreachable database is never shown', async () => {
  const environment = { TILLGATE_DATABASE: 'postgres://shop:seen%2Dby-nobody@127.0.0.1:1/shop' };
  const args = ['--port', '0', '--data', join(folder, 'data'), '--channel', `${entityId}:${token}`];
  const { code, out, errorOutput: complaints } = await runGateway(args, environment);
  expect(code).not.toBe(0);
  expect(complaints).not.toBe('');
  expect(out + complaints).not.toMatch(/seen(%2D|-)by-nobody/);
  const checked = await runGateway([...args, '--check-config'], environment);
  expect(JSON.parse(checked.out)).toMatchObject({
    database: 'postgres://shop:****@127.0.0.1:1/shop',
    channels: [{ entityId, token: '****' }],
  });
});

test('processes that start in one folder at once all get the same channel', async () => {
  const args = ['--port', '0', '--data', join(folder, 'shared'), '--log', join(folder, 'no', 'such', 'folder')];
  const ends = await Promise.all([1, 2, 3].map(() => runGateway(args)));
  const namedChannels = ends.map(({ errorOutput: complaints }) => /^Channel ([0-9a-f]{32});/m.exec(complaints)?.[1]);
  const stored = JSON.parse(readFileSync(join(folder, 'shared', 'gateway.channel.json'), 'utf8')) as {
    entityId: string;
  };
  expect(namedChannels).toEqual([stored.entityId, stored.entityId, stored.entityId]);
});

test('over TLS with its own certificate', async () => {
  const { cert, key } = selfSigned();
  const gateway = await start('--tls-cert', file('cert.pem', cert), '--tls-key', file('key.pem', key));
  const status = await new Promise((resolve, reject) => {
    request({ port: gateway.port, host: '127.0.0.1', ca: cert, path: '/v1/resultcodes' }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode));
    })
      .on('error', reject)
      .end();
  });
  expect(status).toBe(200);
  expect(await gateway.end('SIGTERM')).toBe(0);
});

const health = async ({ healthPort }: GatewayProcess, path: string) => {
  const response = await fetch(`http://127.0.0.1:${healthPort}${path}`);
  return { status: response.status, text: await response.text() };
};

test('health and metrics have their own port, and the log has each answer by its id', async () => {
  const log = join(folder, 'requests.log');
  const gateway = await start('--admin-port', '0', '--log', log);
  expect(await health(gateway, '/readyz')).toMatchObject({ status: 200 });
  const sale = await gateway.post('v1/payments', payment({ amount: '0.01' }));
  const { text } = await health(gateway, '/metrics');
  expect(text).toMatch(/^tillgate_payments_total\{payment_type="DB",outcome="approved"\} 1$/m);
  expect((await gateway.get('metrics')).status).toBe(404);
  expect(await gateway.end('SIGTERM')).toBe(0);
  const lines = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { requestId: string });
  expect(lines[0]).toMatchObject({ endpoint: '/v1/payments', status: 200, entityId, paymentId: sale.body['id'] });
  expect(sale.headers.get('x-request-id')).toBe(lines[0]?.requestId);
});

test('a channel that sends too many requests is told when to retry', async () => {
  const gateway = await start('--throttle', '0.01:2');
  const replies = [];
  for (const _ of [1, 2, 3]) replies.push(await gateway.post('v1/payments', payment({ amount: '0.01' })));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect(replies[2]).toMatchObject({
    code: '800.120.100',
    body: {
      id: expect.any(String),
      ndc: expect.any(String),
      result: { description: 'Too many requests. Please try again later.' },
    },
  });
  expect(Number(replies[2]?.headers.get('retry-after'))).toBeGreaterThan(90);
});

test('SIGTERM under load: every answered sale is stored, and no client gets a broken answer', async () => {
  const gateway = await start();
  const approved: string[] = [];
  let stopped = false;
  const till = async (name: number): Promise<void> => {
    for (let count = 0; !stopped; count += 1) {
      const merchantTransactionId = `load-${name}-${count}`;
      try {
        const reply = await gateway.post('v1/payments', payment({ amount: '0.01', merchantTransactionId }));
        expect(reply.code).toBe('000.100.110');
        approved.push(merchantTransactionId);
        if (approved.length === 60) gateway.notify('SIGTERM');
      } catch (error) {
        // A connection may be dropped without an answer only after the signal.
        expect(approved.length).toBeGreaterThanOrEqual(60);
        expect(error).toBeInstanceOf(TypeError);
        stopped = true;
      }
    }
  };
  await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(till));
  expect([await gateway.ended, gateway.errorOutput()]).toEqual([0, '']);
  const restarted = await start();
  for (const merchantTransactionId of approved) {
    expect((await restarted.get('v1/query', { merchantTransactionId })).status).toBe(200);
  }
});

test('a second signal ends it at once, even with a payment in progress', async () => {
  const gateway = await start();
  const slowReply = gateway
    .post('v1/payments', payment({ amount: '8000.98', merchantTransactionId: 'slow-acquirer' }))
    .catch(() => '');
  while ((await gateway.get('v1/query', { merchantTransactionId: 'slow-acquirer' })).body['payments'] === undefined);
  gateway.notify('SIGTERM');
  // The gateway's port closes once the first signal has arrived.
  while (
    await fetch(`http://127.0.0.1:${gateway.port}/`).then(
      () => true,
      () => false,
    )
  );
  expect(await gateway.end('SIGTERM')).toBe(143);
  expect(await slowReply).toBe('');
});
