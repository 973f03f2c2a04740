/** Who carries out a request, and whether they may. */
import type { Context, MiddlewareHandler } from 'hono';
import { Fault } from '../base/fault.ts';
import type { ShownMode } from '../base/mode.ts';
import type { Permission } from '../staff/roles.ts';
import { asking } from './described.ts';
import type { Actor, Sessions, SignedIn } from './ports/session.ts';

/** What the guards at the door leave for the routes behind it. */
export type Env = {
  Variables: {
    /** Of the till that answers: a session that trains is answered by another one. */
    mode: ShownMode;
    actor: Actor;
    session?: SignedIn;
    token?: string;
    /** The origin of a program's page, which may read the answer: also a refusal. */
    readableFor?: string;
  };
};

/**
 * Lets only those through whose role has the permission, or who bring a manager's word for it in `X-Override`. `keyOf`:
 * of a request that its key makes one and the same however often it is sent. Throws `session.notAllowed`.
 */
export const may = (
  permission: Permission,
  sessions: Pick<Sessions, 'spendOverride'>,
  keyOf?: (context: Context) => string,
): MiddlewareHandler<Env> =>
  asking<MiddlewareHandler<Env>>(
    async (context, next) => {
      const actor = context.get('actor');
      if (!actor.permissions.includes(permission)) {
        const word = context.req.header('x-override');
        const manager = word === undefined ? undefined : sessions.spendOverride(word, permission, keyOf?.(context));
        if (manager === undefined) {
          throw new Fault('session.notAllowed', { who: actor.name ?? actor.program ?? 'Whoever asks', permission });
        }
        // The request stays the program's: its keys are its own.
        const { program } = actor;
        context.set('actor', program === undefined ? manager : { ...manager, program });
      }
      await next();
    },
    { of: 'permission', permission },
  );
