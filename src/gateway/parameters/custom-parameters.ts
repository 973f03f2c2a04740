/** Spec 2.30: free names and values of the merchant, given back in the answer. */
import { map, text } from './kinds.ts';
import { section } from './section.ts';

const VALUE_MAX = 2048;

export const customParameters = section('', {
  customParameters: map(
    /^[A-Za-z0-9._]{3,64}$/,
    text([1, VALUE_MAX], 'The value.', { example: 'true', secret: 'personal' }),
    {
      says: 'Free names and values, echoed.',
      wants: `at most 100 names, each with up to ${VALUE_MAX} characters`,
      wantsKey: 'a name of 3 to 64 letters, digits, dots or underscores',
      example: 'true',
      secret: 'personal',
    },
  ),
});
