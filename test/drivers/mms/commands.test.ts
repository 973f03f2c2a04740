import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cardDataOf, decodeBlock, entryModeOf, printHarmless } from '../../../drivers/mms/protocol/card-data.ts';
import {
  commandNamed,
  commands,
  decodeAnswer,
  decodeRequest,
  encodeRequest,
  type MmsCommandName,
  type MmsRequest,
} from '../../../drivers/mms/protocol/commands.ts';
import { contentOf, decodeMessage, encodeMessage } from '../../../drivers/mms/protocol/messages.ts';
import { decodeNotice } from '../../../drivers/mms/protocol/notices.ts';
import { type PropertyName, properties, propertyNamed, propertyRow } from '../../../drivers/mms/protocol/properties.ts';
import { isFault } from '../../../src/base/fault.ts';
import { concat, fromHex, toHex } from '../../../src/base/hex.ts';
import { retailMac } from '../../../src/emv/mac.ts';
import { find } from '../../../src/emv/tlv.ts';
import { workingKey } from '../../support/devices/driver-hsm.ts';
import { captured, captures } from './captures.ts';
import { hexIn, openContainer } from './hsm.ts';

const messages = captures('magtek-mms').filter(({ hex }) => hex.startsWith('AA00'));

describe('every captured message', () => {
  test.each(messages.map((each) => [each.name, each] as const))('%s', (_, { hex, direction }) => {
    const message = decodeMessage(fromHex(hex));
    expect(message.kind).toMatch(direction === 'host->device' ? /^request$/ : /^(response|notification)$/);
    if (message.kind === 'notification') expect(decodeNotice(message).kind).not.toBe('unknown');
    if (message.kind === 'response') {
      const name = commandNamed(message.id);
      if (name !== undefined) decodeAnswer(name, message);
    }
    if (message.kind !== 'request') return;
    // Requests that we can write are written byte for byte.
    const request = decodeRequest(message.id, message.payload);
    if (request === undefined) return;
    const payload = encodeRequest(request.name, request.ask as never);
    expect(toHex(encodeMessage({ ...message, payload }))).toBe(hex);
  });

  test('most requests have a row', () => {
    const requests = messages.filter(({ direction }) => direction === 'host->device');
    const known = requests.filter(({ hex }) => {
      const message = decodeMessage(fromHex(hex));
      return message.kind === 'request' && commandNamed(message.id) !== undefined;
    });
    expect(requests.length - known.length).toBe(1);
    expect(known.length).toBeGreaterThan(20);
  });
});

const decodeSent = (name: string): MmsRequest | undefined => {
  const message = decodeMessage(captured(name));
  return message.kind === 'request' ? decodeRequest(message.id, message.payload) : undefined;
};

describe('requests', () => {
  test('a start in the EMV flow', () => {
    expect(decodeSent('start.req.emvflow.all')).toEqual({
      name: 'start',
      ask: {
        seconds: 60,
        readers: { swipe: 1, chip: 1, tap: 1 },
        options: '0002',
        sale: {
          type: '00',
          amountMinor: 1_000n,
          otherMinor: 0n,
          currency: 'USD',
          exponent: 2,
          merchantCategory: '0000',
          transactionCategory: '00',
        },
      },
    });
  });

  test('the host’s answer with a script', () => {
    const request = decodeSent('resume.req.arpc.script');
    if (request?.name !== 'resume') throw new Error('another command');
    expect(request.ask).toMatchObject({ from: 0, unlisted: 0x78 });
    expect(toHex(request.ask.arpc)).toMatch(/^FF74..DFDF25084236313337384100FA..70..8A023030910A1122/);
  });
});

test.each([
  ['AA0081048300100182040002000D', { kind: 'battery', says: 'low', percent: 13 }],
  // As the manual prints these notifications: without a length.
  ['AA00810483001001820002000D', { kind: 'battery', says: 'low', percent: 13 }],
  ['AA008104830010018200020100', { kind: 'battery', says: 'empty', percent: 0 }],
  ['AA008104830010018200020200', { kind: 'battery', says: 'charged', percent: 100 }],
  ['AA0081048300100182040400F600', { kind: 'temperature', celsius: 0 }],
  ['AA00810483001001820400010300', { kind: 'restartSoon', minutes: 3 }],
  ['AA00810483001001820401050000', { kind: 'aside' }],
  ['AA0081048300777782040000ABCD', { kind: 'unknown' }],
])('the notice %s', (hex, notice) => {
  const message = decodeMessage(fromHex(hex));
  expect(message.kind === 'notification' && decodeNotice(message)).toEqual(notice);
});

describe('properties', () => {
  test.each<[string, PropertyName, unknown]>([
    ['prop.serial.get.resp', 'serial', 'B61378A'],
    ['prop.model.get.resp', 'model', 'DynaFlex Pro'],
    ['prop.firmware.get.resp', 'firmware', '1000007183-A1-PCI'],
    ['prop.txnkeys.get.resp', 'transactionKeys', ['2000', '2007']],
    ['prop.opstatus.get.resp', 'state', 2],
    ['prop.arpcRetry.get.resp', 'arpcRetries', 0],
    ['prop.fallback.get.resp', 'fallback', 1],
  ])('%s', (capture, name, value) => {
    const message = decodeMessage(captured(capture));
    if (message.kind !== 'response') throw new Error('no response');
    const { answer } = decodeAnswer('getProperty', message);
    expect(propertyNamed(answer?.oid ?? '')).toBe(name);
    expect(propertyRow(name).holds.decode(answer?.value ?? new Uint8Array(0))).toEqual(value);
    expect(answer?.form).toBe(properties[name].form);
  });

  test('no two rows share a name', () => {
    const names = Object.values(properties).map(({ oid }) => oid);
    expect(new Set(names).size).toBe(names.length);
  });
});

test('key information without the id in front', () => {
  const message = decodeMessage(captured('keyinfo.resp'));
  if (message.kind !== 'response') throw new Error('no response');
  expect(decodeAnswer('keyInfo', message).answer).toEqual({
    status: 2,
    type: 0x20,
    slot: '1081',
    ksn: 'FFFF9876543210300000',
  });
});

const blockOf = (name: string) => {
  const message = decodeMessage(captured(name));
  if (message.kind !== 'notification') throw new Error('no notification');
  return find(contentOf(message.id, message.payload), '84')?.value ?? new Uint8Array(0);
};

// These units show four digits at either end, and zeros in between.
describe('data blocks', () => {
  test.each([
    ['notif.arqc.contact.pin', 'ICC', '541300******1513', '5413339000001513'],
    ['notif.arqc.msr.techfallback', 'MAGSTRIPE_AS_FALLBACK', '541300******1513', ''],
  ] as const)('%s', (name, mode, mask, pan) => {
    const block = decodeBlock(blockOf(name));
    expect(entryModeOf(block, false)).toBe(mode);
    const card = cardDataOf(block, mode);
    expect(card.maskedPan).toBe(mask);
    const [pair] = card.sred;
    expect(pair === undefined ? '' : hexIn(openContainer(pair), '5A')).toBe(pan);
    expect(block.mac).toMatch(/^[0-9A-F]{8}$/);
  });

  test('the vendor’s batch block: a TC, and the tags that may leave', () => {
    const bytes = captured('batch.block.accept');
    const block = decodeBlock(bytes);
    expect(block).toMatchObject({ decision: 'accepted', encryption: 0x80, mac: 'C568ACEB' });
    expect(block.sealed && hexIn(openContainer(block.sealed), '9F27')).toBe('40');
    expect(printHarmless(block)).toBe(
      '5F2A0208269F02060000000002009F0607A00000000410109F3901059C01009F34035E03005F340100',
    );
    const ksn = fromHex('9500030000000120039D');
    const mac = retailMac({ key: workingKey(ksn, 'macRequest'), data: bytes.slice(0, -4), padding: 1, length: 4 });
    expect(toHex(mac)).toBe(block.mac);
  });

  test('a MAC of zeros means no MAC', () => {
    const bytes = concat(blockOf('notif.arqc.contact.pin').slice(0, -4), new Uint8Array(4));
    expect(decodeBlock(bytes).mac).toBeUndefined();
  });
});

test('every command is found by its id', () => {
  for (const name of Object.keys(commands) as MmsCommandName[]) expect(commandNamed(commands[name].id)).toBe(name);
});

test('no bytes crash the readers', () => {
  const read = (bytes: Uint8Array) => {
    const message = decodeMessage(bytes);
    if (message.kind === 'request') decodeRequest(message.id, message.payload);
    if (message.kind === 'notification') decodeNotice(message);
    decodeBlock(bytes);
  };
  const template = blockOf('notif.arqc.contact.pin');
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), fc.nat(template.length), (bytes, offset) => {
      const spoilt = concat(template.slice(0, offset), bytes);
      for (const each of [bytes, concat(fromHex('AA00'), bytes), spoilt]) {
        try {
          read(each);
        } catch (error) {
          if (!isFault(error, 'terminal.garbled', 'emv.malformed', 'tlv.malformed', 'currency.unknown')) throw error;
        }
      }
    }),
  );
});
