/** Gift cards: a balance that is known to the card, and told with every answer about it (spec 2.26). */
import { exponentOf, printAmount } from '../../../../base/money.ts';
import type { ResponseCode } from '../responses.ts';
import { unitWorth } from '../worth.ts';
import { euros, type MethodAccount, type MethodVerdict, missing, type SimulatedMethod } from './method.ts';

type TestCard = { opening?: bigint; against?: MethodVerdict };

/** By number. 9 begins numbers that no international issuer has. */
export const testGiftCards: ReadonlyMap<string, TestCard> = new Map<string, TestCard>([
  ['9900000000000000', { opening: 0n }],
  ['9900000000000010', { opening: euros(10n) }],
  ['9900000000001000', { opening: euros(1_000n) }],
  ['9900000000050000', { opening: euros(50_000n) }],
  ['9900000000000041', { against: { code: '41' } }],
  ['9900000000000054', { against: { code: '54' } }],
  ['9900000000000062', { against: { code: '62' } }],
]);

const ordinary = euros(100n);

/** A card holds no more. */
const most = euros(50_000n);

/** Reads card and PIN. A PIN that is sent must be the number's last four characters; none need be sent. */
export const giftCard: SimulatedMethod = ({ parameters, amount: { currency } }) => {
  const number = parameters['giftCard.number'];
  if (!number) return missing('giftCard.number');
  const { opening = ordinary, against }: TestCard = testGiftCards.get(number) ?? {};
  return {
    purse: { number, opening, most },
    ...(against && { against }),
    paysPart: true,
    pin: pinOf(number, parameters['giftCard.pin']),
    tells: (code, left) => (left !== undefined && codesWithBalance.has(code) ? balanceOf(left, currency) : {}),
  };
};

const pinOf = (number: string, pin: string | undefined): NonNullable<MethodAccount['pin']> => {
  if (!pin) return 'none';
  return pin === number.slice(-4) ? 'right' : 'wrong';
};

/** Who has the wrong PIN, or a card that is lost, is not told what is on it. */
const codesWithBalance: ReadonlySet<ResponseCode> = new Set(['00', '51', '61']);

/** The balance in the payment's currency, as the host API writes amounts, what is too fine for it left out. */
const balanceOf = (left: bigint, currency: string): Readonly<Record<string, string>> => {
  // Amounts of the host API have two decimals: the third of a currency with three is always zero.
  const step = exponentOf(currency) === 3 ? 10n : 1n;
  const minor = (left / (unitWorth(currency) * step)) * step;
  // Below zero only after a forced approval: then there is nothing on it.
  return { Balance: printAmount({ minor: minor < 0n ? 0n : minor, currency }), BalanceCurrency: currency };
};
