/** The fields of an answer about 3-D Secure (spec 2.29, 2.31), as rows: the result, and the redirect. */
import { conditional, oneOf, regex, required, text } from '../../spec/parameters/kinds.ts';
import type { Rows } from '../../spec/parameters/row.ts';

const URL: readonly [number, number] = [6, 2048];
const id: readonly [number, number] = [36, 36];

/** Hidden steps that a browser takes before it is redirected: the method step of EMV 3-D Secure. */
export const preconditionRows: Rows = {
  'redirect.preconditions[n].origin': text([1, 255], 'Where the step runs: in a hidden frame.', 'iframe#hidden'),
  'redirect.preconditions[n].url': text(URL, 'The address to post to before the shopper is redirected.', {
    example: 'https://gateway.example/v1/simulators/acs/method',
    req: 'R',
  }),
  'redirect.preconditions[n].method': oneOf(['GET', 'POST'], 'How.', required('POST')),
  'redirect.preconditions[n].parameters[n].name': text([1, 255], 'The name of a parameter to post.', {
    example: 'threeDSMethodData',
    req: 'R',
  }),
  'redirect.preconditions[n].parameters[n].value': text([1, 2048], 'Its value.', {
    example: 'eyJ0aHJlZURTU2VydmVyVHJhbnNJRCI6IjhhNWI3ZDIwIn0',
    req: 'R',
  }),
  'redirect.preconditions[n].waitUntil': text([1, 255], 'The event to wait for, ten seconds at most.', 'iframe#onload'),
  'redirect.preconditions[n].description': text([1, 255], 'What it is.', 'Hidden iframe post for 3D Secure 2.0'),
};

/** The result of a cardholder authentication by this gateway. */
export const threeDSecureRows: Rows = {
  'threeDSecure.eci': regex(
    /^0[0-9]$/,
    { mustBe: 'two digits', good: ['05', '00'], bad: ['5', '10'] },
    'Electronic commerce indicator.',
    conditional('05'),
  ),
  'threeDSecure.verificationId': text([28, 28], 'CAVV or AAV.', conditional('jKl8CBIAAAAAAAAAAAAAAAAAAAA=')),
  'threeDSecure.authenticationStatus': oneOf(
    ['Y', 'A', 'N', 'U', 'R', 'I', 'C', 'D'],
    'The status: authenticated, attempted, not authenticated, not possible, rejected, for information; challenge, decoupled.',
    conditional('Y'),
  ),
  'threeDSecure.version': text([1, 8], 'The protocol version.', conditional('2.2.0')),
  'threeDSecure.flow': oneOf(['frictionless', 'challenge', 'decoupled'], 'Whether the cardholder was asked.', {
    example: 'challenge',
    req: 'C',
  }),
  'threeDSecure.dsTransactionId': text(id, 'The directory server’s id of the authentication.', {
    example: '4f9a2c1e-7c1b-4a0e-9d8e-0c9b1c7e2f31',
    req: 'C',
  }),
  'threeDSecure.acsTransactionId': text(id, 'The issuer’s id of the authentication.', {
    example: '8a5b7d20-1e0f-4b62-a4de-5d2f0c3b9e77',
    req: 'C',
  }),
  'threeDSecure.challengeMandatedIndicator': oneOf(['Y', 'N'], 'Whether a challenge was required.', conditional('N')),
  'threeDSecure.transactionStatusReason': regex(
    /^[0-9]{2}$/,
    { mustBe: 'two digits', good: ['01'], bad: ['1'] },
    'The reason for the status.',
    conditional('01'),
  ),
  'threeDSecure.cardHolderInfo': text([1, 128], 'The issuer’s message for the cardholder.', {
    example: 'Please call your bank.',
    req: 'C',
  }),
};
