/** What a route's guards ask for, kept with the guard itself: the document of the API cannot say anything else. */
import type * as z from 'zod';
import type { Permission } from './ports/roles.ts';

export type RequestPart =
  /** A part of the request, and what it must be. */
  | { of: 'json' | 'query' | 'param'; schema: z.ZodType }
  | { of: 'file' }
  /** Needs `Idempotency-Key`. */
  | { of: 'key' }
  | { of: 'permission'; permission: Permission };

const partsByGuard = new WeakMap<object, RequestPart>();

/** The same guard, remembered with what it asks for. */
export const describeGuard = <Guard extends object>(guard: Guard, what: RequestPart): Guard => {
  partsByGuard.set(guard, what);
  return guard;
};

/** Undefined for what asks for nothing that the document tells. */
export const requestPartOf = (guard: object): RequestPart | undefined => partsByGuard.get(guard);
