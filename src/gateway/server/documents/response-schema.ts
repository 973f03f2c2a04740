/** Spec 2.35 and 2.31: the fields of an answer, as rows; and the schema made from them. A pure table. */

import type { Json } from '../../spec/json.ts';
import {
  an,
  chars,
  conditional,
  country,
  currency,
  letters,
  n,
  oneOf,
  regex,
  required,
  text,
} from '../../spec/parameters/kinds.ts';
import type { Rows } from '../../spec/parameters/row.ts';
import { preconditionRows, threeDSecureRows } from './response-3d-secure.ts';
import { type Schema, schemaOf } from './schema.ts';

const idRow = (text: string, req: 'R' | 'C' | 'O') =>
  an([32, 32], text, { example: '8ac7a4a1845f7e19018461a00b366a74', req });

const moneyRow = (text: string) =>
  regex(
    /^[0-9]{1,10}(\.[0-9]{2})?$/,
    { mustBe: 'up to 10 digits, then a dot and 2 decimals', good: ['12.50'], bad: ['12,50', '1.5'] },
    text,
    conditional('12.50'),
  );

const letterRow = (text: string, example: string) =>
  regex(/^[A-Z]$/, { mustBe: 'one letter', good: ['A'], bad: ['AA', '1'] }, text, { example, req: 'C' });

const FREE: readonly [number, number] = [1, 2048];
const posRow = (text: string, example: string) => an(FREE, text, { example });
const issuerRow = (message: string, example: string) => text(FREE, message, { example });

/** Flat names, as in requests. The id is conditional here: a refused request has none. */
export const responseRows: Rows = {
  id: idRow('The payment. Absent if nothing was processed.', 'C'),
  registrationId: idRow('The stored account, after createRegistration=true.', 'C'),
  referencedId: idRow('The payment that this one refers to.', 'C'),
  scheduleId: idRow('The schedule that this payment is a run of.', 'C'),
  paymentType: regex(
    /^[A-Z0-9]{2}(\.[A-Z0-9]{2})?$/,
    { mustBe: 'a payment type', good: ['DB', 'PA.CP'], bad: ['db'] },
    'As sent.',
    'DB',
  ),
  paymentBrand: chars(
    'alphanumericUnderscore',
    [1, 32],
    'As sent, or determined from the account.',
    conditional('VISA'),
  ),
  amount: moneyRow('What was approved.'),
  currency: currency('The currency of the amount.', conditional('EUR')),
  descriptor: text([1, 127], 'The text on the shopper’s statement.', conditional('4217.0639.2850 Corner Shop')),
  shortId: text([14, 14], 'The payment’s number for people.', '4217.0639.2850'),
  'result.code': regex(
    /^[0-9.]{2,11}$/,
    { mustBe: '2 to 11 digits and dots', good: ['000.100.110'], bad: ['0', '000.100.110.0'] },
    'The result: see the table of result codes.',
    required('000.100.110'),
  ),
  'result.description': text([1, 255], 'The meaning of the code.', {
    example: "Request successfully processed in 'Merchant in Integrator Test Mode'",
  }),
  'result.avsResponse': oneOf(
    ['A', 'Z', 'N', 'U', 'F'],
    'Address check: A address matches, Z postcode matches, N neither, U unknown, F both.',
    conditional('F'),
  ),
  'result.cvvResponse': letterRow('The acquirer’s result for the security code.', 'M'),
  'result.parameterErrors[n].name': text([1, 128], 'The parameter that is wrong.', required('card.number')),
  'result.parameterErrors[n].value': text(
    [1, 64],
    'As sent, or stars where it may be secret; null when it was not sent.',
    required('****'),
  ),
  'result.parameterErrors[n].message': text([1, 2048], 'What is wrong with it.', required('may not be empty')),
  'parameterWarnings[n].name': text([1, 128], 'A parameter that a lenient channel accepted.', {
    example: 'customer.phone',
    req: 'R',
  }),
  'parameterWarnings[n].message': text([1, 2048], 'What is wrong with it.', required('is not an allowed parameter')),
  'resultDetails[key]': text(FREE, 'A detail from the bank, by its own name.', '00'),
  'resultDetails.AcquirerResponse': text(FREE, 'The acquirer’s own code.', conditional('00')),
  'resultDetails.MerchantAdviceCode': n([2, 2], 'The scheme’s advice about another attempt.', '01'),
  'resultDetails.ExtendedDescription': text(FREE, 'A further explanation of the result.', 'At most 4.50 EUR is left.'),
  'card.bin': n([6, 6], 'The first six digits.', '420000'),
  'card.last4Digits': n([4, 4], 'The last four.', '0000'),
  'card.holder': letters([3, 128], 'As sent.', 'Jane Jones'),
  'card.expiryMonth': n([2, 2], 'As sent.', '05'),
  'card.expiryYear': n([4, 4], 'As sent.', '2034'),
  'card.issuer.bank': issuerRow('The card’s issuer.', 'Example Bank'),
  'card.issuer.phone': issuerRow('The issuer’s telephone.', '+43 316 555 0100'),
  'card.issuer.website': issuerRow('The issuer’s website.', 'https://bank.example/'),
  'card.type': issuerRow('The kind of the card.', 'DEBIT'),
  'card.level': issuerRow('The level of the card.', 'CLASSIC'),
  'card.regulatedFlag': issuerRow('Whether its fees are regulated.', 'Y'),
  'merchant.bankAccount.holder': text([4, 128], 'The holder of the account to transfer the money to.', {
    example: 'Corner Shop',
    req: 'R',
  }),
  'merchant.bankAccount.number': text([3, 64], 'The account’s number; for SEPA its IBAN.', {
    example: 'AT611904300234573201',
    req: 'C',
  }),
  'merchant.bankAccount.bic': an([8, 11], 'The account’s bank, 8 or 11 characters.', conditional('STSPAT2GXXX')),
  'merchant.bankAccount.country': country('Its country.', conditional('AT')),
  'redirect.url': text([6, 2048], 'The address that the shopper must go to next.', {
    example: 'https://gateway.example/simulators/bank',
    req: 'C',
  }),
  'redirect.method': oneOf(['GET', 'POST'], 'The method of that request.', conditional('GET')),
  'redirect.parameters[n].name': text([1, 255], 'A parameter that the shopper’s browser must send.', required('MD')),
  'redirect.parameters[n].value': text([1, 255], 'Its value.', required('8ac7a4a1845f7e19')),
  ...preconditionRows,
  ...threeDSecureRows,
  'pos.clearing.authorizationAcquirerCode': posRow('The acquirer’s code of the authorisation.', '00'),
  'pos.clearing.authorizationIssuerCode': posRow('The issuer’s.', '042317'),
  'pos.clearing.identifier': posRow('Identifies the clearing record.', '261121000042'),
  'pos.merchantId': posRow('The merchant’s id at the acquirer.', '800012345'),
  'pos.iccDataResponse': posRow('For the chip, TLV, with the ARPC.', '910A1122334455667788303091'),
  'pos.statusText': posRow('Printed instead of approved or declined.', 'APPROVED'),
  'pos.timestamp': text([19, 19], 'When the acquirer answered, yyyy-MM-dd hh:mm:ss.', '2026-11-21 10:15:00'),
  'risk.score': regex(
    /^[+-]?[0-9]{1,5}$/,
    { mustBe: 'a whole number from -99999 to +99999', good: ['-99999', '100'], bad: ['100000', '1.5'] },
    'The score of the risk check.',
    conditional('100'),
  ),
  brandResult: chars('alphanumericUnderscore', [1, 16], 'The brand determined from the account.', 'VISA'),
  buildNumber: text([1, 255], 'The release, for support.', {
    example: '1fe5ecaf28de8ea3b6ee6a0d9fcaeb64c15dd3a5@2026-11-21 00:00:00 +0000',
    req: 'R',
  }),
  timestamp: regex(
    /^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{3})?[+-][0-9]{4}$/,
    {
      mustBe: 'yyyy-MM-dd HH:mm:ss with the offset of its zone',
      good: ['2026-11-21 10:15:00+0000'],
      bad: ['2026-11-21'],
    },
    'The time of the request.',
    required('2026-11-21 10:15:00+0000'),
  ),
  checkoutId: chars('alphanumericHyphenDot', [32, 48], 'The checkout of the payment.', {
    example: '5C1F0AA2E3B94D0C8A7D6E5F40312B1A.tillgate-tx01',
    req: 'C',
  }),
  integrity: text([71, 71], 'For a new checkout: the hash of the payment widget’s script, if requested.', {
    example: 'sha384-Vga21ID7uKx/6r6crNTiKhzamWrv5jqf4humuS24o3YgjYQqY7/6K+vUqNtYXck1',
    req: 'C',
  }),
  ndc: text([1, 69], 'The request’s id, for support; in a checkout the checkout’s id.', {
    example: '8a8294174e735d0c014e78beb6b9154b-7d6c4f3a2b1e4c5d9f8a7b6c5d4e3f2a',
    req: 'R',
  }),
};

/** Fields that are null if there is nothing to show. */
const nullable: ReadonlySet<string> = new Set(['result.parameterErrors[n].value']);

/** The closing fields: of a payment in a list they belong to the list. */
const closing: ReadonlySet<string> = new Set(['buildNumber', 'timestamp', 'ndc']);

/** One answer for every operation, successful or refused. Further fields may appear at any time. */
export const answerSchemas = (): Readonly<Record<'Payment' | 'Answer', Schema>> => {
  const leaves = Object.fromEntries(
    Object.entries(responseRows).map(([name, row]) => {
      const schema = schemaOf(row);
      return [
        name,
        {
          schema: nullable.has(name) ? { ...schema, type: ['string', 'null'] } : schema,
          required: row.req === 'R' && !closing.has(name),
        },
      ];
    }),
  );
  const payment = nestedSchema(leaves);
  const closed = Object.entries(leaves).flatMap(([name, { schema }]) =>
    closing.has(name) ? [[name, schema] as const] : [],
  );
  return {
    Payment: {
      ...payment,
      description:
        'Other structures of the request are returned too. Clients must ignore fields that they do not know.',
      required: ['result'],
    },
    Answer: {
      description: 'A payment, or the requested resource; for a query the payments found.',
      allOf: [
        { $ref: '#/components/schemas/Payment' },
        {
          type: 'object',
          properties: {
            ...Object.fromEntries(closed),
            payments: { type: 'array', items: { $ref: '#/components/schemas/Payment' } },
          },
          required: [...closing],
        },
      ],
    },
  };
};

export type Leaf = { schema: Schema; required: boolean };

type Node = { leaf?: Leaf; children: Map<string, Node> };

/** `redirect.parameters[n].name` is a list of objects, `resultDetails[key]` any further name in its object. */
export const nestedSchema = (leaves: Readonly<Record<string, Leaf>>): Schema => {
  const root: Node = { children: new Map() };
  for (const [name, leaf] of Object.entries(leaves)) {
    let node = root;
    for (const step of name.split(/[.[]/)) node = childOf(node, step);
    node.leaf = leaf;
  }
  return schemaOfNode(root);
};

const childOf = ({ children }: Node, step: string): Node => {
  const child = children.get(step) ?? { children: new Map<string, Node>() };
  children.set(step, child);
  return child;
};

const schemaOfNode = ({ leaf, children }: Node): Schema => {
  if (leaf !== undefined) return leaf.schema;
  const item = children.get('n]');
  if (item !== undefined) return { type: 'array', items: schemaOfNode(item) };
  const entry = children.get('key]');
  const namedChildren = [...children].filter(([name]) => name !== 'key]');
  const required = namedChildren.filter(([, child]) => child.leaf?.required === true).map(([name]) => name);
  const properties: { [name: string]: Json } = Object.fromEntries(
    namedChildren.map(([name, child]) => [name, schemaOfNode(child)]),
  );
  return {
    type: 'object',
    properties: namedChildren.length === 0 ? undefined : properties,
    additionalProperties: entry && schemaOfNode(entry),
    required: required.length === 0 ? undefined : required,
  };
};
