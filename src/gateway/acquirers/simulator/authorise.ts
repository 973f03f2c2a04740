/** One authorisation or credit from the door to its answer: what a test asks for first, then the account's own way. */
import { codes } from '../../../base/result-codes.ts';
import type { AccountKind, AcquirerAnswer, Authorisation } from '../acquirer.ts';
import { refusal } from './answers.ts';
import { authoriseCard } from './authorise-card.ts';
import { underTrigger } from './fate.ts';
import { authoriseMethod } from './methods/settle.ts';
import type { SimulatorContext } from './rooms.ts';
import { forcedResult, triggerOf } from './triggers.ts';

/** The answer to a request; the stored one when its id was answered before. */
export const authorise = (rooms: SimulatorContext, request: Authorisation): Promise<AcquirerAnswer> => {
  const forced = forcedResult(request);
  if (forced === 'malformed') {
    return Promise.resolve(refusal(codes.parameterInvalid, { ExtendedDescription: 'forceResultCode is ddd.ddd.ddd' }));
  }
  if (request.amount.minor < 0n) return Promise.resolve(refusal(codes.amountMissing));
  const trigger = forced === undefined ? triggerOf(request) : undefined;
  const settle = hasCard(request) ? authoriseCard : authoriseMethod;
  return underTrigger(rooms, { id: request.id, trigger }, () => settle(rooms, request));
};

const wallets: readonly AccountKind[] = ['applePay', 'googlePay', 'samsungPay'];

/** A wallet that was opened on the way here shows a card number like any other. */
const hasCard = ({ account, card }: Authorisation): boolean =>
  account === 'card' || account === 'pos' || (card !== undefined && wallets.includes(account));
