/** Accounts that are no cards (spec 2.7 to 2.9), and what a migrated one needs (2.23). */
import { needed, type Rule } from '../operations/operation.ts';
import { uses } from './structures.ts';

export const otherAccountRules: readonly Rule[] = [
  ...needed(uses('virtualAccount'), ['virtualAccount.accountId']),
  ...needed(uses('tokenAccount'), ['tokenAccount.number', 'tokenAccount.type']),
  ...needed(uses('bankAccount'), ['bankAccount.holder']),
  {
    name: 'bankAccount.iban',
    says: 'may not be empty, unless bankAccount.number is sent',
    holds: (sent) =>
      !uses('bankAccount')(sent) || sent['bankAccount.iban'] !== undefined || sent['bankAccount.number'] !== undefined,
  },
  {
    // An IBAN names its bank.
    name: 'bankAccount.bic',
    says: 'may not be empty with bankAccount.number, unless bankAccount.bankCode is sent',
    holds: (sent) =>
      sent['bankAccount.number'] === undefined ||
      sent['bankAccount.iban'] !== undefined ||
      sent['bankAccount.bankCode'] !== undefined ||
      sent['bankAccount.bic'] !== undefined,
  },
];

export const migrationRules: readonly Rule[] = needed(uses('recurringMigration'), ['recurringMigration.paymentType']);
