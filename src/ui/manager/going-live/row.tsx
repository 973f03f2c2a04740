/** One thing that has to stand before a till goes live: ready, or what is missing, what to do, and where. */
import { Box, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { Checklist, GoingLiveItem, GoingLiveRow } from '../../../api/ports/going-live.ts';
import type { Permission } from '../../../api/ports/roles.ts';
import { useSession } from '../../session.ts';
import { useSaid } from '../../words/said.ts';
import { useWords } from '../../words/words.ts';
import { GatewayForm } from './gateway-form.tsx';

/** Pages of this till where a row is mended. */
const places: Readonly<Record<Exclude<GoingLiveItem, 'gateway'>, { path: string; needs: Permission }>> = {
  terminal: { path: '/technician', needs: 'pairTerminal' },
  people: { path: '/manager/staff', needs: 'manageStaff' },
  shop: { path: '/technician/configuration', needs: 'pairTerminal' },
};

type Props = { row: GoingLiveRow; list: Checklist; again(): void };

export const GoingLiveItemRow = ({ row, list, again }: Props) => {
  const { t } = useWords('manager');
  const said = useSaid();
  const { item, done, says, cure } = row;
  const Icon = done ? IconCircleCheck : IconCircleDashed;
  const colour = done ? 'green' : 'orange';
  return (
    <Paper component="li" withBorder p="md" style={{ borderInlineStart: `6px solid var(--mantine-color-${colour}-6)` }}>
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <Icon size={28} aria-hidden style={{ flex: 'none' }} color={`var(--mantine-color-${colour}-text)`} />
        <Box style={{ flex: 1, minWidth: 0 }}>
          <Group justify="space-between" wrap="nowrap">
            <Title order={2} size="h4">
              {t.goingLive.rows[item]}
            </Title>
            <Text fw={600} size="sm" c={`var(--mantine-color-${colour}-text)`} style={{ flex: 'none' }}>
              {done ? t.goingLive.done : t.goingLive.open}
            </Text>
          </Group>
          <Stack gap="xs" mt={4} align="flex-start">
            <Text className="tg-wrap">{said.told(says)}</Text>
            {!done && cure && <Text c="dimmed">{said.told(cure)}</Text>}
            {!done && item !== 'gateway' && <Place item={item} />}
            {item === 'gateway' && !list.withoutGateway && <GatewayForm list={list} isDone={done} again={again} />}
          </Stack>
        </Box>
      </Group>
    </Paper>
  );
};

const Place = ({ item }: { item: keyof typeof places }) => {
  const { t } = useWords('manager');
  const { data } = useSession();
  const place = places[item];
  if (data?.signedIn?.permissions.includes(place.needs) !== true) return null;
  return (
    <Button size="md" h="auto" className="m-whole" variant="default" component={Link} href={place.path}>
      {t.goingLive.places[item]}
    </Button>
  );
};
