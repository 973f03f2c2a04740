/** What a permission allows, as a line of its own. */
import { Text } from '@mantine/core';
import type { Permission } from '../../api/contract/roles.ts';
import { useWords } from '../locale/use-words.ts';

export const PermissionText = ({ permission }: { permission: Permission }) => {
  const { t, language } = useWords('manager');
  const text = t.permissions[permission];
  return <Text>{text.charAt(0).toLocaleUpperCase(language) + text.slice(1)}</Text>;
};
