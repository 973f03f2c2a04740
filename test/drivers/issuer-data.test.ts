/** The host's answer for the card: the code in tag 8A, what is passed on, and what is left out and reported. */
import { expect, test } from 'vitest';
import { issuerList, issuerReply } from '../../drivers/card-facts.ts';
import type { HostVerdict } from '../../drivers/terminal.ts';
import type { Fault } from '../../src/base/fault.ts';
import { toHex } from '../../src/base/hex.ts';
import { encodeTlv, type Tlv } from '../../src/emv/tlv.ts';

const listOf = (verdict: HostVerdict, fits: (list: readonly Tlv[]) => boolean = () => true) => {
  const faults: Fault[] = [];
  const list = issuerList(verdict, { unable: 'Y3', fits, report: (fault) => faults.push(fault) });
  return { hex: toHex(encodeTlv(list)), faults: faults.map(({ code }) => code) };
};

test.each<[string, HostVerdict, string]>([
  ['approved', { kind: 'approved' }, '8A023030'],
  ['declined', { kind: 'declined' }, '8A023035'],
  ['nobody asked', { kind: 'unableToGoOnline' }, '8A025933'],
  ['the host’s own code', { kind: 'declined', arc: '51' }, '8A023531'],
  ['a code of one character', { kind: 'declined', arc: '5' }, '8A023035'],
  ['the issuer’s own code', { kind: 'approved', arc: '00', icc: '8A023130' }, '8A023130'],
  [
    'all tags, side by side in any order',
    { kind: 'approved', icc: '72048602CCDD910401020304' },
    '8A02303091040102030472048602CCDD',
  ],
  ['all tags in one template', { kind: 'approved', icc: '7706910401020304' }, '8A023030910401020304'],
  ['scripts whole', { kind: 'approved', icc: '71048602AABB72048602CCDD' }, '8A02303071048602AABB72048602CCDD'],
  ['tags that are not the issuer’s', { kind: 'approved', icc: '9505000000000091020102' }, '8A02303091020102'],
])('%s', (_, verdict, hex) => {
  expect(listOf(verdict)).toEqual({ hex, faults: [] });
});

test('a script that does not fit is left out and reported; a shorter one after it is passed on', () => {
  const fits = (list: readonly Tlv[]) => encodeTlv(list).length <= 9;
  const icc = '71048602AABB7103860100';
  expect(listOf({ kind: 'approved', icc }, fits)).toEqual({ hex: '8A0230307103860100', faults: ['emv.malformed'] });
});

test.each([
  ['no hex', 'XY'],
  ['no TLV', '9104AA'],
])('%s is reported, and the card receives only the host’s code', (_, icc) => {
  const { hex, faults } = listOf({ kind: 'approved', icc });
  expect(hex).toBe('8A023030');
  expect(faults).toHaveLength(1);
});

test('the device’s own code if the host was not reached', () => {
  const { code } = issuerReply({ kind: 'unableToGoOnline' }, { unable: 'Z3', report: () => {} });
  expect(toHex(code.value)).toBe('5A33');
});
