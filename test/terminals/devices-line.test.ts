/** The line test against real servers: a good one, each way of being wrong, and the bundled gateway. */
import { createServer as plainServer } from 'node:http';
import { createServer as secureServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { LineCheck } from '../../src/api/contract/diagnosis.ts';
import { systemClock } from '../../src/base/clock.ts';
import { type LineTools, testLine } from '../../src/line/line-test.ts';
import { selfSigned } from '../support/servers/certificate.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});
const listen = async (server: Server): Promise<number> => {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};
const createSecureServer = async (validity?: { from: Date; to: Date }, date?: Date) => {
  const { cert, key } = selfSigned(validity);
  const port = await listen(
    secureServer({ cert, key }, (_, answer) => {
      if (date) answer.setHeader('date', date.toUTCString());
      answer.end();
    }),
  );
  return { port, cert };
};

const runLineTest = async (more: Partial<LineTools> & Pick<LineTools, 'baseUrl'>) => {
  const reports: LineCheck[] = [];
  const tools = { clock: systemClock, canReachGateway: async () => true, variables: {}, ...more };
  const checks = await testLine(tools, (check) => reports.push(check));
  expect(reports).toEqual(checks);
  expect(checks.map(({ what }) => what)).toEqual(['name', 'route', 'proxy', 'tls', 'answer', 'clock']);
  for (const { says, cure, verdict } of checks) {
    expect(says).toMatch(/\.$/);
    if (verdict === 'bad') expect(cure).toMatch(/\.$/);
  }
  return Object.fromEntries(checks.map((check) => [check.what, check])) as Record<LineCheck['what'], LineCheck>;
};
const verdicts = (checks: Record<string, LineCheck>) =>
  Object.fromEntries(Object.entries(checks).map(([what, { verdict }]) => [what, verdict]));

const day = 86_400_000;
const yearsFromNow = (n: number) => new Date(systemClock.now() + n * 365 * day);

describe('plain http beyond this machine', () => {
  const checkPlain = async (mayUse: boolean) => {
    const port = await listen(plainServer((_, answer) => answer.end()));
    const requests: string[] = [];
    const hears = async () => requests.push('asked') > 0;
    // An address of this machine that is not loopback.
    return {
      checks: await runLineTest({ baseUrl: `http://0.0.0.0:${port}/`, mayUse, canReachGateway: hears }),
      requests,
    };
  };

  test('that nobody allowed is bad, and the gateway is not asked', async () => {
    const { checks, requests } = await checkPlain(false);
    expect(verdicts(checks)).toMatchObject({ tls: 'bad', answer: 'notAsked', clock: 'notAsked' });
    expect(checks.answer.says).toBe('Not tested: this needs encryption first.');
    expect(requests).toEqual([]);
  });

  test('that a manager allowed is still reported, and is used', async () => {
    const { checks, requests } = await checkPlain(true);
    expect(verdicts(checks)).toMatchObject({ tls: 'odd', answer: 'good', clock: 'good' });
    expect(requests).toHaveLength(5);
  });
});

describe('encryption', () => {
  test('a certificate that is trusted, for this name, and valid for long is good', async () => {
    const { port, cert } = await createSecureServer();
    const checks = await runLineTest({ baseUrl: `https://127.0.0.1:${port}/`, trusted: cert });
    expect(verdicts(checks)).toEqual({
      ...{ name: 'good', route: 'good', proxy: 'good', tls: 'good', answer: 'good', clock: 'good' },
    });
    expect(checks.tls.says).toMatch(/^TLSv1\.3; the certificate is for 127\.0\.0\.1, until \d{4}-/);
    expect(checks.answer.each).toHaveLength(5);
  });

  const rows: [says: string, host: string, validity: [from: number, to: number] | undefined, RegExp, RegExp][] = [
    ['it has expired', '127.0.0.1', [-2, -1], /has expired/, /machine’s date first/],
    ['it is not valid yet', '127.0.0.1', [1, 2], /not valid yet/, /clock/],
    ['it is for another name', 'localhost', undefined, /for another name/, /address in the configuration/],
  ];
  test.each(rows)('%s', async (_, host, validity, says, cure) => {
    const { port, cert } = await createSecureServer(
      validity && { from: yearsFromNow(validity[0]), to: yearsFromNow(validity[1]) },
    );
    const { tls, clock } = await runLineTest({ baseUrl: `https://${host}:${port}/`, trusted: cert });
    expect(tls).toMatchObject({ verdict: 'bad', says: expect.stringMatching(says) });
    expect(tls.cure).toMatch(cure);
    expect(clock.verdict).toBe('notAsked');
  });

  test('an untrusted certificate is bad', async () => {
    const { port } = await createSecureServer();
    const { tls } = await runLineTest({ baseUrl: `https://127.0.0.1:${port}/` });
    expect(tls).toMatchObject({ verdict: 'bad', says: expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT') });
  });

  test('a certificate that expires soon is reported', async () => {
    const { port, cert } = await createSecureServer({
      from: yearsFromNow(-1),
      to: new Date(systemClock.now() + 5.5 * day),
    });
    const { tls } = await runLineTest({ baseUrl: `https://127.0.0.1:${port}/`, trusted: cert });
    expect(tls).toMatchObject({
      verdict: 'odd',
      says: expect.stringMatching(/^Days until the certificate expires: 5 /),
    });
  });

  test('a server without TLS is reported', async () => {
    const port = await listen(plainServer());
    const { tls } = await runLineTest({ baseUrl: `https://127.0.0.1:${port}/` });
    expect(tls).toMatchObject({ verdict: 'bad', says: expect.stringMatching(/No encrypted connection/) });
  });
});

test('with an unknown host name the later checks are not made', async () => {
  const checks = await runLineTest({ baseUrl: 'https://no-such-host.invalid/', canReachGateway: async () => false });
  expect(verdicts(checks)).toMatchObject({ name: 'bad', route: 'notAsked', tls: 'notAsked', answer: 'bad' });
});

test('a port where nothing listens is reported', async () => {
  const port = await listen(plainServer());
  servers.pop()?.close();
  const { route } = await runLineTest({ baseUrl: `http://127.0.0.1:${port}/`, canReachGateway: async () => false });
  expect(route).toMatchObject({ verdict: 'bad', says: expect.stringContaining('ECONNREFUSED') });
});

test.each([
  ['is not used', { HTTPS_PROXY: 'http://user:secret@proxy.shop:3128' }, 'odd', /the proxy proxy\.shop:3128, which/],
  ['in small letters', { https_proxy: 'proxy.shop:3128' }, 'odd', /proxy\.shop:3128/],
  ['for another protocol is none', { HTTP_PROXY: 'http://proxy.shop:3128' }, 'good', /No proxy/],
  ['that is empty is none', { HTTPS_PROXY: '' }, 'good', /No proxy/],
] as const)('a proxy %s', async (_, variables, verdict, says) => {
  const { port, cert } = await createSecureServer();
  const { proxy } = await runLineTest({ baseUrl: `https://127.0.0.1:${port}/`, trusted: cert, variables });
  expect(proxy).toMatchObject({ verdict, says: expect.stringMatching(says) });
  expect(JSON.stringify(proxy)).not.toContain('secret');
});

test.each([
  ['agrees', 0, 'good', /agrees/],
  ['is a little off', 30_000, 'good', /30 s behind/],
  ['is far off', -600_000, 'bad', /\d{3} s ahead of/],
] as const)('the clock %s', async (_, offMs, verdict, says) => {
  const { port, cert } = await createSecureServer(
    undefined,
    new Date(Math.ceil((systemClock.now() + offMs) / 1000) * 1000),
  );
  const { clock } = await runLineTest({ baseUrl: `https://127.0.0.1:${port}/`, trusted: cert });
  expect(clock).toMatchObject({ verdict });
  expect(clock.says).toMatch(offMs === 30_000 ? /(29|30|31) s behind/ : says);
});

test('answers that stop are reported, and so is plain http within this machine', async () => {
  const port = await listen(plainServer((_, answer) => answer.end()));
  let n = 0;
  const hears = async () => {
    n += 1;
    return n < 3;
  };
  const { answer, tls } = await runLineTest({ baseUrl: `http://127.0.0.1:${port}/`, canReachGateway: hears });
  expect(answer).toMatchObject({ verdict: 'odd', says: 'The gateway stopped answering. Answers before that: 2.' });
  expect(tls).toMatchObject({ verdict: 'notAsked', says: expect.stringContaining('does not leave this machine') });
});

test('the bundled gateway is good', async () => {
  const checks = await runLineTest({ baseUrl: undefined });
  expect(verdicts(checks)).toEqual({
    ...{ name: 'notAsked', route: 'notAsked', proxy: 'notAsked', tls: 'notAsked' },
    ...{ answer: 'good', clock: 'notAsked' },
  });
  expect(checks.name.says).toContain('part of this program');
});
