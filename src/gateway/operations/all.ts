/** Every endpoint of the host API that takes parameters. */
import type { Endpoint } from './endpoint.ts';
import { pay } from './pay.ts';
import { payStored } from './pay-stored.ts';
import { query, queryV3 } from './query.ts';
import { queryById, queryByIdV3, read } from './read.ts';
import { refer } from './refer.ts';
import { register } from './register.ts';
import { deregister, extendRegistration, readRegistration } from './registration.ts';

export const endpoints: readonly Endpoint[] = [
  pay,
  refer,
  read,
  register,
  payStored,
  readRegistration,
  extendRegistration,
  deregister,
  query,
  queryById,
  queryV3,
  queryByIdV3,
];
