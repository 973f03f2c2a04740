/** Commands longer than a block, for units that report that they accept them, and what the reset answer contains. */
import { expect, test } from 'vitest';
import { mpi } from '../../../drivers/mpi/driver/driver.ts';
import { decodeAnswer, decodeRequest } from '../../../drivers/mpi/protocol/commands.ts';
import { apduDataMax, decodeApdu, encodeApdu, encodeMessage } from '../../../drivers/mpi/protocol/messages.ts';
import { mpiNarrator } from '../../../drivers/mpi/protocol/narrator.ts';
import { mpiScribe } from '../../../drivers/mpi/protocol/trace.ts';
import { concat, fromHex, toHex } from '../../../src/base/hex.ts';
import { testCard } from '../../../src/emv/test-cards.ts';
import { encodeTlv, tlv } from '../../../src/emv/tlv.ts';
import { cardOf, openedOn } from '../../support/devices/driver-bench.ts';
import { bench, rawBench } from './simulator-bench.ts';

const long = { dialects: ['long-commands'] };

test.each([
  [0, 'DED20000'],
  [1, 'DED2000001'],
  [249, 'DED20000F9'],
  [250, 'DED200000000FA'],
  [1_017, 'DED200000003F9'],
])('data of %i bytes', (length, head) => {
  const data = new Uint8Array(length).fill(0xa5);
  const body = encodeApdu({ code: 'DED2', p1: 0, p2: 0, data });
  expect(toHex(body.subarray(0, body.length - length))).toBe(head);
  for (const le of ['', length > apduDataMax.plain ? '0100' : '00']) {
    expect(decodeApdu(concat(body, fromHex(le)))).toEqual({ code: 'DED2', p1: 0, p2: 0, data });
  }
});

test('refuses a command that is too long, and one shorter than its length', () => {
  const data = new Uint8Array(1_018);
  expect(() => encodeApdu({ code: 'DED2', p1: 0, p2: 0, data })).toThrow(
    expect.objectContaining({ code: 'terminal.garbled' }),
  );
  for (const body of ['DED200000000FAAA', 'DED2000002AA', 'DED2'])
    expect(() => decodeApdu(fromHex(body))).toThrow(expect.objectContaining({ code: 'terminal.garbled' }));
});

const scripts = [1, 2, 3].map((id) =>
  tlv('72', [tlv('9F18', `0000000${id}`), tlv('86', `8424000080${'5A'.repeat(128)}`)]),
);
const command = encodeApdu({
  code: 'DED2',
  p1: 0,
  p2: 0,
  data: encodeTlv([tlv('E0', [tlv('8A', '3030'), ...scripts])]),
});

test.each([
  [long, '9F23'],
  [{}, '9F14'],
])('a device with %j and no card answers a command of two blocks', async (options, status) => {
  expect(encodeMessage(command)[1]).toBe(1);
  expect(decodeRequest(command)).toMatchObject({ name: 'continueContact' });
  expect(await rawBench(options).send(toHex(command), 100)).toEqual([status]);
});

test.each([
  [long, '3 scripts', []],
  // The issuer sends its scripts again: the sale does not depend on them.
  [{}, '1 script', ['emv.malformed', 'emv.malformed']],
])('on a device with %j the chip receives, of three scripts: %s', async (options, input, left) => {
  const rig = bench({ ...options, presentations: [{ card: testCard('visa-no-cvm'), by: 'chip' }] });
  const lines: string[] = [];
  const narrator = mpiNarrator();
  const write = (bytes: Uint8Array): Promise<void> => {
    lines.push(...narrator.push('said', bytes));
    return rig.hostLink.write(bytes);
  };
  const { read, complete, unsolicited } = await openedOn({ ...rig, hostLink: { ...rig.hostLink, write } }, mpi);
  expect(cardOf(await read()).entryMode).toBe('ICC');
  const verdict = await complete({ kind: 'approved', icc: toHex(encodeTlv(scripts)) });
  expect(verdict.kind).toBe('approved');
  expect(lines.filter((line) => line.startsWith('THE HOST'))).toEqual([
    `THE HOST’S WORD FOR THE CHIP: response code 00, ${input}`,
  ]);
  expect(unsolicited.map(({ code }) => code)).toEqual(left);
});

test('a recording of a long command keeps its head and its tags', () => {
  const [line = ''] = mpiScribe().push(encodeMessage(command));
  expect(line).toMatch(/^0101FEDED20000000[0-9A-F]{3}E0/);
});

test.each([
  // The answer in the SDK's own comment, for a printer dock; then the same with the mistake of its version 1-1.
  [
    'E1309F1E083034303030323033EF11DF0D084D3130302D525049DF7F03312D32EF10DF0D074D3130302D4F53DF7F03312D369000',
    {
      serial: '04000203',
      parts: [
        { name: 'M100-RPI', version: '1-2' },
        { name: 'M100-OS', version: '1-6' },
      ],
    },
  ],
  [
    'E1309F1E083034303030323033EF11DF0D084D3130302D525049DF7F03312D31EF10DF0D074D3130302D4F53DF0D03312D369000',
    {
      serial: '04000203',
      parts: [
        { name: 'M100-RPI', version: '1-1' },
        { name: 'M100-OS', version: '' },
      ],
    },
  ],
  [
    'E131' +
      '9F1E083137303030303031' +
      'EF12DF0D084D3032302D4D5049DF7F04312D3538' +
      'ED10DF0D0D457874656E6465642041504455' +
      '9000',
    { serial: '17000001', parts: [{ name: 'M020-MPI', version: '1-58' }], extended: true },
  ],
])('the reset answer %s', (hex, answer) => {
  expect(decodeAnswer('reset', fromHex(hex)).answer).toEqual(answer);
});

test.each([
  [[], 'EF1CDF0D1253494D554C41544544204D3032302D4D5049'],
  [['system-first'], 'EF1BDF0D1153494D554C41544544204D3032302D4F53'],
])(
  'a device with dialects %j names its programs in this order, and the driver finds the model',
  async (dialects, first) => {
    const [answer = ''] = await rawBench({ dialects }).send('D0000000');
    expect(answer).toMatch(new RegExp(`^E1..9F1E08.{16}${first}`));
    const { terminal } = await openedOn(bench({ dialects }), mpi);
    expect(await terminal.info()).toMatchObject({ model: 'SIMULATED M020', firmware: '1-58' });
  },
);
