import { createPrivateKey } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type SecureVersion } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Fault } from '../../../../src/base/fault.ts';
import { type HttpListener, listen } from '../../../../src/gateway/server/http/listen.ts';
import { loadTls } from '../../../../src/gateway/server/http/tls.ts';
import { type TestGateway, testGateway, token } from '../../../support/gateway/gateway.ts';
import { selfSigned } from '../../../support/servers/certificate.ts';

const folder = mkdtempSync(join(tmpdir(), 'tls-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

const from = new Date(Date.UTC(2026, 0, 1));
const to = new Date(Date.UTC(2027, 0, 1));
const ownCertificate = selfSigned({ from, to });
const cert = file('cert.pem', ownCertificate.cert);
const key = file('key.pem', ownCertificate.key);
const locked = createPrivateKey(ownCertificate.key)
  .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'open' })
  .toString();

test.each<[string, { cert: string; key: string }, RegExp]>([
  ['a missing certificate', { cert: join(folder, 'none'), key }, /none cannot be used: there is no such file/],
  ['a missing key', { cert, key: join(folder, 'none') }, /none cannot be used: there is no such file/],
  ['a folder', { cert: folder, key }, /it is a folder/],
  ['the two the wrong way round', { cert: key, key: cert }, /key\.pem cannot be used: it contains no certificate/],
  ['a certificate as key', { cert, key: cert }, /cert\.pem cannot be used: it contains no private key/],
  ['a key of another', { cert, key: file('other.pem', selfSigned().key) }, /it is not the key of the certificate in/],
  ['a key behind a password', { cert, key: file('locked.pem', locked) }, /encrypted with a password/],
  ['an empty file', { cert: file('empty.pem', ''), key }, /it contains no certificate/],
])('refuses %s with the file’s name', (_, files, pattern) => {
  expect(() => loadTls(files, from.getTime())).toThrow(
    expect.objectContaining({ code: 'config.malformed', message: expect.stringMatching(pattern) }) as Fault,
  );
});

test.each<[string, Date, RegExp | undefined]>([
  ['before its time', new Date(Date.UTC(2025, 11, 31)), /not valid before 2026-01-01/],
  ['in its time', new Date(Date.UTC(2026, 5, 1)), undefined],
  ['near its end', new Date(Date.UTC(2026, 11, 25)), /expires on 2027-01-01/],
  ['after its end', new Date(Date.UTC(2027, 0, 2)), /expired on 2027-01-01/],
])('%s a certificate is used, with a warning where needed', (_, now, expectedText) => {
  const { options, warnings } = loadTls({ cert, key }, now.getTime());
  expect(options.cert).toBe(ownCertificate.cert);
  expect(warnings).toEqual(expectedText === undefined ? [] : [expect.stringMatching(expectedText)]);
});

test('accepts files saved by Windows', () => {
  writeFileSync(cert, Buffer.from(`\uFEFF${ownCertificate.cert.replaceAll('\n', '\r\n')}`, 'utf16le'));
  writeFileSync(key, `\uFEFF${ownCertificate.key.replaceAll('\n', '\r\n')}`);
  expect(loadTls({ cert, key }, Date.UTC(2026, 5, 1)).options).toMatchObject(ownCertificate);
});

let gateway: TestGateway;
let server: HttpListener;
const first = selfSigned();
beforeAll(async () => {
  gateway = await testGateway();
  const tls = { ...first, minVersion: 'TLSv1.2' as const };
  server = await listen({ app: gateway.app, port: 0, host: '127.0.0.1', tls, limits: { receiveMs: 500 } });
});
afterAll(async () => {
  await server.close();
  await gateway.app.close();
  await gateway.store.close();
});

const status = (ca: string): Promise<number | string> =>
  new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}` };
    request({ port: server.port, host: '127.0.0.1', ca, path: '/v1/resultcodes', headers, agent: false }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    })
      .on('error', (error: Error & { code?: string }) => resolve(error.code ?? error.message))
      .end();
  });

test('answers over TLS, and uses a renewed certificate from the next connection on', async () => {
  expect(await status(first.cert)).toBe(200);
  const second = selfSigned();
  server.renew({ ...second, minVersion: 'TLSv1.2' });
  expect(await status(second.cert)).toBe(200);
  expect(await status(first.cert)).toMatch(/CERT/);
  server.renew({ ...first, minVersion: 'TLSv1.2' });
});

const handshake = (version: SecureVersion): Promise<string> =>
  new Promise((resolve) => {
    const options = { minVersion: version, maxVersion: version, ca: first.cert, ciphers: 'DEFAULT@SECLEVEL=0' };
    const socket = connect(server.port, '127.0.0.1', options, () => {
      resolve(socket.getProtocol() ?? '');
      socket.destroy();
    });
    socket.on('error', () => resolve('refused'));
  });

test.each<[SecureVersion, string]>([
  ['TLSv1.1', 'refused'],
  ['TLSv1.2', 'TLSv1.2'],
  ['TLSv1.3', 'TLSv1.3'],
])('%s: %s', async (version, outcome) => {
  expect(await handshake(version)).toBe(outcome);
});

test.each<[string, string]>([
  ['plain HTTP', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['nothing', ''],
])('closes the connection after %s on the TLS port', async (_, bytes) => {
  const socket = connectPlain(server.port, '127.0.0.1', () => socket.write(bytes));
  await new Promise((resolve) =>
    socket
      .on('error', () => {})
      .on('close', resolve)
      .resume(),
  );
  expect(await status(first.cert)).toBe(200);
});
