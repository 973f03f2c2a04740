import { describe, expect, test } from 'vitest';
import type { Link } from '../../../drivers/links/link.ts';
import { record } from '../../../drivers/links/tape.ts';
import { mms } from '../../../drivers/mms/driver/driver.ts';
import { frameMessage } from '../../../drivers/mms/protocol/messages.ts';
import type { Terminal } from '../../../drivers/terminal.ts';
import { fromHex, toHex } from '../../../src/base/hex.ts';
import { testCard } from '../../../src/emv/test-cards.ts';
import { anyCard } from '../../support/devices/driver-bench.ts';
import { tape } from '../../support/devices/tape.ts';
import { type VirtualClock, virtualClock } from '../../support/time/virtual-clock.ts';
import { captured, captures } from './captures.ts';
import { bench } from './simulator-bench.ts';

const sell = async (clock: VirtualClock, link: Link) => {
  const terminal: Terminal = await clock.until(mms.open(link, { clock, report: () => {} }));
  const at = clock.now();
  const amount = { minor: 9_900n, currency: 'EUR' };
  const request = { amount, kind: 'purchase', at, accept: anyCard, withinMs: 30_000 } as const;
  const outcome = await clock.until(terminal.read(request, () => {}));
  const verdict = await clock.until(terminal.complete({ kind: 'approved' }));
  await clock.until(terminal.health());
  return { outcome, verdict };
};

const { pan, expiry } = testCard('visa-credit');
const secrets = [pan, pan.slice(6, 12), Buffer.from(pan).toString('hex'), Buffer.from(expiry).toString('hex')];

describe.each(['reports', 'stream'] as const)('a recording over %s', (carries) => {
  test.each(['chip', 'tap'] as const)('of a %s has no card data, and replays the same sale', async (by) => {
    const { clock, hostLink } = bench({ carries, presentations: [{ card: testCard('visa-credit'), by }] });
    const lines: string[] = [`# tape 1 protocol=mms carries=${carries}`];
    const link = record(hostLink, { onLine: (text) => lines.push(text), scribe: mms.scribe });
    const outcomeOfSale = await sell(clock, link);
    const text = lines.join('\n');
    for (const secret of secrets.filter((each) => each.length > 8)) expect(text).not.toContain(secret.toUpperCase());
    if (outcomeOfSale.outcome.kind !== 'goOnline') throw new Error('not online');
    expect(text).not.toContain(toHex(outcomeOfSale.outcome.card.sred[0]?.data ?? new Uint8Array(0)).slice(0, 32));
    expect(text).toContain('**');

    const replayClock = virtualClock();
    const played = tape(text);
    const replayed = await sell(replayClock, played);
    expect(played.left()).toEqual([]);
    expect(replayed.verdict.kind).toBe(outcomeOfSale.verdict.kind);
    expect(replayed.outcome).toMatchObject({
      kind: 'goOnline',
      card: { entryMode: outcomeOfSale.outcome.card.entryMode, maskedPan: outcomeOfSale.outcome.card.maskedPan },
    });
  });
});

test('an unknown message is hidden completely', () => {
  const unknown = frameMessage(fromHex('AA008104010122FF84084455667788990011'), { carries: 'stream', from: 'host' });
  expect(mms.scribe('said', 'stream').push(unknown)).toEqual(['C00000000012AA008104010122FF8408****************C0']);
  const pin = frameMessage(captured('notif.pin.ok'), { carries: 'stream', from: 'device' });
  expect(mms.scribe('heard', 'stream').push(pin).join()).not.toContain('08D9CD6636A79EEA73'.slice(2));
});

describe('in words', () => {
  const narrate = (name: string, direction: 'said' | 'heard', carries: Link['carries'] = 'stream') => {
    const from = direction === 'said' ? 'host' : 'device';
    return mms.narrator(carries).push(direction, frameMessage(captured(name), { carries, from }));
  };

  test.each([
    ['start.req.emvflow.all', 'said', 'START TRANSACTION purchase 10.00 USD, chip, tap, swipe, 60 s'],
    ['start.req.quickchip.ctls', 'said', 'START TRANSACTION purchase 1.00 USD, tap, 60 s, quick chip'],
    ['cancel.req', 'said', 'CANCEL TRANSACTION'],
    ['prop.battery.get.req', 'said', 'PROPERTY 2.3.1.2.1.4, Charge in percent?'],
    ['start.resp.lowbattery', 'heard', 'START TRANSACTION refused: the battery is nearly empty (80020316)'],
    ['prop.serial.get.resp', 'heard', 'PROPERTY 2.2.1.1.1.1, Serial number: B61378A'],
    ['keyinfo.resp', 'heard', 'KEY IN SLOT 1081: active, FFFF9876543210300000'],
    ['notif.reset.occurred', 'heard', 'unasked: it restarted'],
    ['notif.session.expiring', 'heard', 'unasked: notification 1001, not used here'],
    [
      'notif.arqc.contact.pin',
      'heard',
      'unasked: GO ONLINE chip 541300******1513, 256 bytes sealed under FFFF9876543210E00010',
    ],
    ['notif.complete.contact.approved', 'heard', 'unasked: chip: APPROVED'],
  ] as const)('%s', (name, direction, lines) => {
    expect(narrate(name, direction)).toEqual([lines]);
    expect(narrate(name, direction, 'reports')).toEqual([lines]);
  });

  test('every capture has its line, and none shows a card number', () => {
    for (const { name, direction, hex } of captures('magtek-mms').filter((each) => each.hex.startsWith('AA00'))) {
      const [line = ''] = narrate(name, direction === 'host->device' ? 'said' : 'heard');
      expect(line, `${name} ${hex}`).not.toBe('');
      expect(line).not.toContain('5413339000001513');
    }
  });

  test('noise', () => {
    expect(mms.narrator('stream').push('heard', fromHex('0102C0'))).toEqual([
      '2 unreadable bytes: no frame starts with this byte',
    ]);
  });
});
