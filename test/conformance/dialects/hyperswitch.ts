/** The requests of the aci connector of hyperswitch, and the fields that it requires in an answer. */
import type { Step } from '../dialect.ts';
import { amount, approval, envelope, id, visa } from './answers.ts';

/** hyperswitch parses into structs: a missing field is an error. Amounts are strings with two decimals. */
export const hyperswitch: readonly Step[] = [
  {
    title: 'authorize for later',
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
    stores: 'held',
    status: 200,
    fields: {
      id,
      ...envelope,
      registrationId: id,
      'result.code': /^000\.100\.1(05|06|10|11|12)$/,
      'result.description': /./,
    },
  },
  {
    title: 'capture',
    line: 'POST /v1/payments/{held}',
    parameters: { amount: '60.00', currency: 'EUR', paymentType: 'CP' },
    stores: 'taken',
    status: 200,
    fields: {
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
    title: 'refund',
    line: 'POST /v1/payments/{taken}',
    parameters: { amount: '60.00', currency: 'EUR', paymentType: 'RF' },
    status: 200,
    fields: { id, ...envelope, 'result.code': /^000\.100\.110$/ },
  },
  {
    title: 'authorize',
    line: 'POST /v1/payments',
    parameters: {
      amount: '65.40',
      currency: 'EUR',
      paymentType: 'PA',
      ...visa,
      shopperResultUrl: 'https://hyper.example.com/back',
    },
    stores: 'void',
    status: 200,
    fields: { id },
  },
  {
    title: 'cancel',
    line: 'POST /v1/payments/{void}',
    parameters: { paymentType: 'RV' },
    status: 200,
    fields: {
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
    title: 'a decline',
    line: 'POST /v1/payments',
    parameters: { amount: '8000.05', currency: 'EUR', paymentType: 'DB', ...visa },
    status: 400,
    fields: { ...envelope, 'result.code': /^800\.100\.152$|^800\.100\.\d{3}$/, 'result.description': /./ },
  },
  {
    title: 'an error',
    line: 'POST /v1/payments',
    parameters: { amount: '1.5', currency: 'EUR', paymentType: 'DB', ...visa },
    status: 400,
    fields: {
      ...envelope,
      'result.code': /^200\.300\.404$/,
      'result.parameterErrors': 'array',
      'result.parameterErrors.0.name': /^amount$/,
      'result.parameterErrors.0.message': /./,
    },
  },
  { title: 'sync', line: 'GET /v1/payments/{held}', status: 200, fields: { id, ...envelope } },
];

/** Its recurring payments also use the older form of identification. */
export const mandate: readonly Step[] = [
  {
    title: 'charge the mandate',
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
    fields: { ...approval, registrationId: id },
  },
];
