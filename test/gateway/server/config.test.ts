import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Fault } from '../../../src/base/fault.ts';
import {
  addressWarning,
  applySharedSettings,
  type ConfigSources,
  plainHttpWarning,
  readConfig,
} from '../../../src/gateway/server/config/config.ts';
import { redactConfig, removePassword } from '../../../src/gateway/server/config/redact.ts';

const folder = mkdtempSync(join(tmpdir(), 'config-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const file = (content: unknown, encoding: BufferEncoding = 'utf8'): string => {
  files += 1;
  const path = join(folder, `${files}.json`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content), encoding);
  return path;
};

const entityId = 'a'.repeat(32);
const channel = { entityId, token: 'secret-token' };

const readSources = (sources: Partial<ConfigSources>) =>
  readConfig({ environment: {}, flags: { port: '0' }, ...sources });
/** The errors that reading these sources reports, one per element. */
const complaintsOf = (sources: Partial<ConfigSources>): readonly string[] => {
  try {
    readSources(sources);
  } catch (error) {
    return (error as Fault).message.split('\n  ').slice(1);
  }
  return [];
};

test('only a port is required, and everything else has a default', () => {
  expect(readSources({})).toEqual({
    port: 0,
    host: '127.0.0.1',
    data: 'data',
    log: 'off',
    maxConnections: 1024,
    patienceMs: 30_000,
    stopMs: 35_000,
    forAll: {},
    legacy: [],
  });
});

test('the environment overrides the file, and a flag overrides both', () => {
  const sources = {
    file: file({ port: 1, host: 'one', data: 'one', channels: [channel] }),
    environment: { TILLGATE_PORT: '2', TILLGATE_HOST: 'two', TILLGATE_CHANNELS: `${'b'.repeat(32)}:t:w:o` },
    flags: { port: '3', insecure: true },
  };
  expect(readSources(sources)).toMatchObject({
    port: 3,
    host: 'two',
    data: 'one',
    channels: [{ entityId: 'b'.repeat(32), token: 't:w:o' }],
  });
});

test('reads a file in any Unicode encoding, and refuses one in a code page with its line', () => {
  const text = JSON.stringify({ data: 'one', channels: [{ ...channel, name: 'Café' }] }, null, 2);
  for (const saved of [file(`\uFEFF${text}`), file(`\uFEFF${text.replaceAll('\n', '\r\n')}`, 'utf16le')])
    expect(readSources({ file: saved })).toMatchObject({ data: 'one', channels: [{ name: 'Café' }] });
  const page = file(text, 'latin1');
  expect(complaintsOf({ file: page })).toEqual([`${page}: line 7: the byte E9 is not UTF-8; save the file as UTF-8`]);
});

test('a channel in a file can have all properties of a channel', () => {
  const full = {
    ...channel,
    name: 'Corner Shop',
    lenient: true,
    legacy: { userId: 'user', password: 'word' },
    throttle: { perSecond: 0.5, burst: 10 },
    risk: { amountMax: '500.00', velocity: [{ per: 'card', withinMinutes: 60, most: 3 }] },
    upstream: { baseUrl: 'https://upstream.example/', entityId, token: 'other-secret', timeoutMs: 20_000 },
    brands: [{ name: 'SHOPCARD', account: 'giftCard' }],
    rebillUpTo: '100.00',
    limits: { webhooks: 100, openCheckouts: 50_000 },
  };
  expect(readSources({ file: file({ channels: [full] }) }).channels).toEqual([full]);
  expect(readSources({ environment: { TILLGATE_CHANNELS: JSON.stringify([full]) } }).channels).toEqual([full]);
});

test.each<[string, Partial<ConfigSources>, readonly string[]]>([
  ['no port', { flags: {} }, ['--port: is missing; TILLGATE_PORT or port in the configuration file will do as well']],
  ['a port too high', { flags: { port: '65536' } }, ['--port: must be 0 to 65535']],
  ['a port that is not a number', { flags: { port: '8o' } }, ['--port: must be a whole number, 0 to 65535']],
  ['no such file', { file: '/nowhere.json' }, ['/nowhere.json: there is no such file']],
  [
    'a misspelt variable',
    { environment: { TILLGATE_HOTS: 'x' } },
    ['TILLGATE_HOTS: is not known; did you mean TILLGATE_HOST?'],
  ],
  ['an unrelated variable', { environment: { TILLGATE_JOURNAL_PLACE: 'x', PORT: 'y' } }, []],
  ['a channel without a token', { flags: { port: '0', channels: [entityId] } }, ['--channel[0].token: is missing']],
  [
    'a vault key that is too short',
    { environment: { TILLGATE_VAULT_KEY: 'ab' } },
    [expect.stringMatching(/^TILLGATE_VAULT_KEY: must be 64 hex/)],
  ],
  ['a certificate without a key', { flags: { port: '0', tlsCert: 'c' } }, ['--tls-key: is missing beside --tls-cert']],
  [
    'one channel twice',
    { flags: { port: '0', channels: [`${entityId}:t`, `${entityId}:t`] } },
    ['channels[1]: has the entityId and token of an earlier one'],
  ],
  [
    'a limit of zero checkouts',
    {
      environment: {
        TILLGATE_PORT: '0',
        TILLGATE_CHANNELS: JSON.stringify([{ ...channel, limits: { openCheckouts: 0 } }]),
      },
    },
    [expect.stringMatching(/limits\.openCheckouts: must be a whole number, 1 to 1000000/)],
  ],
  [
    'less time to stop than to answer',
    { flags: { port: '0', stopSeconds: '5' } },
    [expect.stringMatching(/^--stop-seconds: must not be less/)],
  ],
  [
    'truncated legacy credentials',
    { legacyCredentials: [`${entityId}:user`] },
    [expect.stringMatching(/^--legacy-credentials\[0\]: must be/)],
  ],
])('%s is named', (_, sources, texts) => {
  expect(complaintsOf(sources)).toEqual(texts);
});

const open = expect.stringMatching(
  /^--host: 0\.0\.0\.0 is open to other machines.*--tls-cert.*--trusted-proxy.*--insecure/,
);

test.each<[string, Partial<ConfigSources>, readonly string[]]>([
  ['by a flag', { flags: { port: '0', host: '0.0.0.0' } }, [open]],
  ['by a variable', { environment: { TILLGATE_HOST: '0.0.0.0' } }, [open]],
  ['in a file', { file: file({ host: '0.0.0.0' }) }, [open]],
  ['with --insecure false in a file', { file: file({ host: '0.0.0.0', insecure: false }) }, [open]],
  ['as a name', { flags: { port: '0', host: 'till-7' } }, [expect.stringMatching(/^--host: till-7 is open/)]],
  ['on this machine', { flags: { port: '0', host: '127.0.0.2' } }, []],
  ['with TLS', { flags: { port: '0', host: '::', tlsCert: 'c', tlsKey: 'k' } }, []],
  ['insecure by a flag', { flags: { port: '0', host: '0.0.0.0', insecure: true } }, []],
  ['insecure by a variable', { environment: { TILLGATE_HOST: '::', TILLGATE_INSECURE: 'true' } }, []],
  ['behind a proxy', { flags: { port: '0', host: '0.0.0.0', trustedProxy: ['10.0.0.5'] } }, []],
  [
    'behind a proxy range that covers every machine',
    { flags: { port: '0', host: '0.0.0.0', trustedProxy: ['0.0.0.0/0'] } },
    [expect.stringMatching(/^--trusted-proxy\[0\]: must be an IP address, or a range/), open],
  ],
  [
    'behind a proxy given by name',
    { environment: { TILLGATE_TRUSTED_PROXY: 'proxy.example' } },
    [expect.stringMatching(/^TILLGATE_TRUSTED_PROXY\[0\]: must be an IP address, or a range/)],
  ],
])('without TLS a gateway is open to other machines only if that is set explicitly: %s', (_, sources, texts) => {
  expect(complaintsOf(sources)).toEqual(texts);
});

test('trusted proxies come from flags, a variable or the file, and an open gateway warns without them', () => {
  const list = ['10.0.0.5', 'fd00::/8'];
  expect(readSources({ flags: { port: '0', trustedProxy: list } }).trustedProxies).toEqual(list);
  expect(readSources({ environment: { TILLGATE_TRUSTED_PROXY: '10.0.0.5, fd00::/8' } }).trustedProxies).toEqual(list);
  expect(readSources({ file: file({ trustedProxy: list }) }).trustedProxies).toEqual(list);
  const open = { port: '0', host: '0.0.0.0', insecure: true };
  expect(plainHttpWarning(readSources({ flags: open }))).toMatch(
    /^--insecure: 0\.0\.0\.0 is open to other machines without TLS/,
  );
  expect(plainHttpWarning(readSources({ flags: { ...open, tlsCert: 'c', tlsKey: 'k' } }))).toBeUndefined();
  expect(plainHttpWarning(readSources({ flags: { ...open, trustedProxy: list } }))).toBeUndefined();
  expect(plainHttpWarning(readSources({ flags: { ...open, host: '127.0.0.1' } }))).toBeUndefined();
});

test('the public address comes from a flag, a variable or the file, without a slash at its end', () => {
  const publicUrl = 'https://Pay.example:8443/shop/';
  const publicAddressText = 'https://pay.example:8443/shop';
  expect(readSources({ flags: { port: '0', publicUrl } }).publicUrl).toBe(publicAddressText);
  expect(readSources({ environment: { TILLGATE_PUBLIC_URL: publicUrl } }).publicUrl).toBe(publicAddressText);
  expect(readSources({ file: file({ publicUrl }) }).publicUrl).toBe(publicAddressText);
  const proxied = { port: '0', trustedProxy: ['10.0.0.5'] };
  expect(addressWarning(readSources({ flags: proxied }))).toMatch(/^Without --public-url shoppers are sent/);
  expect(addressWarning(readSources({ flags: { ...proxied, publicUrl } }))).toBeUndefined();
  expect(addressWarning(readSources({}))).toBeUndefined();
});

test.each<[string, Record<string, string | boolean>, RegExp | undefined]>([
  ['pay.example', {}, /^--public-url: must be an address such as/],
  ['ftp://pay.example', {}, /^--public-url: must be/],
  ['https://user@pay.example', {}, /^--public-url: must be/],
  ['https://pay.example/?a=b', {}, /^--public-url: must be/],
  ['https://pay.example/a#b', {}, /^--public-url: must be/],
  ['https://pay.example//a', {}, /^--public-url: must be/],
  ['http://pay.example', {}, /^--public-url: http:\/\/pay\.example is plain http: shoppers would send their cards/],
  ['http://pay.example', { insecure: true }, undefined],
  ['http://127.0.0.1:8080', {}, undefined],
  ['https://pay.example/a/b', {}, undefined],
])('judges %s as a public address', (publicUrl, flags, expectedText) => {
  const messages = complaintsOf({ flags: { port: '0', publicUrl, ...flags } });
  expect(messages).toEqual(expectedText === undefined ? [] : [expect.stringMatching(expectedText)]);
});

const upstream = { baseUrl: 'https://upstream.example/', entityId, token: 'other-secret' };

test.each<[string, object, RegExp]>([
  ['an unknown mode', { mode: 'production' }, /mode: must be test or live/],
  ['a live channel without a processor', { mode: 'live' }, /upstream: is missing: a live channel needs the processor/],
  [
    'a live channel with simulated 3-D Secure',
    { mode: 'live', upstream, threeDSecure: { enabled: true } },
    /threeDSecure: is simulated by this gateway/,
  ],
  [
    'a live channel whose settlement names no acquirer',
    { mode: 'live', upstream, settlement: { folder: '/settlements' } },
    /settlement\.acquirer: is missing: the settlement file of a live channel must name its acquirer/,
  ],
  [
    'an unencrypted upstream',
    { upstream: { baseUrl: 'http://far.example/', entityId, token: 't' } },
    /upstream\.baseUrl: must be https/,
  ],
  [
    'an upstream with a user',
    { upstream: { baseUrl: 'https://u:p@far.example/', entityId, token: 't' } },
    /upstream\.baseUrl: must be https/,
  ],
  ['a misspelt risk rule', { risk: { amountMx: '1.00' } }, /risk\.amountMx: is not known; did you mean amountMax\?/],
  ['an empty bucket', { throttle: { perSecond: 1, burst: 0 } }, /throttle\.burst: must be 1 or more/],
  [
    'a throttle that is not a number',
    { throttle: { perSecond: '1', burst: 1 } },
    /throttle\.perSecond: must be a number/,
  ],
  [
    'a brand with an unknown account',
    { brands: [{ name: 'X', account: 'cash' }] },
    /brands\[0\]\.account: must be one of card,/,
  ],
  ['a token with a space', { token: 'a b' }, /token: must be 1 to 512 visible/],
  ['a name that is not a text', { name: 7 }, /name: must be of type string/],
])('%s is reported with its place', (_, part, pattern) => {
  const path = file({ channels: [{ ...channel, ...part }] });
  const messages = complaintsOf({ file: path });
  expect(messages).toEqual([expect.stringMatching(pattern)]);
  expect(messages[0]?.startsWith(`${path}: channels[0].`)).toBe(true);
});

test('does not quote a file that is not JSON', () => {
  const messages = complaintsOf({ file: file('{"channels": [{"token": "secret-token" "x"}]}') });
  expect(messages).toEqual([expect.stringMatching(/\.json: is not JSON at position \d+/)]);
  expect(messages.join()).not.toContain('secret');
});

test('settings for all channels apply to each, and a channel’s own throttle stays', () => {
  const ownThrottle = { perSecond: 9, burst: 9 };
  const config = readSources({
    flags: { port: '0', lenient: true, throttle: '2.5' },
    legacyCredentials: [`${entityId}:user:pass:word`],
  });
  expect(
    applySharedSettings([channel, { ...channel, entityId: 'b'.repeat(32), throttle: ownThrottle }], config),
  ).toEqual([
    {
      ...channel,
      lenient: true,
      throttle: { perSecond: 2.5, burst: 3 },
      legacy: { userId: 'user', password: 'pass:word' },
    },
    { ...channel, entityId: 'b'.repeat(32), lenient: true, throttle: ownThrottle },
  ]);
  expect(() => applySharedSettings([], config)).toThrow(/--legacy-credentials: no channel has the entityId a{32}/);
});

test('the configuration as shown contains no secret', () => {
  const database = 'postgresql://shop:seen%40nowhere@db.example/shop?sslpassword=neither';
  const config = readSources({
    flags: { port: '0', database },
    environment: { TILLGATE_VAULT_KEY: '5'.repeat(64) },
    legacyCredentials: [`${entityId}:user:word`],
  });
  const upstream = { baseUrl: 'https://upstream.example/', entityId, token: 'other-secret' };
  const text = JSON.stringify(redactConfig(config, applySharedSettings([{ ...channel, upstream }], config)));
  expect(text).not.toMatch(/secret|:"word"|nowhere|neither|5{64}/);
  expect(JSON.parse(text)).toMatchObject({ database: 'postgresql://shop:****@db.example/shop', vaultKey: '****' });
  for (const text of [`cannot reach ${database}`, 'wrong: seen@nowhere', 'wrong: seen%40nowhere']) {
    expect(removePassword(text, database)).not.toMatch(/nowhere/);
  }
});
