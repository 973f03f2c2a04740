/** How readers in the vendor's public logs differ from the guide, as tapes and as bytes. */
import { describe, expect, test } from 'vitest';
import { decodeNeo2Frame } from '../../../drivers/framing/neo2-frame.ts';
import { outputMode } from '../../../drivers/neo2/protocol/answers.ts';
import { cardDataOf, describeProprietaryCipher } from '../../../drivers/neo2/protocol/card-data.ts';
import { decodeAnswer, encodeRequest, fromHost } from '../../../drivers/neo2/protocol/commands.ts';
import { appendChecksums, decodeMsrBlock, encodeMsrBlock } from '../../../drivers/neo2/protocol/msr-block.ts';
import { neo2Tlv } from '../../../drivers/neo2/protocol/tlv.ts';
import { maskedMsrBlock } from '../../../drivers/neo2/protocol/trace.ts';
import { decodeUpcall, upcallReply } from '../../../drivers/neo2/protocol/upcalls.ts';
import type { Fault } from '../../../src/base/fault.ts';
import { concat, fromHex, toHex } from '../../../src/base/hex.ts';
import { chip, ksn } from './cards.ts';
import { authenticates, beginning, bench, hello, modeAsked, sale, waitForCard } from './neo2-tape.ts';

const cancelled = '> 0501\n< 0500';
const tap = (attribution: string) => `< 0223 ${attribution} ${chip('80').replace('9F390105', '9F390107')}`;

describe('the reader’s requests to its host', () => {
  test.each([
    [
      'a menu is answered with its mode, a length and the number of the first line',
      '0102001E000200454E0A000156495341' + '1C0245431C0200FFFF',
      '01010001',
    ],
    ['so is a menu of languages', '08020032000200454E080001454E1C0246521C0200FFFF', '08010001'],
    [
      'a request for a key is answered with the key to continue',
      '0202001E000200454E0700013437361C0200FFFF',
      '02010045',
    ],
  ])('%s', (_, request, expected) => {
    const upcall = decodeUpcall({ header: 'ViVOtech2', command: 0x61, status: 1, data: fromHex(request) });
    const reply = upcall && upcallReply(upcall);
    expect(reply && toHex(decodeNeo2Frame(reply, fromHost).data)).toBe(expected);
  });

  test('display texts are ignored without a report, even after the end of a sale', async () => {
    const upcallText = '< 6101 03 0000 0200 454E 0300 82031C 0200 FFFF';
    const { read, link, unsolicited, clock } = await bench(
      `${beginning()}\n${upcallText}\n${tap('E1')}\n${upcallText}`,
    );
    expect(await read()).toMatchObject({ kind: 'goOnline' });
    await clock.settle();
    expect(link.left()).toEqual([]);
    expect(unsolicited).toEqual([]);
  });
});

describe('a failed tap has its reason in FFEE1F, in newer firmware DFEE02', () => {
  test.each([
    ['FFEE1F', '24', 'presentCard'],
    ['DFEE02', '24', 'presentCard'],
    ['DFEE02', '30', 'presentCard'],
    ['DFEE02', '21', 'presentCard'],
    ['DFEE02', '27', 'useChip'],
    ['DFEE02', '25', 'useChip'],
  ])('%s %s: %s', async (tag, code, event) => {
    const ways = event === 'useChip' ? '05' : '07';
    const { read, link, events } = await bench(
      `${beginning()}\n< 020A E5 DFEE2602E501 ${tag}04${code}000000\n${waitForCard(ways)}\n< 0208`,
    );
    expect(await read()).toEqual({ kind: 'notRead', why: 'timedOut' });
    expect(events).toEqual(['presentCard', event]);
    expect(link.left()).toEqual([]);
  });
});

test('a cancelled command can end before the cancel is answered', async () => {
  const { terminal, clock, link, unsolicited } = await bench(`${beginning()}
    > 0501
    < 020A 41 DFEE02042C000000
    < 0500
    ${beginning()}
    < 0208`);
  const reading = terminal.read(sale, () => {});
  await clock.advance(100);
  await clock.until(terminal.cancel());
  expect(await clock.until(reading)).toEqual({ kind: 'notRead', why: 'cancelledByTill' });
  expect(await clock.until(terminal.read(sale, () => {}))).toEqual({ kind: 'notRead', why: 'timedOut' });
  expect([link.left(), unsolicited]).toEqual([[], []]);
});

test('a sale that is cancelled while the keys are read requests no card', async () => {
  const { terminal, clock, link, events } = await bench(beginning().split('\n> 0240')[0] ?? '');
  const reading = terminal.read(sale, (event) => events.push(event));
  await clock.until(terminal.cancel());
  expect(await clock.until(reading)).toEqual({ kind: 'notRead', why: 'cancelledByTill' });
  expect([link.left(), events]).toEqual([[], []]);
});

test('62-01 ends with the length of the display text: zero', () => {
  const bytes = encodeRequest('onlinePin', { type: 1, panLength: 0, longest: 12, shortest: 4, words: 0 });
  expect(toHex(decodeNeo2Frame(bytes, fromHost).data)).toBe('01000C0400');
});

test.each([
  ['firmware', 'DF6204312E300000', { text: '1.0' }],
  ['firmware', 'DFEE6204312E3000', { text: '1.0' }],
  ['processor', 'DF61024D00', { code: '4D00', text: 'ARM Cortex-M4 K21' }],
  ['processor', 'DFEE61025100', { code: '5100' }],
] as const)('%s in %s', (name, hex, expected) => {
  const frame = { header: 'ViVOtech2', command: 0x09, status: 0, data: fromHex(hex) } as const;
  expect(decodeAnswer(name, frame).answer).toEqual(expected);
});

describe('how the data key is used (C7-A3)', () => {
  test.each([
    ['000000000000', { cipher: 'tdes', variant: 'data' }],
    ['000100000000', { cipher: 'aes', variant: 'data' }],
    ['000200000000', { cipher: 'transArmor', variant: 'data' }],
    ['000201000000', { cipher: 'transArmor', variant: 'pin' }],
    ['010200000000', { cipher: 'aes', variant: 'data' }],
    ['010500000000', { cipher: 'transArmor', variant: 'data' }],
    ['010300000000', { cipher: 'other', variant: 'data' }],
    ['', { cipher: 'other', variant: 'data' }],
  ])('%s', (hex, expected) => {
    expect(outputMode.decode(fromHex(hex))).toEqual(expected);
  });

  const notify = (mode: string) =>
    hello.replace(modeAsked.trim(), modeAsked.trim().replace('< C703', `< C700 ${mode}`));

  test('TransArmor is reported at pairing and refused before a card is requested', async () => {
    const keys = beginning().split('\n> 0240')[0] ?? '';
    const modeAskedAgain = modeAsked.replace('< C703', '< C700 000200000000');
    const { terminal, read, link, clock } = await bench(
      `${keys}\n${modeAskedAgain}\n> 3203\n< 3200\n${keys}\n${cancelled}`,
      notify('000200000000'),
    );
    const text = describeProprietaryCipher('TransArmor');
    const { problems } = await clock.until(terminal.health());
    expect(problems).toEqual([text.charAt(0).toUpperCase() + text.slice(1)]);
    const fault: Fault = await read().then(
      () => expect.unreachable(),
      (error: Fault) => error,
    );
    expect(fault).toMatchObject({ code: 'terminal.unready' });
    expect(fault.message).toContain(text);
    expect(link.left()).toEqual([]);
  });

  test('a data key under its PIN variant is reported', async () => {
    const keys = beginning().split('\n> 0240')[0] ?? '';
    const modeAskedAgain = modeAsked.replace('< C703', '< C700 000001000000');
    const { terminal, clock } = await bench(`${keys}\n${modeAskedAgain}\n> 3203\n< 3200`);
    expect((await clock.until(terminal.health())).problems.join()).toContain('PIN variant');
  });
});

test('EC 01 for a swipe and E5 01 for a tap are AES DUKPT, not a proprietary cipher', async () => {
  const { read } = await bench(`${beginning()}\n${tap('E5')} DFEE2602E501`);
  expect(await read()).toMatchObject({ kind: 'goOnline', card: { entryMode: 'NFC_ICC' } });
});

describe('a chip whose answers have empty tags, and data in the first one', () => {
  test('is read like any other', async () => {
    const empty = '4F00 9900 DFEE2300 DFEE5100 9F2000';
    const first = `< 0200 E0 DFEE2602E000 DFEE120A${ksn} DFEE25020010 57A1084761CCCCCCCC0119 DFEE2300 9F390105`;
    const { read, link } = await bench(
      `${beginning()}\n${first}\n${authenticates}\n< 6000 E0 DFEE2602E000 DFEE25020004 ${empty} ${chip('80')}`,
    );
    expect(await read()).toMatchObject({ kind: 'goOnline', card: { entryMode: 'ICC', label: 'VISA CREDIT' } });
    expect(link.left()).toEqual([]);
  });
});

describe('a typed number', () => {
  const mask = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));
  const block = encodeMsrBlock(
    {
      cipher: 'tdes',
      ksn: fromHex(ksn),
      tracks: [
        { track: 2, masked: mask(';4761********0119=3112:****?*'), encrypted: new Uint8Array(32).fill(0x5a) },
        { track: 3, masked: mask('111=0111=') },
      ],
    },
    { typed: true, hashed: true, serial: '301T028317' },
  );
  const answer = `E0 DFEE25020011 DFEE23${toHex(Uint8Array.of(block.length))}${toHex(block)} 9F390190`;
  const keys = beginning().split('\n> 0240')[0] ?? '';

  test.each([
    ['under the usual header', `> 8341 003C 0000\n< 8300 ${answer}`],
    ['under the guide’s, if the other is unknown', `> 8341 003C 0000\n< 8303\n> 8441 003C 0000\n< 8400 ${answer}`],
  ])('is requested %s, and comes as a block', async (_, frames) => {
    const { read, link } = await bench(`${keys}\n${frames}`);
    expect(await read(['manual'])).toMatchObject({
      kind: 'goOnline',
      card: {
        ...{ entryMode: 'MANUAL', maskedPan: '4761********0119', verification: 'signature' },
        sred: [{ data: new Uint8Array(32).fill(0x5a), ksn }],
      },
    });
    expect(link.left()).toEqual([]);
  });

  test('is recorded without its digits', () => {
    const shown = maskedMsrBlock(block, 0);
    const text = Buffer.from(shown ?? []).toString('latin1');
    expect(text).toContain(';4761**0000000119=0000:0000?0');
    expect(text).not.toContain('3112');
    expect(shown && decodeMsrBlock(shown)?.ksn).toEqual(fromHex(ksn));
  });
});

describe('the block of a swipe', () => {
  const ofThree = (sessionAt: 'before' | 'none', option: number) => {
    const tracks = [{ track: 2 as const, masked: new Uint8Array(8).fill(0x2a), encrypted: new Uint8Array(8).fill(7) }];
    const bytes = encodeMsrBlock({ cipher: 'tdes', ksn: fromHex(ksn), tracks }, { hashed: true, optional: [option] });
    if (sessionAt === 'none') return bytes;
    // Adds eight bytes of session after the ciphertext, and the bit that announces them.
    const offset = 12 + 16;
    const longer = concat(bytes.subarray(0, offset), new Uint8Array(8).fill(0x99), bytes.subarray(offset));
    longer[1] = longer.length - 6;
    longer[9] = (longer[9] ?? 0) | 0x40;
    return appendChecksums(longer);
  };

  test.each([
    ['optional bytes come before the tracks, hashes after them', ofThree('none', 0)],
    ['a session comes before the hashes', ofThree('before', 0)],
  ])('%s', (_, bytes) => {
    const block = decodeMsrBlock(bytes);
    expect(block?.tracks).toMatchObject([{ track: 2, encrypted: new Uint8Array(8).fill(7) }]);
    expect(toHex(block?.ksn ?? new Uint8Array(0))).toBe(ksn);
  });

  test('TransArmor in its first optional byte is useless to a host', () => {
    const card = cardDataOf(
      { tlvs: [neo2Tlv('DFEE23', ofThree('none', 0x12)), neo2Tlv('DFEE26', 'C800')] },
      'MAGSTRIPE',
    );
    expect(card.sred).toEqual([]);
  });
});

test('an unencrypted swipe is refused in words, not requested again', async () => {
  const clear = encodeMsrBlock({
    cipher: 'tdes',
    tracks: [{ track: 2, masked: Uint8Array.from(Buffer.from(';4761739001010119=31121011234?', 'latin1')) }],
  });
  const tag = `DFEE23${toHex(Uint8Array.of(clear.length))}${toHex(clear)}`;
  const { read } = await bench(`${beginning()}\n< 0200 08 DFEE25020011 ${tag} 9F390190\n${cancelled}`);
  await expect(read()).rejects.toMatchObject({ code: 'terminal.unready' });
});

test('02-40 as a wrong parameter is reported as removal detection that is not activated', async () => {
  const { read } = await bench(`${beginning()}\n< 0205\n${cancelled}`);
  await expect(read()).rejects.toThrow('removal detection');
});
