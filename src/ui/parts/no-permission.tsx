/** Shown at an address that the person may not use: which permission is missing, who has it, and where to go. */
import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { mayDo, permissions } from '../../api/contract/roles.ts';
import type { SignedIn } from '../../api/contract/session.ts';
import { fill } from '../../base/placeholders.ts';
import { IconLock } from '../icons/icons.ts';
import { useWords } from '../locale/use-words.ts';
import { firstScreen, permissionAt, screenAt, screens } from '../screens.ts';
import { namesQuery } from '../session.ts';

type Props = { signedIn: SignedIn; onSignOut: () => void };

export const NoPermission = ({ signedIn, onSignOut }: Props) => {
  const { t, shared, list } = useWords('signIn');
  const { t: manager } = useWords('manager');
  const [path, navigate] = useLocation();
  const needed = permissionAt(path);
  const names = useQuery(namesQuery).data?.filter(({ role }) => mayDo(role, needed)) ?? [];
  const peopleTexts = names.map(({ name, role }) => fill(t.notTheirs.person, { name, role: shared.roles[role] }));
  const roles = permissions[needed].map((role) => shared.roles[role]);
  const ownScreen = firstScreen(signedIn);
  return (
    <main className="tg-not-theirs" aria-labelledby="tg-not-theirs">
      <Alert color="orange" icon={<IconLock />} maw="40rem">
        <Stack>
          <Title order={1} size="h3" id="tg-not-theirs">
            {fill(t.notTheirs.title, { screen: shared.screens[screenAt(path)] })}
          </Title>
          <Text>{fill(t.notTheirs.missing, { what: manager.permissions[needed] ?? needed })}</Text>
          <Text>{fill(t.notTheirs.who, { names: list(peopleTexts.length > 0 ? peopleTexts : roles) })}</Text>
          <Text>{t.notTheirs.next}</Text>
          <Group>
            <Button onClick={() => navigate(screens[ownScreen].path, { replace: true })}>
              {fill(t.notTheirs.own, { screen: shared.screens[ownScreen] })}
            </Button>
            {signedIn.name !== undefined && (
              <Button variant="default" onClick={onSignOut}>
                {t.otherPerson}
              </Button>
            )}
          </Group>
        </Stack>
      </Alert>
    </main>
  );
};
