/** Each dialect is recognised by its name from a day at a simulated terminal that speaks it, and no other is. */
import { expect, test } from 'vitest';
import { overheard } from '../../../drivers/links/overheard.ts';
import type { Presentation } from '../../../drivers/simulation/simulator.ts';
import { unheardDialects, zvtEar } from '../../../drivers/zvt/dialect-heard.ts';
import { zvtDriver } from '../../../drivers/zvt/driver.ts';
import type { Form } from '../../../drivers/zvt/form.ts';
import { zvtSimulatorOf } from '../../../drivers/zvt/simulator.ts';
import { type ZvtDialect, zvtDialects } from '../../../drivers/zvt/simulator-dialects.ts';
import { fromHex } from '../../../src/base/hex.ts';
import { testCard } from '../../../src/emv/test-cards.ts';
import { customer, ending, euro, type Integrated, sale, shop } from '../../contract/integrated-terminal.ts';

const pinned: Presentation = { card: testCard('visa-credit'), by: 'chip' };
const poor: Presentation = { card: testCard('visa-poor'), by: 'chip' };

/** What is heard in a day: two payments, one that is refused, a void, a refund, a close, and each asked for again. */
const heardIn = async (form: Form, dialects: readonly string[]): Promise<string[]> => {
  const ear = zvtEar();
  const driver = zvtDriver({ form });
  const kind: Integrated = {
    driver: { ...driver, open: (link, tools) => driver.open(overheard(link, ear), tools) },
    ...{ model: zvtSimulatorOf({ form }), modelName: 'SIMULATED ZVT', hello: 2, dialects },
    ...{ saleMessages: [], codes: {} as Integrated['codes'] },
  };
  const { clock, ...made } = shop(kind, [customer, pinned, poor, customer]);
  const terminal = await made.open();
  const last = () => clock.until(ending(terminal.last()));
  for (let n = 0; n < 2; n += 1) await clock.until(ending(terminal.pay(sale, () => {})));
  await last();
  await clock.until(ending(terminal.pay(sale, () => {})));
  await last();
  await clock.until(ending(terminal.reverse({ receiptNumber: '0001', amount: euro(1_250n) }, () => {})));
  await last();
  await clock.until(ending(terminal.refund({ amount: euro(300n), withinMs: 90_000 }, () => {})));
  await clock.until(ending(terminal.endOfDay()));
  await clock.until(terminal.close());
  return [...ear.dialects];
};

/** They need another day than this one: see the tests below. */
const otherDays: readonly string[] = ['containers-always', 'unheard-reversed'];
/** What is listened for. A row that is fresh in the table is heard by nobody until it stands here. */
const audible: readonly ZvtDialect[] = [
  ...(['version-always', 'result-last', 'result-again', 'reversal-as-credit', 'status-times', 'endings-told'] as const),
  ...(['prints-first', 'prints-lines', 'prints-styled', 'prints-split'] as const),
  ...(['repeat-bare', 'repeat-none', 'repeat-before', 'repeat-approved', 'repeat-busy'] as const),
  ...(['texts-latin', 'texts-unicode', 'texts-latin-named', 'texts-unicode-named', 'texts-seven-bits'] as const),
  ...(['locked-day', 'locked-diagnosis', 'locked-initialisation', 'locked-clock'] as const),
];

test('no row is both listened for and said to be none that can be heard', () => {
  for (const name of Object.keys(unheardDialects)) {
    expect(zvtDialects).toHaveProperty(name);
    expect([...audible, ...otherDays]).not.toContain(name);
  }
});

test.each<Form>(['apdu', 'serial'])('of the strictest terminal nothing is heard, on %s', async (form) => {
  expect(await heardIn(form, [])).toEqual([]);
});

test.each(audible)('%s', async (dialect) => {
  expect(await heardIn('apdu', [dialect])).toEqual([dialect]);
});

test('several at once', async () => {
  const several = ['version-always', 'result-last', 'prints-styled', 'status-times'];
  expect((await heardIn('serial', several)).toSorted()).toEqual(several.toSorted());
});

type Said = readonly [said: string, ...heard: string[]];
const pay: Said = ['06010A04000000001250490978', '800000', '040F052700870001', '060F00'];
const rows: readonly [dialect: string | undefined, ...said: Said[]][] = [
  // Asked for the state before any registration, as where nobody knows yet what is there.
  ['containers-always', ['05010500000003' + '06', '800000', '060F05' + '00' + '0602E400']],
  [undefined, ['05010500000003' + '06', '800000', '060F01' + '00']],
  ['unheard-reversed', pay, ['0620050000000301', '800000', '040F05276C870001', '060F00']],
  [undefined, pay, ['0620050000000301', '800000', '040F052700870001', '060F00']],
];

test.each(rows)('%s, by its messages', (dialect, ...said) => {
  const ear = zvtEar();
  for (const [command, ...answers] of said) {
    ear.push('said', fromHex(command));
    for (const answer of answers) ear.push('heard', fromHex(answer));
  }
  expect([...ear.dialects]).toEqual(dialect === undefined ? [] : [dialect]);
});

test('bytes that are no message of ZVT tell nothing and break nothing', () => {
  const ear = zvtEar();
  for (const way of ['said', 'heard'] as const) {
    for (const hex of ['00', 'FF'.repeat(300), '10020601', '040FFF', '060F', '56694F7465636832']) {
      ear.push(way, fromHex(hex));
    }
  }
  expect([...ear.dialects]).toEqual([]);
});
