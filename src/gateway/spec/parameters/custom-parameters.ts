/** Spec 2.30: free names and values of the merchant, given back in the answer. */
import { freeKey, text } from './kinds.ts';
import { section } from './section.ts';

const VALUE_MAX = 2048;

export const customParameters = section('', {
  'customParameters[key]': text([1, VALUE_MAX], 'A free name and its value, echoed.', {
    example: 'true',
    req: 'C',
    secret: 'personal',
    echo: true,
    key: freeKey,
  }),
});
