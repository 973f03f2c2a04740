/** Spec 2.33: why the acquirer charged a payment back. */
import { shape } from './kinds.ts';
import { section } from './section.ts';

export const chargeback = section('', {
  chargebackResultCode: shape(
    /^000\.100\.2[0-9]{2}$/,
    {
      wants: '000.100.2 and two digits',
      good: ['000.100.200', '000.100.299'],
      bad: ['000.100.2', '000.100.20', '000.100.2000', '000.100.300', '000.100.199', '000x100x200', '00010020'],
    },
    'The acquirer’s reason.',
    { example: '000.100.203', echo: true },
  ),
});
