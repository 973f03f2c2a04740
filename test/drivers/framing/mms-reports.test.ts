import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeMmsReports, mmsReportReader, reportsOf } from '../../../drivers/framing/mms-frame.ts';
import { concat, fromHex, toHex } from '../../../src/base/hex.ts';
import { captured, captures } from '../mms/captures.ts';

const most = 16_384;
const messageOf = (length: number) => Uint8Array.from({ length }, (_, index) => (index * 7) & 0xff);
const framesOf = (pieces: ReturnType<ReturnType<typeof mmsReportReader>['push']>) =>
  pieces.map((piece) => (piece.kind === 'frame' ? toHex(piece.frame) : `noise ${piece.bytes.length}: ${piece.why}`));

const report = (hex: string) => concat(fromHex(hex), new Uint8Array(64)).subarray(0, 64);

describe('captured reports', () => {
  test.each([
    ['hid.echo.req', 'echo.req'],
    ['hid.start.req', 'start.req.quickchip.all'],
    ['hid.keyinfo.resp', 'keyinfo.resp'],
    ['hid.arqc.contact.pin', 'notif.arqc.contact.pin'],
  ])('%s', (reports, name) => {
    const bytes = captures('magtek-mms-hid').filter((each) => each.name.startsWith(`${reports}.`));
    const whole = concat(...bytes.map(({ hex }) => fromHex(hex)));
    expect(toHex(encodeMmsReports(captured(name)))).toBe(toHex(whole));
    expect(framesOf(mmsReportReader(most).push(whole))).toEqual([toHex(captured(name))]);
  });
});

test('any message comes back, whatever its length and however many reports arrive at once', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 700 }), fc.integer({ min: 1, max: 5 }), (length, portion) => {
      const reader = mmsReportReader(most);
      const reports = reportsOf(encodeMmsReports(messageOf(length)));
      const received = [];
      for (let offset = 0; offset < reports.length; offset += portion) {
        received.push(...reader.push(concat(...reports.slice(offset, offset + portion))));
      }
      expect(framesOf(received)).toEqual([toHex(messageOf(length))]);
      expect(reader.size()).toBe(0);
    }),
  );
});

test('zeros at the end belong to the message', () => {
  const zeros = new Uint8Array(200);
  expect(framesOf(mmsReportReader(most).push(encodeMmsReports(zeros)))).toEqual([toHex(zeros)]);
});

describe('rules that are broken', () => {
  const head = encodeMmsReports(messageOf(300)).subarray(0, 64);
  const [, middle = head, next = head] = reportsOf(encodeMmsReports(messageOf(300)));
  test.each<[string, readonly Uint8Array[], RegExp]>([
    ['an unknown type', [report('05')], /no report begins/],
    ['a single of 63 bytes', [report('003F')], /no single packet/],
    ['a single report without content', [report('0000')], /no single packet/],
    ['a head that needs no tail', [report('0100000010')], /no message of reports/],
    ['a head that is too long', [report('0100010000')], /no message of reports/],
    ['a middle without its head', [middle], /without its head/],
    ['a tail without its head', [report('030101')], /without its head/],
    ['a middle that is missing', [head, next], /packet 2 where 1 was due/],
    ['a middle twice', [head, middle, middle], /packet 1 where 2 was due/],
    ['a tail too early', [head, report('033E')], /not as long/],
    ['more middles than declared', [head, ...[1, 2, 3, 4].map((n) => report(`02000${n}`))], /more than the head/],
    ['half a report', [head.subarray(0, 20)], /less than a report/],
    ['a second head', [head, head], /another message began/],
    ['a single between', [head, report('0001AA')], /another message began/],
  ])('%s', (_, reports, reason) => {
    const reader = mmsReportReader(most);
    const noise = reports.flatMap((each) => reader.push(each)).filter((piece) => piece.kind === 'noise');
    expect(noise.map((piece) => piece.kind === 'noise' && piece.why).join()).toMatch(reason);
  });

  test('a message that its sender cancels is not noise', () => {
    const reader = mmsReportReader(most);
    expect(framesOf(reader.push(concat(head, report('040000'))))).toEqual([]);
    expect(framesOf(reader.push(encodeMmsReports(messageOf(10))))).toEqual([toHex(messageOf(10))]);
  });

  test('an incomplete message can be given up', () => {
    const reader = mmsReportReader(most);
    reader.push(head);
    expect(reader.size()).toBe(59);
    expect(framesOf(reader.skip())).toEqual(['noise 59: the rest of the message never came']);
    expect(reader.size()).toBe(0);
  });

  test('no reports crash the reader, and it never holds more than one message', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ minLength: 64, maxLength: 64 }), { maxLength: 30 }), (reports) => {
        const reader = mmsReportReader(500);
        for (const each of reports) reader.push(each);
        expect(reader.size()).toBeLessThanOrEqual(500);
      }),
    );
  });
});
