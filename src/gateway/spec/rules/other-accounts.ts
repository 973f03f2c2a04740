/** Accounts that are no cards (spec 2.7 to 2.9), and what a migrated one needs (2.23). */
import { brandOf } from '../brands.ts';
import { needed, type Rule, type SentValues } from '../operation.ts';
import { uses } from './structures.ts';

/** With a brand whose shopper names the account at his bank, its country may be all that is sent. */
const isWhole = (sent: SentValues): boolean =>
  uses('bankAccount')(sent) && brandOf(sent['paymentBrand'] ?? '')?.accountLater !== true;

export const otherAccountRules: readonly Rule[] = [
  ...needed(uses('virtualAccount'), ['virtualAccount.accountId']),
  ...needed(uses('tokenAccount'), ['tokenAccount.number', 'tokenAccount.type']),
  ...needed(isWhole, ['bankAccount.holder']),
  {
    name: 'bankAccount.iban',
    says: 'may not be empty, unless bankAccount.number is sent',
    holds: (sent) =>
      !isWhole(sent) || sent['bankAccount.iban'] !== undefined || sent['bankAccount.number'] !== undefined,
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
