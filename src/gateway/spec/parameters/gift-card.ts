/** Spec 2.26: a gift card. */
import { oneOf, text } from './kinds.ts';
import { section } from './section.ts';

const BOUNDS: readonly [number, number] = [2, 255];

const OCCASIONS = [
  'ANNIVERSARY',
  'BIRTHDAY',
  'CONGRATULATIONS',
  'APRIL_FOOLS_DAY',
  'EASTER',
  'FATHERS_DAY',
  'GRADUATION',
  'HOLIDAY',
  'SEASONS_GREETINGS',
  'PASSOVER',
  'KWANZAA',
  'HALLOWEEN',
  'MOTHERS_DAY',
  'NEW_YEARS_DAY',
  'BOSSES_DAY',
  'ST_PATRICKS_DAY',
  'SWEETEST_DAY',
  'CHRISTMAS',
  'BABY_SHOWER',
  'THANKSGIVING',
  'OTHER',
  'VALENTINES_DAY',
  'WEDDING',
  'SECRETARYS_DAY',
  'CHINESE_NEW_YEAR',
  'HANUKKAH',
  'CELEBRATE_FALL',
  'GRANDPARENTS_DAY',
  'INDEPENDENCE_DAY',
] as const;

export const giftCard = section('giftCard', {
  number: text(BOUNDS, 'The number on it.', { secret: 'account', example: '6036280000000000000' }),
  pin: text(BOUNDS, 'Its PIN; never stored.', { secret: 'authentication', example: '4821' }),
  holder: text(BOUNDS, 'Whose it is.', { secret: 'personal', example: 'Jane Jones', echo: true }),
  message: text([2, 160], 'Words to the one who gets it.', { secret: 'personal', example: 'Enjoy!', echo: true }),
  type: oneOf(OCCASIONS, 'The occasion.', { example: 'BIRTHDAY', echo: true }),
});
