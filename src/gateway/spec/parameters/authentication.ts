/** Spec 2.4: who sends the request. The token itself travels in the Authorization header. */
import { shape } from './kinds.ts';
import { section } from './row.ts';

export const authentication = section('', {
  entityId: shape(
    /^[0-9a-f]{32}$/,
    {
      wants: '32 lower-case hexadecimal digits',
      good: ['8a8294174e735d0c014e78beb6b9154b'],
      bad: [
        '8A8294174E735D0C014E78BEB6B9154B',
        '8a8294174e735d0c014e78beb6b9154',
        '8a8294174e735d0c014e78beb6b9154b0',
        'x',
      ],
    },
    'The channel that the request is for.',
    { example: '8a8294174e735d0c014e78beb6b9154b', req: 'C' },
  ),
});

/** Other names that clients in use send for the same thing, and the name it has here. */
export const aliases: ReadonlyMap<string, string> = new Map([['authentication.entityId', 'entityId']]);
