/** The people of this till as tiles, to be chosen from; who is locked out says for how long. */
import { Button, Stack, Text } from '@mantine/core';
import type { Role } from '../../api/ports/roles.ts';
import { useWords } from '../words/words.ts';

export type PersonTile = { name: string; role: Role };

type Props = { people: readonly PersonTile[]; chosen?: string | undefined; onChoose: (name: string) => void };

export const People = ({ people, chosen, onChoose }: Props) => {
  const { t } = useWords('signIn');
  return (
    <fieldset className="tg-people" aria-label={t.people}>
      {people.map(({ name, role }) => (
        <Button
          key={name}
          variant={name === chosen ? 'filled' : 'default'}
          aria-pressed={name === chosen}
          mih={84}
          onClick={() => onChoose(name)}
        >
          <Stack gap={2} align="center">
            <Text span size="lg" fw={600} dir="auto" className="tg-wrap">
              {name}
            </Text>
            <Text span size="sm">
              {t.roles[role]}
            </Text>
          </Stack>
        </Button>
      ))}
    </fieldset>
  );
};
