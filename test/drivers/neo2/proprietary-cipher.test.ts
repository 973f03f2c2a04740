/** Card data under a proprietary cipher: recognised by its bytes, never sent to a host, and reported in words. */
import { describe, expect, test } from 'vitest';
import { attributionByte, attributionOf, resultCodec } from '../../../drivers/neo2/protocol/answers.ts';
import {
  cardDataOf,
  describeProprietaryCipher,
  proprietaryCipherOf,
} from '../../../drivers/neo2/protocol/card-data.ts';
import type { Fault } from '../../../src/base/fault.ts';
import { fromHex } from '../../../src/base/hex.ts';
import { captured } from './captures.ts';
import { chip, sred, swipeResult } from './cards.ts';
import { authenticates, beginning, bench, modeAsked, started } from './neo2-tape.ts';

const cancelled = '> 0501\n< 0500';

test.each([
  [0xe4, 'contact'],
  [0xe5, 'tap'],
  [0xec, 'swipe'],
  [0xf5, 'tapStripe'],
] as const)('attribution %i is a %s under TransArmor', (byte, way) => {
  expect(attributionOf(byte)).toEqual({ way, cipher: 'extended', encrypted: true });
  expect(attributionOf(attributionByte({ way, cipher: 'extended', encrypted: true }))?.cipher).toBe('extended');
});

test.each([
  ['EC DFEE25020011', 'TransArmor'],
  ['DFEE25020011 DFEE2602EC06', 'TransArmor'],
  // With a MAC.
  ['DFEE25020011 DFEE2602EC86', 'TransArmor'],
  ['DFEE25020011 DFEE2602EC02', 'TransArmor'],
  ['DFEE25020011 DFEE2602C803', 'Voltage'],
  ['DFEE25020011 DFEE2602C884', 'Visa’s format-preserving encryption'],
  ['DFEE25020011 DFEE2602C805', 'Verifone’s format-preserving encryption'],
  ['DFEE25020011 DFEE2602C806', 'TransArmor'],
  ['DFEE25020011 DFEE2602E100', undefined],
  ['DFEE25020011 DFEE2602E180', undefined],
  ['DFEE25020011 DFEE2601EC', 'TransArmor'],
  ['C8 DFEE25020011', undefined],
  ['C2 DFEE25020011', undefined],
  // The cipher is named, but was not used.
  ['04 DFEE25020012', undefined],
])('%s: %s', (hex, cipher) => {
  expect(proprietaryCipherOf(resultCodec.decode(fromHex(hex.replaceAll(' ', ''))))).toBe(cipher);
});

test.each(['ctls.mchip.resp.tlvs', 'contact.rawdata.tlvs'])('the captured %s has no proprietary cipher', (name) => {
  const result = resultCodec.decode(captured(name));
  expect(proprietaryCipherOf(result)).toBeUndefined();
  expect(cardDataOf(result, 'ICC').sred).not.toEqual([]);
});

type Row = [says: string, frames: string];
const rows: Row[] = [
  ['a swipe', `${beginning()}\n${swipeResult('0011').replace('C8 DFEE', 'EC DFEE')} DFEE2602EC06\n${cancelled}`],
  ['a tap', `${beginning()}\n< 0223 E5 ${chip('80').replace('9F390105', '9F390107')}\n${cancelled}`],
  ['a tap, named after the data', `${beginning()}\n< 0223 E1 ${chip('80')} DFEE2602E106\n${cancelled}`],
  ['a contactless stripe', `${beginning()}\n< 0223 F5 ${chip('80').replace('9F390105', '9F390191')}\n${cancelled}`],
  ['a chip, before it makes a cryptogram', `${beginning()}\n${started.replace('C0', 'E4')}\n${cancelled}`],
  [
    'a chip, named only with its cryptogram',
    `${beginning()}\n${started}\n${authenticates}\n< 6000 DFEE25020004 ${chip('80')} DFEE2602E406\n${cancelled}`,
  ],
];

const manualAnswer = `DFEE120A${'FFFF9876543210E00001'} 5AA1084761CCCCCCCC0119 5AC108AABBCCDDEEFF0011 9F390101 DFEE2602C006`;

test('a typed number is refused as well', async () => {
  const { read, link, terminal, clock } = await bench(
    `${beginning().split('\n> 0240')[0]}\n> 8341 003C 0000\n< 8300 ${manualAnswer}\n${cancelled}`,
  );
  const fault: Fault = await read(['manual']).then(
    () => expect.unreachable(),
    (error: Fault) => error,
  );
  expect(fault).toMatchObject({ code: 'terminal.unready' });
  expect(fault.message).toContain(describeProprietaryCipher('TransArmor'));
  expect(link.left()).toEqual([]);
  await clock.until(terminal.close());
});

test('a chip that approved by itself is refused too: nobody could clear it', async () => {
  const approved = `< 6000 DFEE25020000 ${chip('40')} DFEE2602E406`;
  const { read, link } = await bench(`${beginning()}\n${started}\n${authenticates}\n${approved}\n${cancelled}`);
  await expect(read()).rejects.toMatchObject({ code: 'terminal.unready' });
  expect(link.left()).toEqual([]);
});

describe('is refused in words, and the reader is free again', () => {
  test.each(rows)('%s', async (_, frames) => {
    const { read, link } = await bench(frames);
    const fault: Fault = await read().then(
      () => expect.unreachable(),
      (error: Fault) => error,
    );
    expect(fault).toMatchObject({ code: 'terminal.unready' });
    expect(fault.message).toContain(describeProprietaryCipher('TransArmor'));
    expect(link.left()).toEqual([]);
  });
});

test('a chip that declines by itself needs no host, and none of its data is kept for one', async () => {
  const declined = `< 6000 DFEE25020001 ${chip('00')} DFEE2602E406`;
  const { read } = await bench(`${beginning()}\n${started}\n${authenticates}\n${declined}`);
  expect(await read()).toMatchObject({ kind: 'declinedOffline', card: { sred: [] } });
});

test('the health of a reader reports the cipher, until a card uses a key that hosts have', async () => {
  const keys = beginning().split('\n> 0240')[0] ?? '';
  const request = `${keys}\n${modeAsked}\n> 3203\n< 3200`;
  const tap = (attribution: string) => `< 0223 ${attribution} ${chip('80').replace('9F390105', '9F390107')}`;
  const { read, terminal, clock } = await bench(
    `${beginning()}\n${tap('E5')}\n${cancelled}\n${request}\n${beginning()}\n${tap('E1')}\n${request}`,
  );
  await read().catch(() => undefined);
  expect((await clock.until(terminal.health())).problems).toEqual([
    `At the last card ${describeProprietaryCipher('TransArmor')}`,
  ]);
  expect(await read()).toMatchObject({ kind: 'goOnline', card: { sred } });
  expect((await clock.until(terminal.health())).problems).toEqual([]);
});
