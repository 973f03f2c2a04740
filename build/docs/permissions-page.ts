/** Makes docs/reference/permissions.md: who may do what. */

import { type Permission, permissionsOf, roles } from '../../src/api/contract/roles.ts';
import { configurationPermissions } from '../../src/api/ports/configuration.ts';
import { permissionWords } from '../../src/locales/messages/en/permissions.ts';
import { code, head, page, table } from './markdown.ts';

const intro = `Whoever wants to … must be one of these. It holds for the commands and for the screens. What a role may not do, a
manager can allow once, with their own PIN: see [people.md](../people.md). As long as nobody was added, nobody is asked.`;

const fields = `By whichever way it is changed: a configuration that is brought in, its undo, a page of its own, or a command. A field
below one that stands here takes the same permission.`;

export const permissionsPage = (): string => {
  const rows = (Object.keys(permissionWords) as Permission[]).map((permission) => [
    code(permission),
    permissionWords[permission],
    ...roles.map((role) => (permissionsOf(role).includes(permission) ? 'yes' : '')),
  ]);
  const taken = Object.entries(configurationPermissions).map(([field, permission]) => [code(field), code(permission)]);
  return page(
    head('Permissions', 'src/api/contract/roles.ts and src/api/ports/configuration.ts', intro),
    table(['permission', 'to …', ...roles], rows),
    '## What each field of till.json takes',
    fields,
    table(['field', 'permission'], taken),
  );
};
