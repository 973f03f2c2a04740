/** Spec 2.24: how payments are found. The same reference may stand on many of them. */
import { dateTime, flag, shape, text } from './kinds.ts';
import { section } from './row.ts';

const PAYMENT_TYPES = (
  'CB CD CR DB CP IV PA RB RC RF RL RV AD IN FI CL CF DR RG RR TE CT DS RS SD AC MD EA RI 3D SA EN ID IC DP CG TG ' +
  'SF IS VD DV AF GK RD TM FT KT AR AL PL FN FZ RE RX FO CS EX SE AU TK TF ER'
).split(' ');

const PAYMENT_METHODS = 'DD CT CC WA VA UA OT DC ET NT IV PP OD RM'.split(' ');

/** Codes of two letters with commas between them, no spaces. */
const listOf = (codes: readonly string[], says: string, example: string) => {
  const known = new Set(codes);
  return shape(
    /^[A-Z0-9]{2}(?:,[A-Z0-9]{2})*$/,
    {
      wants: `a comma separated list of codes of [${codes.join(', ')}]`,
      check: (value) => value.split(',').every((code) => known.has(code)),
      good: [...codes, codes.join(','), `${codes[0]},${codes[0]}`],
      bad: ['XX', `${codes[0]},XX`, `${codes[0]},`, `,${codes[0]}`, `${codes[0]}, ${codes[1]}`, `${codes[0]};XX`, 'db'],
    },
    says,
    { example },
  );
};

export const query = section('', {
  merchantTransactionId: text([1, 255], 'The reference to look for.', { example: 'till-7-000042' }),
  limit: shape(
    /^[1-4][0-9]{2}$|^500$/,
    {
      wants: 'a number from 100 to 500',
      good: ['100', '499', '500'],
      bad: ['99', '501', '1000', '-100', '0100', '100.0', 'x'],
    },
    'How many at most; 100 if absent.',
    { example: '100' },
  ),
  'date.from': dateTime('Not before; with date.to.', { example: '2026-11-01 00:00:00' }),
  'date.to': dateTime('Not after; with date.from.', { example: '2026-11-30 23:59:59' }),
  paymentTypes: listOf(PAYMENT_TYPES, 'Only payments of these types.', 'DB,PA,CP'),
  paymentMethods: listOf(PAYMENT_METHODS, 'Only payments by these methods.', 'CC,DD'),
  includeLinkedTransactions: flag('Whether those linked to what was found come with it.', { example: 'true' }),
  shortId: text([1, 14], 'The short id that people read out.', { example: '1234.5678.9012' }),
});
