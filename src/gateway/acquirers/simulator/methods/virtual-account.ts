/** Virtual accounts, such as online wallets known by an e-mail address (spec 2.7). */
import { codes } from '../../../../base/result-codes.ts';
import { euros, type MethodVerdict, missing, rich, type SimulatedMethod } from './method.ts';
import { visitOf } from './visit.ts';

type TestAccount = { opening?: bigint; against?: MethodVerdict; asks?: true };

/** By what stands before the @, or the whole account id where there is none. */
export const testVirtualAccounts: ReadonlyMap<string, TestAccount> = new Map<string, TestAccount>([
  ['closed', { against: { code: '62', resultCode: codes.accountBlocked } }],
  ['unknown', { against: { code: '14', resultCode: codes.accountUnknown } }],
  ['nofunds', { opening: 0n }],
  ['poor', { opening: euros(10n) }],
  ['asks', { asks: true }],
]);

/** Reads the account id, in letters of either case. The account that asks sends the shopper to a page first. */
export const virtualAccount: SimulatedMethod = (request) => {
  const number = request.parameters['virtualAccount.accountId']?.trim().toLowerCase();
  if (!number) return missing('virtualAccount.accountId');
  const name = number.split('@')[0] ?? '';
  const { opening = rich, against, asks }: TestAccount = testVirtualAccounts.get(name) ?? {};
  const account = { purse: { number, opening }, ...(against && { against }) };
  if (!asks || request.paymentType === 'CD') return account;
  const visit = visitOf(request);
  return 'refused' in visit ? visit : { ...account, visit };
};
