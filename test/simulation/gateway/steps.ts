/** What clients may do to a gateway, drawn by fast-check: mostly sensible, often too much, now and then nonsense. */
import fc from 'fast-check';
import type { FollowType, StartType } from './books.ts';

export type Start = {
  do: 'start';
  type: StartType;
  /** A card, a gift card, or the account of a registration if there is one. */
  on: 'card' | 'gift' | 'registration';
  minor: number;
  fate: 'none' | 'declined' | 'answerLost' | 'requestLost';
  captures?: number;
  registers: boolean;
};
export type Follow = {
  do: 'follow';
  type: FollowType;
  /** Which of the payments there are. */
  of: number;
  /** `fitting` ones that this type may follow, `any`, one that is `unknown`, or as a `stranger` to the payment. */
  among: 'fitting' | 'any' | 'unknown' | 'stranger';
  /** Percent of the payment's amount, or all that is left where the type needs no amount. */
  part: number | 'all';
  currency: 'EUR' | 'USD';
  final: boolean;
};
export type Step =
  | Start
  | Follow
  | { do: 'repeat'; of: number; body: 'same' | 'other' }
  | { do: 'look'; of: number }
  | { do: 'register' }
  | { do: 'deregister'; of: number };

/** Steps one after another, or all at once; each request of them once, or twice at the same time. */
export type Act = { order: 'one by one' | 'at once'; steps: readonly Step[]; sent: 1 | 2 };

const often = <T>(usual: T, seldom: readonly T[]) =>
  fc.oneof({ arbitrary: fc.constant(usual), weight: 9 }, { arbitrary: fc.constantFrom(...seldom), weight: 1 });
const index = fc.nat(1000);

const start = (losing: readonly Start['fate'][]): fc.Arbitrary<Start> =>
  fc.record(
    {
      do: fc.constant('start' as const),
      type: fc.constantFrom('PA' as const, 'PA', 'DB', 'CD', 'PA.CP'),
      on: fc.constantFrom('card' as const, 'gift', 'registration'),
      minor: fc.integer({ min: 1, max: 5000 }),
      fate: often<Start['fate']>('none', ['declined', ...losing]),
      captures: fc.integer({ min: 1, max: 3 }),
      registers: fc.boolean(),
    },
    { requiredKeys: ['do', 'type', 'on', 'minor', 'fate', 'registers'] },
  );

const follow: fc.Arbitrary<Follow> = fc.record({
  do: fc.constant('follow' as const),
  type: fc.constantFrom('CP' as const, 'CP', 'RV', 'RV', 'RF', 'RF', 'RB', 'RC', 'CB', 'CR', 'PA'),
  of: index,
  among: often<Follow['among']>('fitting', ['any', 'unknown', 'stranger']),
  part: fc.oneof(fc.constantFrom(10, 25, 33, 50, 100, 'all' as const), fc.integer({ min: 1, max: 120 })),
  currency: often<Follow['currency']>('EUR', ['USD']),
  final: often<boolean>(false, [true]),
});

const step = (losing: readonly Start['fate'][]): fc.Arbitrary<Step> =>
  fc.oneof(
    { arbitrary: start(losing), weight: 4 },
    { arbitrary: follow, weight: 12 },
    {
      arbitrary: fc.record({
        do: fc.constant('repeat' as const),
        of: index,
        body: fc.constantFrom('same' as const, 'same', 'other'),
      }),
      weight: 2,
    },
    { arbitrary: fc.record({ do: fc.constant('look' as const), of: index }), weight: 2 },
    { arbitrary: fc.record({ do: fc.constant('register' as const) }), weight: 1 },
    { arbitrary: fc.record({ do: fc.constant('deregister' as const), of: index }), weight: 1 },
  );

/** A day of several clients. `losing`: what the line to the acquirer may lose. */
export const acts = (losing: readonly Start['fate'][] = ['answerLost', 'requestLost']): fc.Arbitrary<readonly Act[]> =>
  fc.array(
    fc.record({
      order: fc.constantFrom('one by one' as const, 'at once'),
      steps: fc.array(step(losing), { minLength: 1, maxLength: 12, size: '+1' }),
      sent: fc.constantFrom(1 as const, 2),
    }),
    { minLength: 1, maxLength: 8, size: '+1' },
  );
