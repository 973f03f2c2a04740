/** The requests of the aci connector of hyperswitch, and the fields that it requires in an answer. */
import type { Step } from '../dialect.ts';
import { amount, done, framed, id, visa } from './answers.ts';

/** hyperswitch parses into structs: a missing field is an error. Amounts are strings with two decimals. */
export const hyperswitch: readonly Step[] = [
  {
    says: 'authorize for later',
    line: 'POST /v1/payments',
    sends: {
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
    keeps: 'held',
    status: 200,
    finds: {
      id,
      ...framed,
      registrationId: id,
      'result.code': /^000\.100\.1(05|06|10|11|12)$/,
      'result.description': /./,
    },
  },
  {
    says: 'capture',
    line: 'POST /v1/payments/{held}',
    sends: { amount: '60.00', currency: 'EUR', paymentType: 'CP' },
    keeps: 'taken',
    status: 200,
    finds: {
      id,
      referencedId: id,
      paymentType: /^CP$/,
      amount: amount('60.00'),
      currency: /^EUR$/,
      descriptor: /./,
      ...framed,
      'result.code': /^000\.100\.110$/,
    },
  },
  {
    says: 'refund',
    line: 'POST /v1/payments/{taken}',
    sends: { amount: '60.00', currency: 'EUR', paymentType: 'RF' },
    status: 200,
    finds: { id, ...framed, 'result.code': /^000\.100\.110$/ },
  },
  {
    says: 'authorize',
    line: 'POST /v1/payments',
    sends: {
      amount: '65.40',
      currency: 'EUR',
      paymentType: 'PA',
      ...visa,
      shopperResultUrl: 'https://hyper.example.com/back',
    },
    keeps: 'void',
    status: 200,
    finds: { id },
  },
  {
    says: 'cancel',
    line: 'POST /v1/payments/{void}',
    sends: { paymentType: 'RV' },
    status: 200,
    finds: {
      id,
      referencedId: id,
      paymentType: /^RV$/,
      amount: amount('65.40'),
      currency: /^EUR$/,
      descriptor: /./,
      ...framed,
    },
  },
  {
    says: 'a decline',
    line: 'POST /v1/payments',
    sends: { amount: '8000.05', currency: 'EUR', paymentType: 'DB', ...visa },
    status: 400,
    finds: { ...framed, 'result.code': /^800\.100\.152$|^800\.100\.\d{3}$/, 'result.description': /./ },
  },
  {
    says: 'an error',
    line: 'POST /v1/payments',
    sends: { amount: '1.5', currency: 'EUR', paymentType: 'DB', ...visa },
    status: 400,
    finds: {
      ...framed,
      'result.code': /^200\.300\.404$/,
      'result.parameterErrors': 'array',
      'result.parameterErrors.0.name': /^amount$/,
      'result.parameterErrors.0.message': /./,
    },
  },
  { says: 'sync', line: 'GET /v1/payments/{held}', status: 200, finds: { id, ...framed } },
];

/** Its recurring payments also use the older form of identification. */
export const mandate: readonly Step[] = [
  {
    says: 'charge the mandate',
    line: 'POST /v1/payments',
    sends: {
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
    finds: { ...done, registrationId: id },
  },
];
