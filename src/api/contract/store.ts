/** Who works here, what was done by whom, and the keys of programs. */
import * as z from 'zod';
import { permission, role } from './session.ts';
import { localizedMessage, name, pageOf, pin, slice } from './wire.ts';

export const personRow = z
  .strictObject({
    name: z.string(),
    role,
    refusedTries: z
      .number()
      .optional()
      .describe('Wrong PINs and refused attempts within the current hour; absent if there were none.'),
  })
  .meta({ id: 'PersonRow' });
export type PersonRow = z.infer<typeof personRow>;

export const auditEntry = z
  .strictObject({
    entry: z.number().describe('The number of the journal entry.'),
    at: z.number(),
    by: z.string().optional().describe('Who did it; absent if the till did it automatically.'),
    kind: z.string().describe('`staffAdded`, `limitsChanged`, `batchClosed`, `personSaid` …'),
    words: z.string(),
    told: localizedMessage.optional().describe('The same, in the reader’s language.'),
    receipt: z.number().optional(),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof auditEntry>;
export const auditPage = pageOf(auditEntry);

export const permissionRow = z
  .strictObject({ permission, words: z.string(), roles: z.array(role).readonly() })
  .meta({ id: 'PermissionRow' });
export type PermissionRow = z.infer<typeof permissionRow>;

export const posKeyRow = z
  .strictObject({
    name: z.string(),
    madeAt: z.number(),
    by: z.string().optional(),
    approvedBy: z.string().optional().describe('The manager who is responsible for it.'),
    approvedAt: z.number().optional(),
    state: z
      .enum(['approved', 'unapproved', 'approverLeft'])
      .optional()
      .describe(
        '`unapproved`: no manager has approved it yet. `approverLeft`: its approver is no longer a manager here. ' +
          'Both continue to sell until someone approves or removes them. Absent on a till without staff.',
      ),
    lastUsedAt: z.number().optional().describe('The last use since the till was started.'),
    origins: z.array(z.string()).readonly().describe('Web origins whose pages may use the key, `https://pos.example`.'),
  })
  .meta({ id: 'PosKeyRow' });
export type PosKeyRow = z.infer<typeof posKeyRow>;

export const freshPosKey = z.strictObject({ name: z.string(), key: z.string() });

export const personRequest = z.strictObject({ name, role, pin });
export const ownPinRequest = z.strictObject({ current: pin, pin });
export const pinRequest = z.strictObject({ pin });
export const posKeyRequest = z.strictObject({ name, origins: z.array(z.string().max(200)).max(10).optional() });
export const auditQuery = z.object({
  ...slice,
  kind: z.string().max(40).optional(),
  by: z.string().max(40).optional(),
});
