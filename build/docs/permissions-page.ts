/** Generates docs/reference/permissions.md: who may do what. */

import { configurationPermissions, type Permission, permissionsOf, roles } from '../../src/api/contract/roles.ts';
import { permissionWords } from '../../src/locales/messages/en/permissions.ts';
import { code, page, pageHead, table } from './markdown.ts';

const intro = `To do one of these things, a person needs one of the roles in its row, at the command line and on the
screens. A manager can allow a single exception with their own PIN: see [people.md](../people.md). A till without staff
members asks nobody.`;

const fields = `This applies to every way of changing a field: an imported configuration, its undo, the field's own
page, or a command. A field inside a listed field needs the same permission.`;

export const permissionsPage = (): string => {
  const rows = (Object.keys(permissionWords) as Permission[]).map((permission) => [
    code(permission),
    permissionWords[permission],
    ...roles.map((role) => (permissionsOf(role).includes(permission) ? 'yes' : '')),
  ]);
  const fieldRows = Object.entries(configurationPermissions).map(([field, permission]) => [
    code(field),
    code(permission),
  ]);
  return page(
    pageHead('Permissions', 'src/api/contract/roles.ts', intro),
    table(['permission', 'to …', ...roles], rows),
    '## The permission for each field of till.json',
    fields,
    table(['field', 'permission'], fieldRows),
  );
};
