/** Valid requests, for damaging them. */
import type { Dice } from '../support/chance/dice.ts';
import { plainCard } from '../support/gateway/gateway.ts';
import type { Entity } from './entities.ts';

const accounts = {
  card: plainCard,
  pos: {
    'pos.entryMode': 'ICC',
    'pos.terminalId': '70001234',
    'pos.encryptedSred.data': '9C1D0E5A77B3A2F89C1D0E5A77B3A2F8',
    'pos.encryptedSred.ksn': 'FFFF9876543210E00002',
    'pos.encryptedPin.data': '1C41AB4A9F2B0F1D',
    'pos.encryptedPin.ksn': 'FFFF9876543210E00003',
    'pos.iccDataRequest': '9F02060000000010009C01005F2A020978',
  },
  bank: {
    paymentBrand: 'DIRECTDEBIT_SEPA',
    'bankAccount.holder': 'Jane Jones',
    'bankAccount.iban': 'AT611904300234573201',
  },
  wallet: { paymentBrand: 'PAYPAL', 'virtualAccount.accountId': 'jane.jones@example.com' },
  gift: { paymentBrand: 'GIFTCARD', 'giftCard.number': '9900000000050000', 'giftCard.pin': '0000' },
  token: { 'tokenAccount.number': '4895370012003478', 'tokenAccount.type': 'NETWORK' },
  online: { paymentBrand: 'SOFORTUEBERWEISUNG', shopperResultUrl: 'https://shop.example.com/back' },
  later: { paymentBrand: 'PREPAYMENT' },
  none: {},
} as const;

const KINDS = ['card', 'card', 'card', 'pos', 'bank', 'wallet', 'gift', 'token', 'online', 'later', 'none'] as const;
const TYPES = [
  'DB',
  'DB',
  'DB',
  'PA',
  'CD',
  'PA.CP',
  'CP',
  'RV',
  'RF',
  'RB',
  'RC',
  'CB',
  'CR',
  'RG',
  'DR',
  'TE',
] as const;
const AMOUNTS = [
  '0.01',
  '1.00',
  '10',
  '25.00',
  '0.00',
  '24999.99',
  '9999999999.99',
  '8000.51',
  '8000.68',
  '8000.92',
] as const;
const RESULTS = ['000.100.110', '000.200.000', '800.100.151', '900.100.300', '800.110.100', '100.396.103'] as const;

/** The pairs of a request that is probably processed. */
export const validPairs = (
  dice: Dice,
  entity: Entity,
  kind: keyof typeof accounts = dice.one(KINDS),
): [string, string][] => {
  const pairs: Record<string, string> = {
    entityId: entity.entityId,
    amount: dice.one(AMOUNTS),
    currency: dice.percent(85) ? 'EUR' : dice.one(['JPY', 'KWD', 'USD', 'CLF', 'XAU'] as const),
    paymentType: dice.one(TYPES),
    ...accounts[kind],
  };
  if (dice.percent(20)) pairs['merchantTransactionId'] = 'fuzz-reference';
  if (dice.percent(20)) pairs['createRegistration'] = 'true';
  if (dice.percent(10)) pairs['customParameters[forceResultCode]'] = dice.one(RESULTS);
  if (dice.percent(5)) pairs['testMode'] = 'EXTERNAL';
  if (dice.percent(15)) for (const name of ['amount', 'currency'] as const) delete pairs[name];
  return Object.entries(pairs);
};

export const validForm = (dice: Dice, entity: Entity): string =>
  new URLSearchParams(validPairs(dice, entity)).toString();

const SMALL = ['0.01', '0.50', '1.00', '3.33', '25.00'] as const;

/** A charge that is processed: on its own card, or on the registration that it is sent to. */
export const validCharge = (dice: Dice, entity: Entity): [string, string][] => {
  const pairs: Record<string, string> = {
    entityId: entity.entityId,
    amount: dice.one(SMALL),
    currency: 'EUR',
    paymentType: dice.one(['DB', 'PA', 'CD', 'PA.CP'] as const),
    ...(dice.percent(75) ? accounts[dice.one(['card', 'bank', 'wallet', 'token', 'online', 'later'] as const)] : {}),
  };
  if (dice.percent(30)) pairs['createRegistration'] = 'true';
  return Object.entries(pairs);
};

/** A possible follow-up, for a small amount or for all. */
export const validFollowUp = (dice: Dice, entity: Entity): [string, string][] => {
  const paymentType = dice.one(['CP', 'RV', 'RF', 'RF', 'RB', 'RC', 'CB', 'CR', 'PA'] as const);
  const all = ['RV', 'CB', 'CR'].includes(paymentType) && dice.percent(50);
  const amount: [string, string][] = [
    ['amount', dice.one(SMALL)],
    ['currency', 'EUR'],
  ];
  return [['entityId', entity.entityId], ['paymentType', paymentType], ...(all ? [] : amount)];
};
