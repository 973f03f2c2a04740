import { expect, test } from 'vitest';
import { sections } from '../../../../src/gateway/spec/parameters/all.ts';
import type { ParameterRow, Rows } from '../../../../src/gateway/spec/parameters/row.ts';
import { formatOf, plainOf, textOf, wordsOf } from './spec-formats.ts';
import { type SpecRow, specTables } from './spec-tables.ts';

const tables = specTables();
const tableOf = (number: string): readonly SpecRow[] => tables.get(number) ?? [];

/** "… repeats all … fields": stated in prose, with other names, and all optional. */
const rowsWithPrefix = (number: string, from: string, to: string): SpecRow[] =>
  tableOf(number)
    .filter(({ name }) => name.startsWith(from))
    .map(({ name, format }) => ({ name: name.replace(from, to), req: 'O', format }));

const notShipped = /\.browserFingerprint\.|\.browser\.deviceId$|\.app\.deviceId$/;

/** Section of the spec: the rows in its tables and its prose, and ours. */
const pairs: readonly (readonly [number: string, spec: readonly SpecRow[], ours: Rows])[] = [
  ['2.2', tableOf('2.2'), { ...sections.payment, ...sections.overridePaymentType }],
  ['2.3', tableOf('2.3'), sections.forex],
  ['2.4', tableOf('2.4'), sections.authentication],
  ['2.5', tableOf('2.5'), sections.card],
  ['2.6', tableOf('2.6'), sections.wallets],
  ['2.7', tableOf('2.7'), sections.virtualAccount],
  ['2.8', tableOf('2.8'), sections.bankAccount],
  ['2.9', tableOf('2.9'), sections.tokenAccount],
  ['2.10', tableOf('2.10'), sections.customer],
  [
    '2.11',
    rowsWithPrefix('2.10', 'customer.', 'shipping.customer.').filter(({ name }) => !notShipped.test(name)),
    sections.shippingCustomer,
  ],
  ['2.12', tableOf('2.12'), sections.billing],
  ['2.13', [...rowsWithPrefix('2.12', 'billing.', 'merchant.billing.'), ...tableOf('2.13')], sections.merchantBilling],
  ['2.14', tableOf('2.14'), sections.shipping],
  ['2.15', rowsWithPrefix('2.14', 'shipping.', 'merchant.shipping.'), sections.merchantShipping],
  ['2.16', tableOf('2.16'), sections.corporate],
  ['2.17', tableOf('2.17'), sections.senderRecipient],
  ['2.18', tableOf('2.18'), sections.merchant],
  ['2.19', tableOf('2.19'), sections.cartItems],
  ['2.20', tableOf('2.20'), sections.cartPayments],
  ['2.21', tableOf('2.21'), sections.marketplace],
  ['2.22', tableOf('2.22'), sections.airline],
  ['2.23', tableOf('2.23'), sections.registration],
  ['2.24', tableOf('2.24'), sections.query],
  ['2.25', tableOf('2.25'), sections.reporting],
  ['2.26', tableOf('2.26'), sections.giftCard],
  ['2.27', tableOf('2.27'), sections.risk],
  ['2.28', tableOf('2.28'), sections.job],
  [
    '2.29',
    [
      ...tableOf('2.29'),
      ...['ITEMSNB', 'SCORE_MERCHANT', 'USECASE'].map((key) => ({
        name: `threeDSecure.schemeData[CB-${key}]`,
        req: 'C',
        format: key === 'SCORE_MERCHANT' ? '1-20 chars' : 'N2',
      })),
    ],
    sections.threeDSecure,
  ],
  ['2.30', tableOf('2.30'), sections.customParameters],
  ['2.31', tableOf('2.31'), sections.asynchronous],
  ['2.32', tableOf('2.32'), sections.standingInstruction],
  ['2.33', tableOf('2.33'), sections.chargeback],
  ['2.34', tableOf('2.34'), sections.pointOfSale],
];

const sorted = (rows: readonly Pick<SpecRow, 'name' | 'req'>[]) => rows.map(({ name, req }) => `${name} ${req}`).sort();

test.each(pairs)('%s has the rows of the specification, each with its Req value', (_, spec, ours) => {
  expect(spec.length).toBeGreaterThan(0);
  const ownRows = Object.entries(ours).filter(([, { extension }]) => !extension);
  expect(sorted(ownRows.map(([name, { req }]) => ({ name, req })))).toEqual(sorted(spec));
});

/** Only for texts: for a pattern, a length alone is not enough. */
const textFormat = (format: string, { form }: ParameterRow) => (form.kind === 'text' ? textOf(format) : undefined);

/** Values that a row accepts beyond those in its cell. */
const also: Readonly<Record<string, string>> = { 'threeDSecure.authenticationInd': 'DELAYED_SHIPMENT,' };

/** The formats of a cell and of our row, where the two can be compared. */
const compared = pairs.flatMap(([number, spec, rows]) =>
  spec.flatMap(({ name, format }) => {
    const row = rows[name];
    if (row === undefined) return [];
    if (row.form.kind === 'words' && row.mustBe !== 'true or false') {
      return [
        {
          number,
          name,
          output: wordsOf(format, row.form.words).join(),
          ours: row.form.words.join().replace(also[name] ?? '', ''),
        },
      ];
    }
    return [{ number, name, output: plainOf(format) ?? textFormat(format, row), ours: formatOf(row) }];
  }),
);

test.each(pairs)('%s has the formats of the specification', (section) => {
  const different = compared.filter((each) => each.number === section && each.output !== undefined);
  expect(different.filter((each) => each.output !== each.ours)).toEqual([]);
});

test('the rest are patterns with their own limits, and texts without a stated length', () => {
  const knownDifferences = `
    applePay.cardNetwork applePay.cardType applePay.paymentToken bankAccount.bic bankAccount.iban cart.items[n].imageUrl
    cart.items[n].itemNumber cart.items[n].productUrl cart.items[n].quantity cart.items[n].recipient.country
    cart.items[n].tax chargebackResultCode customer.mobile customer.phone entityId googlePay.paymentToken
    job.dayOfMonth job.dayOfWeek job.expression job.hour job.minute job.month job.second job.year limit
    merchant.geographicCoordinates notificationUrl numberOfCaptures overridePaymentType[key] paymentMethods paymentType
    paymentTypes pos.location.latitude pos.location.longitude recurringMigration.amount
    recurringMigration.requestTimestamp samsungPay.paymentToken shipping.customer.mobile shipping.customer.phone
    shopperResultUrl threeDSecure.amount threeDSecure.channel threeDSecure.deviceInfo threeDSecure.version
    tokenAccount.cryptogram`;
  const withoutOutput = compared.filter(({ output }) => output === undefined).map(({ name }) => name);
  expect(withoutOutput.sort()).toEqual(knownDifferences.trim().split(/\s+/));
});

test('compares every section of the specification, and every section of ours', () => {
  expect(pairs.map(([number]) => number)).toEqual([...tables.keys()]);
  const namesOf = (all: readonly Rows[], isExtension: boolean) =>
    all.flatMap((rows) => Object.keys(rows).filter((name) => (rows[name]?.extension === true) === isExtension)).sort();
  const names = namesOf(
    pairs.map(([, , rows]) => rows),
    false,
  );
  expect(names).toEqual(namesOf(Object.values<Rows>(sections), false));
  expect(names.length).toBeGreaterThan(450);
  const specNames = new Set([...tables.values()].flat().map(({ name }) => name));
  const extensions = namesOf(Object.values<Rows>(sections), true);
  expect(extensions).toContain('webhook.url');
  expect(extensions.filter((name) => specNames.has(name))).toEqual([]);
});
