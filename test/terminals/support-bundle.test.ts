/** The support bundle: what remote support needs, nothing that could be used to pay, and no unscanned byte. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import { luhnDigit } from '../../src/emv/luhn.ts';
import { testCards } from '../../src/emv/test-cards.ts';
import { loadConfig } from '../../src/folder/config.ts';
import { loadSecrets } from '../../src/folder/keys/secrets.ts';
import { scanForCardData } from '../../src/terminals/support/card-data-scan.ts';
import { bundleSections, type SupportSection, writeBundle } from '../../src/terminals/support/support-bundle.ts';
import { openShop, SRED } from '../app/shop.ts';
import { scanForCardData as scanFiles } from '../support/leaks/leak-scan.ts';
import { modeHere } from '../support/platform/platform.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';
import { cpuTimeMs } from '../support/work/cpu-time.ts';

describe('what counts as card data', () => {
  const pan = '4000001234567899';
  const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');
  const rows: [says: string, text: string, kinds: string[]][] = [
    ['a number on its own', `card ${pan} was read`, ['card number']],
    ['in quotes', `{"pan":"${pan}"}`, ['card number']],
    ['in groups', 'card 4000 0012 3456 7899 was read', ['card number']],
    ['in groups with hyphens', '4000-0012-3456-7899', ['card number']],
    ['American Express in its groups', '3782 822463 10005', ['card number']],
    ['track 2', `;${pan}=29122010000012300000?`, ['track', 'card number']],
    ['track 2 in hex', `5713${pan}D29122010000012300F`, ['track']],
    ['track 1', `%B${pan}^DOE/JANE^2912201000000?`, ['track']],
    ['tag 5A', `9F0206000000001250 5A08${pan}5F340100`, ['card number']],
    ['tag 5A with a filler', '5A08378282246310005F5F3401', ['card number']],
    ['digits as hex', `01${Buffer.from(pan).toString('hex')}00`, ['card number']],
    ['base64', base64(`the card is ${pan}.`), ['card number']],
    ['a test card inside other digits', `0000${testCards['visa-credit'].pan}000`, ['card number']],
    ['a test card in base64', base64(`x${testCards['visa-credit'].pan}`), ['card number']],
    ['the test key', 'bdk 0123456789abcdeffedcba9876543210', ['key']],
    ['a key under its name', '"ipek": "6AC292FAA1315B4D858AB3A3D7D5933A"', ['key']],
    ['a private key', '-----BEGIN EC PRIVATE KEY-----', ['key']],
    ['a bearer token', 'authorization: Bearer OGE4Mjk0MTc0YjdlY2I', ['key']],
    ['a till’s secret', 'sent with a-secret-of-this-till', ['key']],
    ['a till’s secret in base64', base64('a-secret-of-this-till'), ['key']],
    ['a masked number', '400000******7899 ************7899', []],
    ['a wrong check digit', '4000001234567898', []],
    ['a number outside all brands', '1000001234567892', []],
    ['an amount, a time, a date', '12.50 1763733600000 2026-11-21 14:02:11', []],
    ['an id', 'a019b2c4000001234567899abcdef012', []],
    ['a masked token', '"token": "****"', []],
    ['zeros in place of a card', '5A080000000000000000 570A00000000000000000000', []],
    ['a key serial number', 'FFFF9876543210E00001', []],
  ];
  test.each(rows)('%s', (_, text, kinds) => {
    const found = scanForCardData(`first\n${text}\nlast`, ['a-secret-of-this-till']);
    expect(found.map(({ kind }) => kind).sort()).toEqual([...kinds].sort());
    for (const { line } of found) expect(line).toBe(2);
  });

  test('finds any number of a brand anywhere in a text', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 11, maxLength: 14 });
    const words = fc.string({ unit: fc.constantFrom(...'ghijk ,;:()"/'), maxLength: 20 });
    fc.assert(
      fc.property(fc.constantFrom('4', '51', '36', '62'), digits, words, words, (start, middle, before, after) => {
        const partial = `${start}${middle}`.slice(0, 15);
        const text = `${before} ${partial}${luhnDigit(partial)} ${after}`;
        expect(scanForCardData(text).map(({ kind }) => kind)).toContain('card number');
      }),
    );
  });

  test('rarely mistakes random ids and hex for cards', () => {
    const alarms = Array.from({ length: 2_000 }, () => systemIds.next()).flatMap((id) => scanForCardData(`sale ${id}`));
    expect(alarms.length).toBeLessThan(5);
  });

  test('scans a megabyte on one line quickly', () => {
    const startedAt = cpuTimeMs();
    for (const unit of ['4000001234567898', '5A08', '3', '40 ', 'A/b+'])
      scanForCardData(unit.repeat(1_000_000 / unit.length));
    expect(cpuTimeMs() - startedAt).toBeLessThan(5_000);
  });
});

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bundle-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const sectionsOf = (of: string) =>
  bundleSections({
    folder: of,
    clock: virtualClock(),
    versions: { tillgate: '1.2.3', node: 'v24' },
    terminals: ['known  mpi+serial:/dev/ttyACM0'],
    diagnosis: undefined,
  });
const sectionNamed = (sections: readonly SupportSection[], name: string) =>
  sections.find((section) => section.name === name)?.lines.join('\n') ?? '';

describe('the content', () => {
  test('of a till that has sold is complete', async () => {
    const shop = openShop();
    try {
      await shop.storeOne();
      writeFileSync(shop.file('till.log'), 'started\nterminal lost\n');
      mkdirSync(shop.file('recordings'));
      writeFileSync(shop.file('recordings/1.tape'), '> 010004D0000000D5\n');
      const sections = sectionsOf(shop.folder);
      expect(sections.map(({ name }) => name)).toEqual([
        ...[
          'about',
          'configuration',
          'terminals',
          'diagnosis',
          'journal',
          'log till.log',
          'recording recordings/1.tape',
        ],
      ]);
      expect(sectionNamed(sections, 'about')).toMatch(/tillgate {2}1\.2\.3/);
      expect(sectionNamed(sections, 'configuration')).toContain('"terminalId": "10000001"');
      expect(sectionNamed(sections, 'journal')).toMatch(/intended .*"minor":"1000"/);
      expect(sectionNamed(sections, 'journal')).toMatch(/"maskedPan":"476173\*{6}0010"/);
      // Names are shown; values that are not listed are masked.
      expect(sectionNamed(sections, 'journal')).toContain('"key":"****"');
      expect(sectionNamed(sections, 'log till.log')).toBe('started\nterminal lost');

      const file = join(folder, 'bundle.txt');
      const { leftOut } = writeBundle(file, sections, { folder: shop.folder });
      expect(leftOut).toEqual([]);
      expect(statSync(file).mode & 0o777).toBe(modeHere(0o600));
      const secrets = Object.values(JSON.parse(readFileSync(shop.file('till.secrets.json'), 'utf8')) as object);
      expect(scanFiles({ roots: [folder], needles: [SRED, ...(secrets as string[])] })).toEqual([]);
      expect(readFileSync(file, 'utf8')).toMatch(/^TILLGATE SUPPORT BUNDLE 1\n\n==== about \(lines: \d+\)\n/);
    } finally {
      shop.remove();
    }
  });

  test('of a till that never started, or has damaged files, says so', () => {
    expect(sectionNamed(sectionsOf(folder), 'configuration')).toBe('There is no till.json yet.');
    expect(sectionNamed(sectionsOf(folder), 'journal')).toBe('There is no journal yet.');
    writeFileSync(join(folder, 'till.json'), '{"token": "not-to-be-shown');
    writeFileSync(join(folder, 'journal.db'), 'no database at all, but long enough to be looked at');
    const sections = sectionsOf(folder);
    expect(sectionNamed(sections, 'configuration')).toMatch(/^It could not be read: /);
    expect(sectionNamed(sections, 'configuration')).not.toContain('not-to-be-shown');
    expect(sectionNamed(sections, 'journal')).toMatch(/^It could not be read: /);
  });

  test('has no address parts besides the host', () => {
    const config = loadConfig(folder, systemIds);
    const gateway = { ...config.gateway, baseUrl: 'https://anna:hunter2@gateway.example/?key=hunter2' };
    writeFileSync(join(folder, 'till.json'), JSON.stringify({ ...config, gateway }));
    expect(sectionNamed(sectionsOf(folder), 'configuration')).toContain('"https://gateway.example/"');
    expect(sectionNamed(sectionsOf(folder), 'configuration')).not.toContain('hunter2');
  });

  test('has only the end of a long log, and never half a line', () => {
    writeFileSync(join(folder, 'till.log'), Array.from({ length: 50_000 }, (_, n) => `line ${n}`).join('\n'));
    const lines = sectionsOf(folder).find(({ name }) => name === 'log till.log')?.lines ?? [];
    expect(lines[0]).toMatch(/^The first \d+ bytes are left out\.$/);
    expect(lines[1]).toMatch(/^line \d+$/);
    expect(lines.at(-1)).toBe('line 49999');
  });
});

describe('card data in the content', () => {
  const { pan } = testCards['visa-credit'];
  const file = () => join(folder, 'out', 'bundle.txt');
  beforeEach(() => {
    mkdirSync(join(folder, 'out'));
    mkdirSync(join(folder, 'logs'));
    writeFileSync(join(folder, 'till.log'), `fine\nread ${pan}\nread ${pan}=2212201\n`);
    writeFileSync(join(folder, 'other.log'), 'fine\n');
  });

  test('is reported by section and line, and nothing is written', () => {
    try {
      writeBundle(file(), sectionsOf(folder), { folder });
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code: 'bundle.cardData', remedy: 'refuse' });
      expect(String(error)).toContain('log till.log (card number and track, line 2, 3)');
      expect(String(error)).not.toContain(pan);
    }
    expect(readdirSync(join(folder, 'out'))).toEqual([]);
  });

  test('is left out on request, and the bundle says so', () => {
    const { leftOut, sections } = writeBundle(file(), sectionsOf(folder), { folder, leaveOut: true });
    expect(leftOut.map(({ section }) => section)).toEqual(['log till.log']);
    expect(sections).toContain('log other.log');
    expect(sections).not.toContain('log till.log');
    expect(readFileSync(file(), 'utf8')).toContain('LEFT OUT: log till.log (card number and track, line 2, 3)');
    expect(scanFiles({ roots: [join(folder, 'out')], needles: [pan] })).toEqual([]);
  });

  test('in the name of a file is not repeated either', () => {
    rmSync(join(folder, 'till.log'));
    writeFileSync(join(folder, 'logs', `${pan}.log`), 'fine\n');
    const { leftOut } = writeBundle(file(), sectionsOf(folder), { folder, leaveOut: true });
    expect(leftOut.map(({ section }) => section)).toEqual(['the name of a file']);
    expect(readFileSync(file(), 'utf8')).not.toContain(pan);
  });

  test('includes the till’s own secrets, however they are named', () => {
    const { token } = loadSecrets(folder, { random: systemRandom, isNew: true });
    writeFileSync(join(folder, 'till.log'), `asked with ${token}\n`);
    expect(() => writeBundle(file(), sectionsOf(folder), { folder })).toThrow(/log till\.log \(key, line 1\)/);
  });

  test('leaves nothing behind when the bundle cannot be written', () => {
    rmSync(join(folder, 'till.log'));
    const nowhere = join(folder, 'no', 'such', 'folder.txt');
    expect(() => writeBundle(nowhere, sectionsOf(folder), { folder })).toThrow(
      expect.objectContaining({ code: 'bundle.unwritable' }),
    );
    expect(existsSync(join(folder, 'no'))).toBe(false);
  });
});
