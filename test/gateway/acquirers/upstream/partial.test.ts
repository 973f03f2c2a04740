/** A processor's partial approvals: valid only if the merchant accepts a part. */
import { expect, test } from 'vitest';
import { bench, sale } from './bench.ts';

const acceptsPartial = { customParameters: { partialApproval: 'true' } };

test.each([
  ['less', '10.00', acceptsPartial, '000.100.110', '10.00'],
  ['all of it', '12.50', acceptsPartial, '000.100.110', undefined],
  ['more', '12.51', acceptsPartial, '900.100.300', undefined],
  ['nothing', '0.00', acceptsPartial, '900.100.300', undefined],
  ['not an amount', 'ten', acceptsPartial, '900.100.300', undefined],
  ['a part, to a merchant who accepts none', '10.00', {}, '900.100.300', undefined],
] as const)('approves %s', async (_, amount, form, code, approved) => {
  const { host, acquirer } = await bench();
  host.next({ does: 'answers', added: { amount, currency: 'EUR' } });
  const authorisation = sale(form);
  const answer = await acquirer.authorise(authorisation);
  expect(answer.resultCode).toBe(code);
  expect(answer.approvedAmount).toBe(approved);
  if (code === '000.100.110') expect(await acquirer.authorise(authorisation)).toEqual(answer);
});

test('a partial approval in another currency is not a valid answer', async () => {
  const { host, acquirer } = await bench();
  host.next({ does: 'answers', added: { amount: '10.00', currency: 'USD' } });
  expect((await acquirer.authorise(sale(acceptsPartial))).resultCode).toBe('900.100.300');
});
