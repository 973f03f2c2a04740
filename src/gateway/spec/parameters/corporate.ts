/** Spec 2.16: the company that buys. */
import { n, oneOf, text } from './kinds.ts';
import { marked, section } from './section.ts';

const rows = {
  name: text([1, 30], 'Name.', { example: 'Jones Trading GmbH' }),
  description: text([1, 160], 'What it does.', { example: 'Wholesale of garden tools' }),
  street: text([1, 100], 'Street.', { example: 'Hauptplatz 1' }),
  address: text([1, 100], 'Address.', { example: 'Hauptplatz 1, 8010 Graz' }),
  city: text([1, 80], 'City.', { example: 'Graz' }),
  state: text([1, 50], 'State or province.', { example: 'Steiermark' }),
  postCode: text([1, 16], 'Postcode.', { example: '8010' }),
  suite: text([1, 30], 'Suite.', { example: 'Suite 12' }),
  postboxNumber: text([1, 15], 'Post box.', { example: 'PO 77' }),
  purchase: oneOf(['Y', 'N'], 'Whether the company buys.', { example: 'Y' }),
  phone: n([1, 25], 'Telephone.', { example: '433165550100' }),
  fax: n([1, 25], 'Fax.', { example: '433165550109' }),
  vatId: text([1, 255], 'VAT number.', { example: 'ATU12345678' }),
};

export const corporate = section('corporate', marked(rows, { secret: 'personal', echo: true, lenient: true }));
