/** Who may do what at a till: until their users read it there, from the contract. */
export type { Permission, Role } from '../contract/roles.ts';
export {
  isPermission,
  isRole,
  mayDo,
  permissions,
  permissionsOf,
  roles,
} from '../contract/roles.ts';
