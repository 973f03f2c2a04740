import { describe, expect, test } from 'vitest';
import { encodeMpiBlock } from '../../../drivers/mpi/protocol/messages.ts';
import { seededRandom } from '../../../drivers/simulation/cardholder.ts';
import { createKeySlots } from '../../../drivers/simulation/key-slots.ts';
import { fromHex, toHex } from '../../../src/base/hex.ts';
import { testCard } from '../../../src/emv/test-cards.ts';
import { decodeTlv, findDeep } from '../../../src/emv/tlv.ts';
import { openTdesPin as openPin, openTdesSred as openSred } from '../../support/devices/driver-hsm.ts';
import { rawBench, startBody } from './simulator-bench.ts';

const chip = { card: testCard('visa-credit'), by: 'chip' } as const;
const invite = 'D2010101 06 494E53455254'.replaceAll(' ', '');
const remove = 'D2010101 06 52454D4F5645'.replaceAll(' ', '');
const ok = '9000';

const tag = (body: string, name: string): string =>
  toHex(findDeep(decodeTlv(fromHex(body.slice(0, -4))), name)?.value ?? new Uint8Array(0));

test('accepts a command in chained blocks, and answers an abort in between first', async () => {
  const { sendRaw, send } = rawBench();
  const text = (hex: string) => ({ nad: 1 as const, unsolicited: false, body: fromHex(hex) });
  const first = encodeMpiBlock({ ...text('D20101010B504C45'), more: true });
  const second = encodeMpiBlock({ ...text('4153452057414954'), more: false });
  expect(await sendRaw(toHex(first))).toEqual([]);
  expect(await sendRaw(toHex(second))).toEqual(['9000']);
  expect(await send(startBody('DEC1'))).toEqual([]);
  expect(await send('D0FF0000', 100)).toEqual(['9000', '9F41']);
});

describe('answers at once', () => {
  test.each([
    ['reset', 'D0000000', /^E1.*9F1E083137303030303031EF.*9000$/],
    ['configuration', 'D0010000', /^E1.*ED.*9000$/],
    ['device information', 'D0020000', /^E1.*EF.*9000$/],
    ['clock', 'D0100000', /^E10B9A032601\d{2}9F2103\d{2}00009000$/],
    ['battery', 'D0620000', /^E1.*DFA20A0157.*9000$/],
    ['key state', 'EEE00000', /^E105DFAE0101079000$/],
    ['key presses', 'D0610100', /^9000$/],
    ['abort of nothing', 'D0FF0000', /^9000$/],
    ['an unknown command', 'DE010000', /^6D00$/],
    ['continue without a card', 'DED2000006E0048A023030', /^9F23$/],
    ['chip without a card', startBody('DED1'), /^9F23$/],
    ['PIN without a card', 'DED6010010E00E9F02060000000001005F2A020978', /^9F27$/],
    ['tap without an amount', 'DEC100000AE0089C01005F2A020978', /^9F27$/],
    ['tap in an unknown currency', startBody('DEC1').replace('5F2A020978', '5F2A020001'), /^9F21$/],
    ['data that is not TLV', 'DEC1000002E05F', /^9F21$/],
    ['a length that does not fit', 'DEC1000009E000', /^9F14$/],
  ])('%s', async (_, body, answer) => {
    const { send, device } = rawBench();
    const received = await send(body);
    expect(received).toEqual([expect.stringMatching(answer)]);
    expect(device.state()).toBe('idle');
  });

  test('the published device information request, whose checksum is wrong, silences the device', async () => {
    const { sendRaw, send, device } = rawBench();
    expect(await sendRaw('010004D0020000D4')).toEqual([]);
    expect(device.state()).toBe('silenced');
    expect(await send('D0620000', 60_000)).toEqual([]);
    expect(await send('D0000000')).toEqual([expect.stringMatching(/9000$/)]);
    expect(await send('D0FF0000')).toEqual([ok]);
  });

  test.each([
    ['address', '030004D0620000B5'],
    ['control byte', '010204D0620000B5'],
    ['length 1', '010001D0D0'],
    ['unsolicited from the host', '014004D0620000F7'],
    ['checksum', '010004D062000000'],
  ])('a block with a wrong %s silences the device', async (_, bytes) => {
    const { sendRaw, device } = rawBench();
    expect(await sendRaw(bytes)).toEqual([]);
    expect(device.state()).toBe('silenced');
  });

  test('an incomplete block does not swallow the reset after it', async () => {
    const { sendRaw, send } = rawBench();
    expect(await sendRaw('010020D062', 1_000)).toEqual([]);
    expect(await send('D0000000')).toEqual([expect.stringMatching(/9000$/)]);
  });

  test('does not answer the printer’s address', async () => {
    const { sendRaw, device } = rawBench();
    expect(await sendRaw('020004D0620000B4')).toEqual([]);
    expect(device.state()).toBe('idle');
  });
});

describe('a chip', () => {
  const insert = async (bench: ReturnType<typeof rawBench>) => {
    await bench.send('D0601F00');
    return bench.send(invite, 600);
  };

  test('comes when the display asks, is reported, and is read over chained blocks', async () => {
    const bench = rawBench({ presentations: [chip] });
    // The notice is the whole answer.
    expect(await bench.send('D0601F00')).toEqual(['*E104480200009000']);
    expect(await bench.send(invite, 600)).toEqual([
      ok,
      '*E10F48020300 6309 3B6500002063CB6800 9000'.replaceAll(' ', ''),
    ]);
    bench.raw.splice(0);
    const [answer = ''] = await bench.send(startBody('DED1'), 2_000);
    expect(bench.raw.map((bytes) => toHex(bytes.subarray(0, 3)))).toEqual([expect.stringMatching(/^0101FE$/)]);
    expect(bench.device.state()).toBe('waitingForHost');
    expect(answer.slice(0, 2)).toBe('E4');
    expect(tag(answer, '9F27')).toBe('80');
    expect(tag(answer, '9F34')).toBe('420300');
    expect(tag(answer, 'DFAE57')).toMatch(/^476173FFFFFF0010D3112201/);
    expect(tag(answer, 'DFAE5A')).toBe('476173FFFFFF0010');
    expect(answer).not.toContain('4761739001010010');
  });

  test('has its whole track 2 under the data key, zero padded, and its PIN under the PIN key', async () => {
    const bench = rawBench({ presentations: [chip] });
    await insert(bench);
    const [answer = ''] = await bench.send(startBody('DED1'), 2_000);
    const plain = openSred({ data: fromHex(tag(answer, 'DFAE02')), ksn: tag(answer, 'DFAE03') });
    expect(plain).toMatch(/^57104761739001010010D3112201\d{8}F?0*$/);
    const masked = Buffer.from(';476173******0010=3112201*?').toString('hex');
    const fields = `9F02060000000099005F2A020978DFAE22${(masked.length / 2).toString(16)}${masked}`;
    const size = (fields.length / 2).toString(16);
    const lc = (fields.length / 2 + 2).toString(16);
    const [entered = ''] = await bench.send(`DED60100${lc}E0${size}${fields}`, 3_000);
    expect(openPin({ data: fromHex(tag(entered, 'DFAE04')), ksn: tag(entered, 'DFAE05') }, chip.card.pan)).toBe('1234');
  });

  test('refuses a PIN for the masked track of another card', async () => {
    const bench = rawBench({ presentations: [chip] });
    await insert(bench);
    await bench.send(startBody('DED1'), 2_000);
    const masked = Buffer.from(';541333******4111=3112201*?').toString('hex');
    const fields = `9F02060000000099005F2A020978DFAE221B${masked}`;
    const answer = await bench.send(
      `DED6010031E02F${fields}`.replace(
        '31E02F',
        `${(fields.length / 2 + 2).toString(16)}E0${(fields.length / 2).toString(16)}`,
      ),
      3_000,
    );
    expect(answer).toEqual(['9F0F']);
  });

  test('is taken away when the display says so', async () => {
    const bench = rawBench({ presentations: [chip] });
    await insert(bench);
    expect(await bench.send(remove, 2_000)).toEqual([ok, '*E104480200009000']);
  });

  test('a forgotten card is taken when the next sale begins, and the next customer comes', async () => {
    const next = { card: testCard('mastercard-credit'), by: 'chip' } as const;
    const bench = rawBench({ presentations: [chip, next] });
    await insert(bench);
    await bench.send('D0FF0000');
    expect(await bench.send('D0601F00')).toEqual(['*E104480200009000', '*E104480200009000']);
    await bench.send(invite, 600);
    const [answer = ''] = await bench.send(startBody('DED1'), 2_000);
    expect(tag(answer, '84')).toBe('A0000000041010');
  });

  test('needs the host’s response code', async () => {
    const bench = rawBench({ presentations: [chip] });
    await insert(bench);
    await bench.send(startBody('DED1'), 2_000);
    expect(await bench.send('DED2000002E000')).toEqual(['9F27']);
    expect(await bench.send('DED2000005E0038A0130')).toEqual(['9F21']);
  });

  test('other commands are answered with busy while it is read', async () => {
    const bench = rawBench({ presentations: [chip] });
    await insert(bench);
    expect(await bench.send(startBody('DED1'), 100)).toEqual([]);
    expect(bench.device.state()).toBe('startContact');
    expect(await bench.send('D0620000')).toEqual(['9F22']);
    expect(await bench.wait(1_000)).toEqual([expect.stringMatching(/^E4.*9000$/)]);
  });

  test('an abort is answered first, then the command it stopped', async () => {
    const bench = rawBench({ presentations: [chip] });
    await insert(bench);
    await bench.send(startBody('DED1'), 100);
    expect(await bench.send('D0FF0000', 100)).toEqual([ok, '9F41']);
    expect(bench.device.state()).toBe('idle');
  });

  test('an aborted command can be made to end late', async () => {
    const bench = rawBench({ presentations: [chip], faults: [{ kind: 'lateAnswer', afterMs: 5_000 }] });
    await insert(bench);
    await bench.send(startBody('DED1'), 100);
    expect(await bench.send('D0FF0000', 4_000)).toEqual([ok, expect.stringMatching(/^\*/)]);
    expect(await bench.wait(2_000)).toEqual(['9F41']);
  });
});

describe('a swipe', () => {
  const card = testCard('mastercard-stripe');

  test('is a notice with both tracks encrypted and track 2 masked', async () => {
    const bench = rawBench({ presentations: [{ card, by: 'swipe' }] });
    await bench.send('D0601F00');
    const [, notice = ''] = await bench.send(invite, 600);
    const body = notice.slice(1);
    expect(tag(body, '48')).toBe('0007');
    expect(Buffer.from(tag(body, 'DFAE22'), 'hex').toString()).toMatch(/^;545454\*{6}5454=31121011\*{7}\?\*$/);
    const decrypted = openSred({ data: fromHex(tag(body, 'DFAE02')), ksn: tag(body, 'DFAE03') });
    const plain = Buffer.from(decrypted, 'hex').toString('latin1');
    expect(plain).toMatch(
      /^_!.%B5454545454545454\^CARDHOLDER\/TEST\^3112101\d{8}\?_".;5454545454545454=3112101\d{8}\?.\0*$/,
    );
  });

  test('ends a wait for a tap', async () => {
    const bench = rawBench({ presentations: [{ card, by: 'swipe' }] });
    await bench.send('D0601F00');
    expect(await bench.send(startBody('DEC1'), 600)).toEqual([expect.stringMatching(/^\*E1/), '9F44']);
  });

  test('is not reported when card status is off', async () => {
    const bench = rawBench({ presentations: [{ card, by: 'swipe' }] });
    expect(await bench.send(invite, 60_000)).toEqual([ok]);
  });
});

describe('a tap', () => {
  test('has two pairs of one plain text with consecutive serial numbers, as captured', async () => {
    const bench = rawBench({ presentations: [{ card: testCard('visa-credit'), by: 'tap' }] });
    const [answer = ''] = await bench.send(startBody('DEC1', '000000000695'), 2_000);
    const pairs = [...answer.matchAll(/DFAE0218(.{48})DFAE030A(.{20})/g)].map(([, data = '', ksn = '']) => ({
      data: fromHex(data),
      ksn,
    }));
    expect(pairs.length).toBe(2);
    expect(pairs.map(({ ksn }) => Number.parseInt(ksn.slice(-4), 16))).toEqual([1, 2]);
    expect(new Set(pairs.map(openSred)).size).toBe(1);
    expect(tag(answer, 'DF30')).toBe('0301');
    expect(tag(answer, '9F39')).toBe('07');
    expect(bench.device.state()).toBe('idle');
  });

  test('a stripe-only tap has no cryptogram', async () => {
    const bench = rawBench({ presentations: [{ card: testCard('visa-tap-stripe'), by: 'tap' }] });
    const [answer = ''] = await bench.send(startBody('DEC1'), 2_000);
    expect(tag(answer, '9F26')).toBe('');
    expect(tag(answer, 'DF30')).toBe('0302');
    expect(tag(answer, '9F39')).toBe('91');
  });

  test('the wait for a tap ends by itself', async () => {
    const bench = rawBench({ presentations: [] });
    expect(await bench.send(startBody('DEC1'), 61_000)).toEqual(['9F42']);
  });

  test('an insertion ends the wait', async () => {
    const bench = rawBench({ presentations: [chip] });
    await bench.send('D0600100');
    expect(await bench.send(startBody('DEC1'), 600)).toEqual(['*E104480203009000', '9F43']);
  });
});

test('an exhausted key ends the sale with the device’s own error and shows in the key state', async () => {
  const keys = createKeySlots({ random: seededRandom(1), sredKsn: fromHex('FFFF0102AABBCC1FF800') });
  const bench = rawBench({ presentations: [{ card: testCard('visa-credit'), by: 'tap' }], keys });
  expect(await bench.send('EEE00000')).toEqual(['E105DFAE0101039000']);
  expect(await bench.send(startBody('DEC1'), 2_000)).toEqual(['9F22']);
  expect(bench.device.state()).toBe('idle');
});

test('the same seed sends the same bytes, another seed others', async () => {
  const play = async (seed: number) => {
    const bench = rawBench({ presentations: [chip], seed });
    await bench.send('D0601F00');
    await bench.send(invite, 600);
    return (await bench.send(startBody('DED1'), 2_000)).join();
  };
  const first = await play(11);
  expect(await play(11)).toBe(first);
  expect(await play(12)).not.toBe(first);
});

test('a closed device leaves no timer and no open link', async () => {
  const bench = rawBench({ presentations: [chip] });
  await bench.send('D0601F00');
  await bench.send(startBody('DEC1'));
  expect(bench.clock.waiting()).toBeGreaterThan(0);
  await bench.device.close();
  await bench.clock.settle();
  expect(bench.clock.waiting()).toBe(0);
  expect(bench.received).toContain('closed');
  expect(bench.device.state()).toBe('off');
});

test('no line for people contains a card number or PIN', async () => {
  const bench = rawBench({ presentations: [chip] });
  await bench.send('D0601F00');
  await bench.send(invite, 600);
  await bench.send(startBody('DED1'), 2_000);
  expect(bench.lines.length).toBeGreaterThan(2);
  expect(bench.lines.join('\n')).not.toMatch(/\d{11}|1234/);
});
