/** Every endpoint of the host API that takes parameters. */
import type { Endpoint } from './endpoint.ts';
import { pay } from './pay.ts';
import { query } from './query.ts';
import { queryById, read } from './read.ts';
import { refer } from './refer.ts';

export const endpoints: readonly Endpoint[] = [pay, refer, read, query, queryById];
