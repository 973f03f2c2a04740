/** Recordings show no card data and can be replayed; the narrator describes the conversation, never card data. */
import { describe, expect, test } from 'vitest';
import { type Link, reportBytes } from '../../../drivers/links/link.ts';
import { record } from '../../../drivers/links/tape.ts';
import { parseTape } from '../../../drivers/links/tape-text.ts';
import { neo2 } from '../../../drivers/neo2/driver/driver.ts';
import { fromHex, toHex } from '../../../src/base/hex.ts';
import { testCard } from '../../../src/emv/test-cards.ts';
import { cardOf } from '../../support/devices/driver-bench.ts';
import { tape } from '../../support/devices/tape.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';
import { openBench } from './bench.ts';
import { captures } from './captures.ts';

const card = testCard('visa-credit');
const secrets = [card.pan, `D${card.expiry}201`, Buffer.from(card.pan).toString('hex')];

/** A recorded sale of chip, tap and swipe, with PINs. */
const recordSale = async (carries: Link['carries'], by: 'chip' | 'tap' | 'swipe') => {
  const lines: string[] = [];
  const ways = [neo2.scribe('said', carries), neo2.scribe('heard', carries)];
  const presentations = [{ card: by === 'swipe' ? testCard('visa-stripe') : card, by }];
  const created = await openBench({ presentations, carries }, (link) =>
    record(link, { onLine: (text) => lines.push(text), scribe: () => ways.shift() ?? neo2.scribe('heard', carries) }),
  );
  const at = created.clock.now();
  const data = cardOf(await created.read());
  await created.complete({ kind: 'approved' });
  return { lines, data, at, presented: presentations[0]?.card ?? card };
};

describe.each(['stream', 'reports'] as const)('recorded over a link of %s', (carries) => {
  test.each(['chip', 'tap', 'swipe'] as const)('a sale by %s: no ciphertext, PIN or number in it', async (by) => {
    const { lines, data, presented } = await recordSale(carries, by);
    const text = lines.join('\n');
    expect(text.length).toBeGreaterThan(500);
    for (const secret of [
      ...secrets,
      presented.pan,
      ...[data.pin, ...data.sred].flatMap((pair) => (pair ? toHex(pair.data) : [])),
    ]) {
      if (secret !== undefined) expect(text.replace(/\s/g, '')).not.toContain(secret);
    }
    if (carries === 'reports') {
      const { steps } = parseTape(`# tape 1 protocol=neo2 carries=reports\n${text}`);
      for (const step of steps) expect(step.do !== 'x' && step.bytes.length).toBe(reportBytes);
    }
  });
});

test('a recorded sale plays back', async () => {
  const { lines, at } = await recordSale('stream', 'chip');
  const clock = virtualClock();
  const link = tape(lines.join('\n'));
  const terminal = await clock.until(neo2.open(link, { clock, report: () => {} }));
  const request = { amount: { minor: 9_900n, currency: 'EUR' }, kind: 'purchase' as const, at, withinMs: 30_000 };
  const outcome = await clock.until(terminal.read({ ...request, accept: ['chip', 'tap', 'swipe'] }, () => {}));
  expect(outcome.kind).toBe('goOnline');
  expect((await clock.until(terminal.complete({ kind: 'approved' }))).kind).toBe('approved');
  expect(link.left()).toEqual([]);
});

/** The narrator's lines about everything that goes over the link. */
const narrateSale = async (carries: Link['carries']) => {
  const sent: string[] = [];
  const narrator = neo2.narrator(carries);
  const recordListener = (link: Link): Link => ({
    ...link,
    write: (bytes) => {
      sent.push(...narrator.push('said', bytes).map((line) => `> ${line}`));
      return link.write(bytes);
    },
    listen: (listener) =>
      link.listen({
        ...listener,
        bytes: (bytes) => {
          sent.push(...narrator.push('heard', bytes).map((line) => `< ${line}`));
          listener.bytes(bytes);
        },
      }),
  });
  const { read, complete } = await openBench({ presentations: [{ card, by: 'chip' }], carries }, recordListener);
  await read();
  await complete({ kind: 'approved' });
  return sent;
};

test.each(['stream', 'reports'] as const)('the narrator describes a sale over %s', async (carries) => {
  const sent = await narrateSale(carries);
  expect(sent.slice(sent.findIndex((line) => line.includes('START')))).toEqual([
    '> START TRANSACTION 99.00 EUR by swipe, tap, chip, 30 s',
    '< START TRANSACTION: done (the chip is started, ICC)',
    '> AUTHENTICATE CHIP',
    '< AUTHENTICATE CHIP: the command was accepted',
    '< AUTHENTICATE CHIP: done (go online, ICC, ARQC)',
    '> HOST ANSWER: it answered, tags 8A',
    '< HOST ANSWER: the command was accepted',
    '< HOST ANSWER: done (approved, ARQC)'.replace('ARQC', 'TC'),
  ]);
  expect(sent.join('\n')).not.toMatch(/\d{6}\*|476173/);
});

test('every captured frame is described in a line without card data', () => {
  for (const { hex, direction, protocol } of captures) {
    if (protocol !== 'idtech-neo2') continue;
    const narrator = neo2.narrator('stream');
    const lines = narrator.push(direction === 'host->device' ? 'said' : 'heard', fromHex(hex));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join()).not.toMatch(/47617390|54133390|D2212|123456789/);
  }
});

test('noise is described by its size', () => {
  expect(neo2.narrator('stream').push('heard', fromHex('00FF00'))).toEqual(['3 unreadable bytes: no frame begins so']);
});
