/** Recordings of ZVT can be replayed and contain no card data; the narrator describes each message in a line. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeZvtApdu } from '../../../drivers/framing/zvt-frame.ts';
import { record } from '../../../drivers/links/tape.ts';
import { scriptedCardholder, seededRandom } from '../../../drivers/simulation/cardholder.ts';
import { zvtDriver } from '../../../drivers/zvt/driver/driver.ts';
import { encodeRequest, type ZvtAsk, type ZvtCommandName } from '../../../drivers/zvt/protocol/commands.ts';
import { type ZvtFraming, zvtNarrator, zvtScribe } from '../../../drivers/zvt/protocol/trace.ts';
import { zvtSimulatorOf } from '../../../drivers/zvt/simulator/simulator.ts';
import { concat, fromHex, toHex } from '../../../src/base/hex.ts';
import { testCard } from '../../../src/emv/test-cards.ts';
import { memoryLinks } from '../../support/devices/memory-link.ts';
import { tape } from '../../support/devices/tape.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';
import { captured } from './captures.ts';

const sale = { amount: { minor: 1_250n, currency: 'EUR' }, withinMs: 60_000 };

/** A sale over a recorded link, with its recording and its description. */
const recordSale = async (form: ZvtFraming) => {
  const clock = virtualClock();
  const [deviceEnd, tillEnd] = memoryLinks();
  const cardholder = scriptedCardholder([{ card: testCard('visa-credit'), by: 'chip' }]);
  zvtSimulatorOf({ form })(deviceEnd, { clock, random: seededRandom(1), cardholder });
  const lines: string[] = [];
  const driver = zvtDriver({ form, password: '123456' });
  const narrator = driver.narrator('stream');
  const messages: string[] = [];
  const recordedLink = record(tillEnd, { onLine: (line) => lines.push(line), scribe: driver.scribe });
  const link = {
    ...recordedLink,
    write(bytes: Uint8Array) {
      messages.push(...narrator.push('said', bytes).map((line) => `> ${line}`));
      return recordedLink.write(bytes);
    },
    listen(listener: Parameters<typeof recordedLink.listen>[0]) {
      recordedLink.listen({
        ...listener,
        bytes(bytes) {
          messages.push(...narrator.push('heard', bytes).map((line) => `< ${line}`));
          listener.bytes(bytes);
        },
      });
    },
  };
  const terminal = await clock.until(driver.open(link, { clock, report: () => {} }));
  const outcome = await clock.until(terminal.pay(sale, () => {}));
  await clock.until(terminal.close());
  return { lines, messages, outcome };
};

test.each<[ZvtFraming]>([['serial'], ['apdu']])(
  'a recorded sale in the form %s replays with the same outcome',
  async (form) => {
    const { lines, outcome } = await recordSale(form);
    const clock = virtualClock();
    const played = tape(lines.join('\n'));
    const terminal = await clock.until(zvtDriver({ form }).open(played, { clock, report: () => {} }));
    const replayed = await clock.until(terminal.pay(sale, () => {}));
    expect(replayed).toMatchObject({ kind: 'approved' });
    if (replayed.kind !== 'approved' || outcome.kind !== 'approved') throw new Error('not approved');
    const { heardAt, ...payment } = outcome.payment;
    expect(replayed.payment).toEqual({ ...payment, heardAt: expect.any(Number) });
    expect(heardAt).toBeGreaterThan(0);
    await clock.until(terminal.close());
    expect(played.left().filter((line) => line !== 'x')).toEqual([]);
    // Neither the card number nor the password.
    expect(lines.join('\n').replaceAll(' ', '')).not.toMatch(/4761739001010010|123456/);
  },
);

test.each<[ZvtFraming]>([['serial'], ['apdu']])('describes a sale in the form %s', async (form) => {
  const { messages } = await recordSale(form);
  const short = messages.filter((line) => !/PRINT|taken/.test(line));
  expect(short).toEqual([
    '> REGISTRATION',
    '< COMPLETION',
    '> STATUS ENQUIRY',
    '< COMPLETION',
    '> AUTHORISATION 12.50 EUR',
    '< STATUS 0A: insert card',
    '< STATUS 68: card inserted',
    '< STATUS 0E: please wait',
    '< STATUS 01: watch the PIN pad',
    '< STATUS 04: waiting for the host',
    '< RESULT 00: approved, 12.50 EUR, receipt 0001, ICC, ************0010',
    '< STATUS 0B: remove card',
    '< COMPLETION',
    '> LOG-OFF',
  ]);
});

test.each([
  ['an unmasked number', '040F0B22F0F84761739001010143', '040F0B22F0F8476173(EEEEEE)0143'],
  ['a hidden number', '040F0B22F0F8EEEEEEEEEEEE4771', '040F0B22F0F8EEEEEEEEEEEE4771'],
  ['track 2', '040F0A23F0F74761739001010D', '040F0A23F0F7**************'],
  ['an expiry date', '040F030E2512', '040F030E****'],
  [
    'a number on a receipt',
    '06D11100' + '34373631373339303031303130313433',
    '06D11100(30303030303030303030303030303030)',
  ],
  ['data that is not a list', '040F03FE1234', '040F03******'],
  ['a password', '050103123456', '050103******'],
])('masked: %s', (_name, hex, text) => {
  const [line = ''] = zvtScribe().push(fromHex(hex));
  expect(line.replaceAll(' ', '').replaceAll(')(', '')).toBe(text);
});

/** A password that could be read as a visible bitmap: 49, a currency. */
const PASSWORD = '490123';
const asks: { [N in ZvtCommandName]: ZvtAsk<N> } = {
  registration: { password: PASSWORD, config: 'BE', currency: 'EUR', textBlocks: true },
  reversal: { password: PASSWORD, receipt: '0001' },
  ...{ authorisation: { amountMinor: 1n, currency: 'EUR' }, logOff: {}, reset: {}, diagnosis: {}, selfTest: {} },
  ...{ abort: {}, refund: { password: PASSWORD, amountMinor: 1n, currency: 'EUR' } },
  ...{ repeatReceipt: { password: PASSWORD }, status: { password: PASSWORD }, totals: { password: PASSWORD } },
  ...{ endOfDay: { password: PASSWORD }, setClock: { password: PASSWORD }, initialisation: { password: PASSWORD } },
};

test.each(Object.keys(asks) as ZvtCommandName[])('no recording contains the password of a command: %s', (name) => {
  const command = encodeZvtApdu(encodeRequest(name, asks[name]));
  // The first message of a line shows its form.
  const line = zvtScribe()
    .push(concat(fromHex('060200'), command))
    .join('');
  expect(line.replaceAll(' ', '')).not.toContain(PASSWORD);
});

test('serial frames keep their acknowledgements and a correct checksum', () => {
  const scribe = zvtScribe();
  const frame = captured('serial.amount.withDLE');
  expect(
    scribe.push(concat(frame, fromHex('06'), captured('serial.completion'))).map((line) => line.replaceAll(' ', '')),
  ).toEqual([toHex(frame), '06', toHex(captured('serial.completion'))]);
});

test('no bytes crash scribe or narrator, and no long number is shown', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 120 }), { maxLength: 6 }), (portions) => {
      const scribe = zvtScribe();
      const narrator = zvtNarrator();
      for (const portion of portions) {
        scribe.push(portion);
        for (const line of narrator.push('heard', portion)) expect(line).not.toMatch(/\d{13}/);
      }
    }),
  );
});
