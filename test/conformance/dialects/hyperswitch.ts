/** The requests of the aci connector of hyperswitch, and the fields that it requires in an answer. */
import type { Step } from '../dialect.ts';
import { amount, approvedAnswer, envelope, id, visa } from './answers.ts';

/** hyperswitch parses into structs: a missing field is an error. Amounts are strings with two decimals. */
export const hyperswitch: readonly Step[] = [
  {
    description: 'authorize for later',
    line: 'POST /v1/payments',
    parameters: {
      amount: '65.40',
      currency: 'EUR',
      paymentType: 'PA',
      ...visa,
      'standingInstruction.mode': 'INITIAL',
      'standingInstruction.type': 'UNSCHEDULED',
      'standingInstruction.source': 'CIT',
      createRegistration: 'true',
      shopperResultUrl: 'https://hyper.example.com/back',
      'customParameters[3DS2_enrolled]': 'true',
    },
    storedFields: 'held',
    status: 200,
    expectedFields: {
      id,
      ...envelope,
      registrationId: id,
      'result.code': /^000\.100\.1(05|06|10|11|12)$/,
      'result.description': /./,
    },
  },
  {
    description: 'capture',
    line: 'POST /v1/payments/{held}',
    parameters: { amount: '60.00', currency: 'EUR', paymentType: 'CP' },
    storedFields: 'taken',
    status: 200,
    expectedFields: {
      id,
      referencedId: id,
      paymentType: /^CP$/,
      amount: amount('60.00'),
      currency: /^EUR$/,
      descriptor: /./,
      ...envelope,
      'result.code': /^000\.100\.110$/,
    },
  },
  {
    description: 'refund',
    line: 'POST /v1/payments/{taken}',
    parameters: { amount: '60.00', currency: 'EUR', paymentType: 'RF' },
    status: 200,
    expectedFields: { id, ...envelope, 'result.code': /^000\.100\.110$/ },
  },
  {
    description: 'authorize',
    line: 'POST /v1/payments',
    parameters: {
      amount: '65.40',
      currency: 'EUR',
      paymentType: 'PA',
      ...visa,
      shopperResultUrl: 'https://hyper.example.com/back',
    },
    storedFields: 'void',
    status: 200,
    expectedFields: { id },
  },
  {
    description: 'cancel',
    line: 'POST /v1/payments/{void}',
    parameters: { paymentType: 'RV' },
    status: 200,
    expectedFields: {
      id,
      referencedId: id,
      paymentType: /^RV$/,
      amount: amount('65.40'),
      currency: /^EUR$/,
      descriptor: /./,
      ...envelope,
    },
  },
  {
    description: 'a decline',
    line: 'POST /v1/payments',
    parameters: { amount: '8000.05', currency: 'EUR', paymentType: 'DB', ...visa },
    status: 400,
    expectedFields: { ...envelope, 'result.code': /^800\.100\.152$|^800\.100\.\d{3}$/, 'result.description': /./ },
  },
  {
    description: 'an error',
    line: 'POST /v1/payments',
    parameters: { amount: '1.5', currency: 'EUR', paymentType: 'DB', ...visa },
    status: 400,
    expectedFields: {
      ...envelope,
      'result.code': /^200\.300\.404$/,
      'result.parameterErrors': 'array',
      'result.parameterErrors.0.name': /^amount$/,
      'result.parameterErrors.0.message': /./,
    },
  },
  { description: 'sync', line: 'GET /v1/payments/{held}', status: 200, expectedFields: { id, ...envelope } },
];

/** Its recurring payments also use the older form of identification. */
export const mandate: readonly Step[] = [
  {
    description: 'charge the mandate',
    line: 'POST /v1/payments',
    parameters: {
      amount: '65.40',
      currency: 'EUR',
      paymentType: 'DB',
      ...visa,
      recurringType: 'INITIAL',
      'standingInstruction.mode': 'INITIAL',
      'standingInstruction.type': 'UNSCHEDULED',
      'standingInstruction.source': 'CIT',
      createRegistration: 'true',
    },
    status: 200,
    expectedFields: { ...approvedAnswer, registrationId: id },
  },
];
