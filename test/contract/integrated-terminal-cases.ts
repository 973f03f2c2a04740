/** The cases of the contract for integrated terminals, for any driver. They are independent of the protocol. */
import { expect, test } from 'vitest';
import type { IntegratedTerminal } from '../../drivers/integrated-terminal.ts';
import type { Faults } from '../../drivers/simulation/faults.ts';
import type { Presentation } from '../../drivers/simulation/simulator.ts';
import { testCard } from '../../src/emv/test-cards.ts';
import {
  customer,
  cutAfter,
  type Ending,
  euro,
  type Integrated,
  numberOf,
  observe,
  openShop,
  sale,
  settled,
  summaryOf,
} from './integrated-terminal.ts';
import { disguisedInVain } from './simulated.ts';

const pay = (terminal: IntegratedTerminal) => terminal.pay(sale, () => {});
const giveBack = (terminal: IntegratedTerminal, receiptNumber: string) =>
  terminal.reverse({ receiptNumber, amount: sale.amount }, () => {});

/** How a customer ends the sale, and what the till receives: an approval, or the name of a code. */
const endings: readonly [string, Presentation, object | Ending][] = [
  ['chip', customer, { kind: 'approved', payment: { entryMode: 'ICC' } }],
  ['tap', { card: testCard('mastercard-tap'), by: 'tap' }, { kind: 'approved', payment: { entryMode: 'NFC_ICC' } }],
  ['stripe', { card: testCard('visa-stripe'), by: 'swipe' }, { kind: 'approved', payment: { entryMode: 'MAGSTRIPE' } }],
  ['PIN', { card: testCard('visa-credit'), by: 'chip' }, { kind: 'approved', payment: {} }],
  ['no money', { card: testCard('visa-poor'), by: 'chip' }, 'noMoney'],
  ['stolen', { card: testCard('visa-stolen'), by: 'chip' }, 'stolen'],
  ['wrong PIN', { card: testCard('visa-credit'), by: 'chip', pin: '9999' }, 'wrongPin'],
  ['chip says no', { card: testCard('visa-refusing-chip'), by: 'chip' }, 'chipRefuses'],
  ['pulled', { ...customer, pullsCardAt: 'read' }, 'pulled'],
  ['cancel key', { ...customer, cancels: true }, 'stopped'],
  ['PIN cancelled', { card: testCard('visa-credit'), by: 'chip', pin: 'cancel' }, 'stopped'],
  ['nobody', { ...customer, never: true }, 'stopped'],
];

/** Tests this driver, with its simulated device, against the contract of terminals that authorise by themselves. */
export const integratedContract = (kind: Integrated): void => {
  const outcomeFor = (ending: Ending) => ({ kind: kind.ends?.[ending] ?? 'declined', code: kind.codes[ending] });

  test.each(endings)('a sale: %s', async (_name, presentation, expected) => {
    const bench = openShop(kind, [presentation]);
    const terminal = await bench.open();
    const outcome = await bench.clock.until(terminal.pay(sale, bench.tell));
    expect(outcome).toMatchObject(typeof expected === 'string' ? outcomeFor(expected) : expected);
    expect(bench.events[0]).toBe('presentCard');
    expect(bench.unsolicited).toEqual([]);
    await bench.clock.until(terminal.echo());
    await bench.clock.until(terminal.close());
    expect(bench.clock.waiting()).toBe(0);
  });

  test('no card number reaches the till: not in the outcome, a description or a recording', async () => {
    const bench = openShop(kind, [customer]);
    const written: string[] = [];
    const narrator = kind.driver.narrator('stream');
    const scribes = { said: kind.driver.scribe('said', 'stream'), heard: kind.driver.scribe('heard', 'stream') };
    const { opening } = await bench.connect({
      wrap: (link) =>
        observe(link, (side, bytes) => written.push(...narrator.push(side, bytes), ...scribes[side].push(bytes))),
    });
    const outcome = await bench.clock.until(opening.then(pay));
    if (outcome.kind !== 'approved') throw new Error(outcome.kind);
    expect(outcome.payment).toMatchObject({ amount: euro(1_250n), receiptNumber: expect.stringMatching(/^\d+$/) });
    const text = JSON.stringify(outcome, (_key, value) => (typeof value === 'bigint' ? `${value}` : value));
    const { pan } = customer.card;
    const hex = Buffer.from(pan, 'latin1').toString('hex').toUpperCase();
    expect(written.length).toBeGreaterThan(4);
    for (const secret of [pan, pan.slice(0, -4), hex]) expect(`${text}\n${written.join('\n')}`).not.toContain(secret);
  });

  test('cancel at each moment ends the sale, and last() agrees with its ending', async () => {
    for (let ms = 0; ms <= 3_200; ms += 200) {
      const bench = openShop(kind, [{ card: testCard('visa-credit'), by: 'chip' }]);
      const terminal = await bench.open();
      const paying = settled(pay(terminal));
      await bench.clock.advance(ms);
      await bench.clock.until(terminal.cancel());
      const outcome = await bench.clock.until(paying);
      const last = await bench.clock.until(terminal.lastOutcome());
      const approved = 'kind' in outcome && outcome.kind === 'approved';
      expect([ms, summaryOf(last)]).toEqual([ms, approved ? summaryOf(outcome) : { kind: 'none' }]);
      if (!approved) expect(outcome).toMatchObject(outcomeFor('stopped'));
      await bench.clock.until(terminal.echo());
    }
  });

  test('cancel does nothing while idle', async () => {
    const bench = openShop(kind);
    const terminal = await bench.open();
    await bench.clock.until(terminal.cancel());
    await bench.clock.until(terminal.echo());
    expect(bench.unsolicited).toEqual([]);
  });

  test('the customer’s time is up: the sale is stopped, and the terminal is idle again', async () => {
    const bench = openShop(kind, [{ ...customer, never: true }]);
    const terminal = await bench.open();
    const startedAt = bench.clock.monotonic();
    const outcome = await bench.clock.until(terminal.pay({ ...sale, withinMs: 10_000 }, () => {}));
    expect(outcome).toMatchObject(outcomeFor('stopped'));
    expect(bench.clock.monotonic() - startedAt).toBeLessThan(11_000);
    await bench.clock.until(terminal.echo());
  });

  test('the link lost at each step: a fault or an ending, and last() tells the truth about the money', async () => {
    const seenKeys = new Set<string>();
    for (let portions = 1; portions <= 60; portions += 1) {
      const bench = openShop(kind, [customer, customer]);
      const first = await bench.open();
      const outcomeBefore = await bench.clock.until(pay(first));
      await bench.clock.until(first.close());
      const { opening } = await bench.connect({ wrap: (link) => cutAfter(link, portions) });
      const outcome = await bench.clock.until(settled(opening.then((terminal) => pay(terminal))));
      await bench.clock.advance(30_000);
      const reopened = await bench.open();
      const last = await bench.clock.until(settled(reopened.lastOutcome()));
      const closing = await bench.clock.until(reopened.endOfDay());
      const count = closing.lines.join('\n').includes('PAYMENTS 2') ? 2 : 1;
      // If the second payment was never made, the terminal still reports the earlier one.
      expect([portions, summaryOf(last), numberOf(last) === numberOf(outcomeBefore)]).toEqual([
        portions,
        { ...summaryOf(outcomeBefore), receipt: numberOf(last) },
        count === 1,
      ]);
      // An approval needs the terminal's own completion; a lost link is never a decline.
      expect(['approved', 'link.lost']).toContain('fault' in outcome ? outcome.fault : outcome.kind);
      if (!('fault' in outcome)) expect(count).toBe(2);
      seenKeys.add(`${'fault' in outcome ? outcome.fault : outcome.kind} ${count}`);
    }
    // All three cases occurred: the link lost before the money moved, lost after that, and not lost.
    expect([...seenKeys].sort()).toEqual(['approved 2', 'link.lost 1', 'link.lost 2']);
  });

  test('the till reconnects at each moment of a sale: what last() says then is final', async () => {
    for (let ms = 0; ms <= 3_200; ms += 200) {
      const bench = openShop(kind, [{ card: testCard('visa-credit'), by: 'chip' }]);
      const first = await bench.open();
      const paying = settled(pay(first));
      await bench.clock.advance(ms);
      await bench.clock.until(first.close());
      await paying;
      const second = await bench.open();
      const last = summaryOf(await bench.clock.until(settled(second.lastOutcome())));
      await bench.clock.until(second.close());
      await bench.clock.advance(60_000);
      const third = await bench.open();
      if (!('fault' in last)) expect([ms, last]).toEqual([ms, summaryOf(await bench.clock.until(third.lastOutcome()))]);
    }
  });

  test('last() on a terminal that knows no payment', async () => {
    const bench = openShop(kind);
    const terminal = await bench.open();
    expect(await bench.clock.until(terminal.lastOutcome())).toEqual({ kind: 'none' });
  });

  test('last() has amount, currency and number, which a till compares with the payment in question', async () => {
    const bench = openShop(kind, [customer]);
    const terminal = await bench.open();
    const outcome = await bench.clock.until(pay(terminal));
    const last = await bench.clock.until(terminal.lastOutcome());
    expect(summaryOf(last)).toEqual(summaryOf(outcome));
    expect(last).toMatchObject({ payment: { amount: sale.amount, receiptNumber: numberOf(outcome) } });
  });

  test('a payment is reversed once, by its number', async () => {
    const bench = openShop(kind, [customer]);
    const terminal = await bench.open();
    const number = numberOf(await bench.clock.until(pay(terminal))) ?? '';
    const reverse = (receipt: string) => bench.clock.until(giveBack(terminal, receipt));
    expect(await reverse('4711')).toMatchObject({ kind: 'declined', code: kind.codes.unknownReceipt });
    const reversal = await reverse(number);
    expect(reversal).toMatchObject({ kind: 'approved', payment: { amount: euro(1_250n) } });
    expect(await reverse(number)).toMatchObject({ kind: 'declined', code: kind.codes.alreadyReversed, already: true });
    await expect(giveBack(terminal, '')).rejects.toMatchObject({ code: 'terminal.refused' });
    const { lines } = await bench.clock.until(terminal.endOfDay());
    expect(lines.join('\n')).toMatch(
      /PAYMENTS 1 {2}12\.50 EUR\nREFUNDS 0 {2}0\.00 EUR\nREVERSALS 1 {2}12\.50 EUR\nTOTAL 0\.00 EUR/,
    );
  });

  test('a refund returns money, and a new day begins after the end of day', async () => {
    const bench = openShop(kind, [customer, customer, customer]);
    const terminal = await bench.open();
    const number = numberOf(await bench.clock.until(pay(terminal))) ?? '';
    const refund = await bench.clock.until(terminal.refund({ amount: euro(250n), withinMs: 60_000 }, () => {}));
    expect(refund).toMatchObject({ kind: 'approved', payment: { amount: euro(250n) } });
    const { lines } = await bench.clock.until(terminal.endOfDay());
    expect(lines.at(-1)).toBe('TOTAL 10.00 EUR');
    // A close does not count as the last payment; the next sale does.
    expect(await bench.clock.until(terminal.lastOutcome())).toEqual({ kind: 'none' });
    expect((await bench.clock.until(terminal.endOfDay())).lines.at(-1)).toBe('TOTAL 0.00 EUR');
    expect(await bench.clock.until(giveBack(terminal, number))).toMatchObject({ code: kind.codes.unknownReceipt });
    const next = await bench.clock.until(pay(terminal));
    expect(summaryOf(await bench.clock.until(terminal.lastOutcome()))).toEqual(summaryOf(next));
  });

  test('refuses amounts that are not above zero', async () => {
    const bench = openShop(kind);
    const terminal = await bench.open();
    for (const minor of [0n, -1n]) {
      const request = { ...sale, amount: euro(minor) };
      expect(await settled(terminal.pay(request, () => {}))).toEqual({ fault: 'amount.unpositive' });
      expect(await settled(terminal.refund(request, () => {}))).toEqual({ fault: 'amount.unpositive' });
    }
    await bench.clock.until(terminal.echo());
  });

  test('busy while a sale runs, and the sale continues', async () => {
    const bench = openShop(kind, [customer]);
    const terminal = await bench.open();
    const paying = pay(terminal);
    await bench.clock.advance(100);
    const calls = [pay(terminal), terminal.echo(), terminal.lastOutcome(), terminal.endOfDay(), terminal.health()];
    expect(await Promise.all(calls.map((call) => settled<unknown>(call)))).toEqual(
      calls.map(() => ({ fault: 'terminal.busy' })),
    );
    expect(await bench.clock.until(paying)).toMatchObject({ kind: 'approved' });
  });

  test('close during a sale ends it with a lost link, and leaves no timer', async () => {
    const bench = openShop(kind, [customer]);
    const { device, opening } = await bench.connect();
    const terminal = await bench.clock.until(opening);
    const paying = settled(pay(terminal));
    await bench.clock.advance(100);
    await bench.clock.until(terminal.close());
    expect(await paying).toEqual({ fault: 'link.lost' });
    await device.close();
    expect(bench.clock.waiting()).toBe(0);
    expect(await settled(terminal.echo())).toEqual({ fault: 'link.lost' });
  });

  test('health and info describe the device', async () => {
    const bench = openShop(kind);
    const terminal = await bench.open();
    expect(await terminal.info()).toEqual({ model: kind.modelName, serial: '17000001', firmware: '1-58' });
    expect(await bench.clock.until(terminal.health())).toEqual({ ok: true, problems: [] });
  });
  disguisedInVain(kind);

  // The hello comes first; the sale is the command after it.
  const at = kind.hello + 1;
  const troubles: readonly [string, Faults][] = [
    ['silence', [{ kind: 'silence', atCommand: at }]],
    ['restart', [{ kind: 'reset', atCommand: at }]],
    ['garbage', [{ kind: 'garbage', fromCommand: at, everyMs: 100 }]],
    ['garbage, slowly', [{ kind: 'garbage', fromCommand: at, everyMs: 7_000 }]],
    ...kind.saleMessages.map((atMessage): [string, Faults] => [
      `link dropped at message ${atMessage}`,
      [{ kind: 'linkDrop', atMessage, when: 'midway' }],
    ]),
  ];
  test.each(troubles)('%s: the fault needs an inquiry, and last() decides', async (_name, faults) => {
    const bench = openShop(kind, [customer]);
    const terminal = await bench.open(faults);
    const outcome = await bench.clock.until(settled(pay(terminal)));
    expect(['terminal.silent', 'terminal.garbled', 'link.lost']).toContain('fault' in outcome ? outcome.fault : '-');
    await bench.clock.advance(60_000);
    const reopened = await bench.open();
    const last = summaryOf(await bench.clock.until(reopened.lastOutcome()));
    const { lines } = await bench.clock.until(reopened.endOfDay());
    expect('kind' in last && last.kind === 'approved').toBe(lines.join('\n').includes('PAYMENTS 1'));
  });

  const harmless: readonly [string, Faults][] = [
    ['byte by byte', [{ kind: 'split' }]],
    ['an unsolicited message first', [{ kind: 'unsolicited', atCommand: at }]],
    ['an unknown message first', [{ kind: 'unknownMessage', atCommand: at }]],
    ['leftovers of an earlier session', [{ kind: 'staleBytes', bytes: Uint8Array.of(0xaa, 0x55, 0xff, 0x00) }]],
    ...[1, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((atMessage): [string, Faults] => [
      `message ${atMessage} twice`,
      [{ kind: 'duplicate', atMessage }],
    ]),
  ];
  test.each(harmless)('%s: the sale goes through', async (_name, faults) => {
    const bench = openShop(kind, [customer]);
    const terminal = await bench.open(faults);
    expect(summaryOf(await bench.clock.until(pay(terminal)))).toMatchObject({ kind: 'approved', minor: 1_250n });
    await bench.clock.until(terminal.echo());
  });

  test('gives up a device that sends but never answers', async () => {
    for (const faults of [
      [{ kind: 'garbage' as const, fromCommand: 1, everyMs: 10 }],
      [{ kind: 'silence' as const, atCommand: 1 }],
    ]) {
      const bench = openShop(kind);
      const { opening } = await bench.connect({ faults });
      const outcome = await bench.clock.until(settled(opening));
      expect(['terminal.silent', 'terminal.garbled']).toContain('fault' in outcome ? outcome.fault : '-');
    }
  });
};
