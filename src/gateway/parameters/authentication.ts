/** Spec 2.4: who sends the request. The token itself travels in the Authorization header. */
import { shape } from './kinds.ts';
import { section } from './section.ts';

export const authentication = section('', {
  entityId: shape(/^[0-9a-f]{32}$/, '32 lower-case hexadecimal digits', 'The channel that the request is for.', {
    example: '8a8294174e735d0c014e78beb6b9154b',
  }),
});

/** Other names that clients in use send for the same thing, and the name it has here. */
export const aliases: ReadonlyMap<string, string> = new Map([['authentication.entityId', 'entityId']]);
