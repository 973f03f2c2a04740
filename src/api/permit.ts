/** What a request may change, asked once it is known what it changes: by its own role, or with a manager's approval. */
import type { Context } from 'hono';
import { Fault } from '../base/fault.ts';
import { approvalsIn, type Env, spendApproval } from './actor.ts';
import type { ConfigurationChange, Permit } from './ports/devices.ts';
import type { Permission } from './ports/roles.ts';
import type { Actor, Sessions } from './ports/session.ts';

export const permitOf =
  (context: Context<Env>, sessions: Pick<Sessions, 'spendOverride'>): Permit =>
  (changes) => {
    const actor = context.get('actor');
    const lacking = changes.filter(({ needs }) => !actor.permissions.includes(needs));
    const permissions = [...new Set(lacking.map(({ needs }) => needs))];
    // An approval is good once: none is used up for a request that lacks another one.
    if (approvalsIn(context).length < permissions.length) throw refusal(actor, lacking, permissions);
    const approvers = permissions.map((permission) => {
      const by = spendApproval(context, permission, { sessions });
      if (by === undefined) throw refusal(actor, lacking, permissions);
      return by.name ?? '';
    });
    return [...new Set(approvers)];
  };

/** Fields that are named one by one; the others are counted. */
const FIELDS_NAMED = 12;

const refusal = (
  { name, program }: Actor,
  lacking: readonly ConfigurationChange[],
  permissions: readonly Permission[],
): Fault => {
  const named = lacking.slice(0, FIELDS_NAMED).map(({ field }) => field);
  const more = lacking.length - named.length;
  return new Fault('config.notAllowed', {
    who: name ?? program ?? 'Whoever asks',
    fields: `${named.join(', ')}${more > 0 ? ` (+${more})` : ''}`,
    permissions: permissions.join(','),
  });
};
