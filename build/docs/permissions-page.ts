/** Makes docs/reference/permissions.md: who may do what. */
import { type Permission, permissionsOf, permissionWords, roles } from '../../src/staff/roles.ts';
import { code, head, page, table } from './markdown.ts';

const intro = `Whoever wants to … must be one of these. It holds for the commands and for the screens. What a role may not do, a
manager can allow once, with their own PIN: see [people.md](../people.md). As long as nobody was added, nobody is asked.`;

export const permissionsPage = (): string => {
  const rows = (Object.keys(permissionWords) as Permission[]).map((permission) => [
    code(permission),
    permissionWords[permission],
    ...roles.map((role) => (permissionsOf(role).includes(permission) ? 'yes' : '')),
  ]);
  return page(head('Permissions', 'src/staff/roles.ts', intro), table(['permission', 'to …', ...roles], rows));
};
