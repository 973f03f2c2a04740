/** A virtual card in a transaction with the simulated kernel, and the issuer who checks the card's data. */
import { virtualCard } from '../../../drivers/simulation/card.ts';
import { createVerifier } from '../../../drivers/simulation/kernel.ts';
import { simulatedConfig } from '../../../drivers/simulation/terminal-config.ts';
import { openTransaction, type Transaction } from '../../../drivers/simulation/transaction.ts';
import { fromHex, toHex } from '../../../src/base/hex.ts';
import { cardKeys, cvnOfIad, issuerAuthentication } from '../../../src/emv/cryptogram-versions.ts';
import { type TestCardName, testCard, testCards, testKeys } from '../../../src/emv/test-cards.ts';

const names = Object.keys(testCards) as TestCardName[];
export const chips = names.filter((name) => testCard(name).chip === 'good' && testCard(name).cvn !== 'none');

type Setup = {
  amountMinor?: bigint;
  via?: 'chip' | 'tap';
  date?: string;
  model?: string;
  card?: ReturnType<typeof virtualCard>;
};

export const begin = (
  name: TestCardName,
  { amountMinor = 9_900n, via = 'chip', date = '260102', model = 'M020', card }: Setup = {},
) => {
  const transaction = openTransaction({
    via,
    card: card ?? virtualCard(testCard(name)),
    request: { amountMinor, currency: 'EUR', type: '00', date, time: '120000' },
    config: simulatedConfig({}, { model }),
    unpredictable: fromHex('11223344'),
    sequence: 7,
  });
  if (transaction === undefined) throw new Error('the card does not answer');
  return transaction;
};

/** Performs cardholder verification, typing this PIN whenever asked; returns the requests. */
export const verify = (transaction: Transaction, pin: string): string[] => {
  const requests: string[] = [];
  const verifying = createVerifier(transaction);
  for (let need = verifying.needs(); need !== undefined; need = verifying.needs()) {
    requests.push(need);
    verifying.enterPin(pin);
  }
  return requests;
};

export const hexOf = (transaction: Transaction, tag: string): string =>
  toHex(
    tag === '95'
      ? transaction.tvr
      : tag === '9B'
        ? transaction.tsi
        : (transaction.values.get(tag) ?? new Uint8Array(0)),
  );

/** The issuer's side: keys and version from the card number and the message alone. */
export const issuer = (transaction: Transaction) => {
  const { pan, psn, brand } = transaction.card.facts;
  const { imkAc, imkSmi, imkSmc } = testKeys;
  const keys = cardKeys({ imkAc, imkSmi, imkSmc, pan, psn });
  const iad = transaction.values.get('9F10') ?? new Uint8Array(0);
  const cvn = cvnOfIad(brand, iad);
  if (cvn === undefined) throw new Error('unknown cryptogram version');
  const frozen = new Map([...transaction.values, ['95', transaction.tvr.slice()] as const]);
  return { keys, cvn, tags: (tag: string) => frozen.get(tag) };
};

export const answerOf = (transaction: Transaction, approve: boolean): Uint8Array => {
  const { keys, cvn, tags } = issuer(transaction);
  const cryptogram = transaction.values.get('9F26') ?? new Uint8Array(0);
  return issuerAuthentication(cvn, keys, { tags, cryptogram, approve, arc: approve ? '00' : '05' });
};

export const hostAnswer = (arc: string, issuerData?: Uint8Array) => ({
  arc,
  issuerData,
  before: [],
  after: [],
});
