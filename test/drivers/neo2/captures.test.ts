/**
 * Each row of the vector file about ID TECH readers, played to the driver: frames and reports as its narrator reads
 * them off a line, and the answers about cards as a sale.
 */
import { describe, expect, test } from 'vitest';
import { decodeNeo2Frame } from '../../../drivers/framing/neo2-frame.ts';
import { fromReader } from '../../../drivers/neo2/protocol/commands.ts';
import { neo2Narrator } from '../../../drivers/neo2/protocol/narrator.ts';
import type { ReadOutcome } from '../../../drivers/terminal.ts';
import type { Fault } from '../../../src/base/fault.ts';
import { fromHex, toHex } from '../../../src/base/hex.ts';
import { openPin, openSred } from './bench.ts';
import { captured, captures, frames } from './captures.ts';
import { authenticates, beginning, bench, started } from './neo2-tape.ts';

const wayOf = (direction: string) => (direction === 'host->device' ? 'said' : 'heard');

/** Commands that this driver never sends: they are described by their numbers. */
const others = new Set(['crc.kb', 'screen61-17.req', 'screen61-17.resp', 'passthrough.resp', 'C7.resp']);

/** The question before each answer that does not name its command. */
const askedBefore: Readonly<Record<string, string>> = {
  'serial.resp': 'serial.req',
  'fwMain.resp': 'fwMain.req',
  'modules.resp': 'modules.req',
  'setICS3C.resp': 'setICS3C.req',
};

/** This request was derived before the maker's logs were read, in which a text length follows these four bytes. */
const refuted = 'pin.start.req';

test.each(frames.map((row) => [row.name, row] as const))('%s, off a line', (name, { hex, direction }) => {
  const narrator = neo2Narrator('stream');
  const askedCommand = askedBefore[name];
  if (askedCommand !== undefined) narrator.push('said', captured(askedCommand));
  const text = narrator.push(wayOf(direction), fromHex(hex)).join('\n');
  if (name === refuted) return expect(text).toBe('62-01 with 4 bytes that cannot be read');
  expect(text).not.toMatch(/unreadable|cannot be read/);
  if (!others.has(name) && !name.startsWith('queryScreen')) expect(text).not.toMatch(/unknown/);
  expect(text).not.toMatch(/4761739001010010|5413339000001513/);
});

describe('reports', () => {
  const reports = captures.filter(({ protocol }) => protocol === 'idtech-neo2-hid');
  const whole = [...new Set(reports.map(({ name }) => name.replace(/\.report\d\/\d$/, '')))];

  test.each([
    ['hid.serial.req', 'SERIAL NUMBER'],
    ['hid.modules.resp', ''],
    ['hid.mifare64.resp', ''],
  ])('%s', (name, text) => {
    const parts = reports.filter((row) => row.name.startsWith(name));
    const narrator = neo2Narrator('reports');
    const lines = parts.flatMap(({ hex, direction }) => narrator.push(wayOf(direction), fromHex(hex)));
    // The reports form one frame, which is complete only with the last of them.
    expect(lines).toHaveLength(1);
    expect(lines.join()).toContain(text);
    expect(lines.join()).not.toContain('unreadable');
  });

  test('are all played', () => {
    expect(whole.toSorted()).toEqual(['hid.mifare64.resp', 'hid.modules.resp', 'hid.serial.req']);
  });
});

/** The data of a captured answer in our form: a frame of another command, or bare objects. */
const dataOf = (name: string): string => {
  const { hex } = captures.find((row) => row.name === name) ?? { hex: '' };
  return toHex(hex.startsWith('5669564F') ? decodeNeo2Frame(fromHex(hex), fromReader).data : fromHex(hex));
};

const chipRead = (name: string) => `${beginning()}\n${started}\n${authenticates}\n< 6000 ${dataOf(name)}`;

type Reading = { says: string; frames: string; check(outcome: ReadOutcome | string): void };

const cardIn = (outcome: ReadOutcome | string) => {
  if (typeof outcome === 'string' || outcome.kind === 'notRead') throw new Error(`no card: ${JSON.stringify(outcome)}`);
  return outcome.card;
};

const readings: Readonly<Record<string, Reading>> = {
  'ctls.mchip.resp.tlvs': {
    says: 'a tap goes online, with an account that the test key decrypts',
    frames: `${beginning()}\n< 0223 ${dataOf('ctls.mchip.resp.tlvs')}`,
    check(outcome) {
      const card = cardIn(outcome);
      expect(card).toMatchObject({ entryMode: 'NFC_ICC', maskedPan: '5413********1513', aid: 'A0000000041010' });
      expect(openSred(card.sred[0] ?? { data: new Uint8Array(0), ksn: '' })).toMatch(/^57125413339000001513D2012/);
    },
  },
  'v3.contact.02-06.encAES.pinISO4.resp': {
    says: 'a chip under AES with a PIN, which approved: its PIN decrypts',
    frames: chipRead('v3.contact.02-06.encAES.pinISO4.resp'),
    check(outcome) {
      expect(outcome).toMatchObject({ kind: 'approvedOffline', card: { entryMode: 'ICC' } });
      const { pin, sred } = cardIn(outcome);
      expect(pin && openPin(pin, '4761739001010010')).toBe('1234');
      expect(sred[0] && openSred(sred[0], 'aes')).toContain('57114761739001010010D2012');
    },
  },
  'v3.contact.02-05.plain.resp': {
    says: 'an unencrypted chip is refused in words',
    frames: `${chipRead('v3.contact.02-05.plain.resp')}\n> 0501\n< 0500`,
    check: (outcome) => expect(outcome).toMatch(/^terminal\.unready: .*no encrypted card data/),
  },
  'contact.rawdata.tlvs': {
    says: 'a chip of the Augusta family, whose pairs both have 81, goes online as far as it was captured',
    frames: chipRead('contact.rawdata.tlvs'),
    check(outcome) {
      const card = cardIn(outcome);
      expect(card).toMatchObject({ entryMode: 'ICC', maskedPan: '4761********0119' });
      expect(openSred(card.sred[0] ?? { data: new Uint8Array(0), ksn: '' })).toMatch(/^57134761739001010119D2212/);
    },
  },
};

test.each(Object.entries(readings).map(([name, row]) => [name, row.says, row] as const))(
  '%s: %s',
  async (_name, _says, { frames: played, check }) => {
    const { read, link } = await bench(played);
    check(await read().catch(({ code, message }: Fault) => `${code}: ${message}`));
    expect(link.left().filter((line) => !line.includes('0501'))).toEqual([]);
  },
);

test('every row of the file is used', () => {
  const played = new Set([
    ...frames.map(({ name }) => name),
    ...captures.filter(({ protocol }) => protocol === 'idtech-neo2-hid').map(({ name }) => name),
    ...Object.keys(readings),
  ]);
  expect(captures.map(({ name }) => name).filter((name) => !played.has(name))).toEqual([]);
});
