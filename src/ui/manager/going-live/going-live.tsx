/** From test mode to live: a checklist that turns green, and the button that creates the live till beside this one. */
import { Box, Button, Group, List, Paper, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Checklist, GoingLiveItem, GoingLiveRow } from '../../../api/contract/machine.ts';
import type { Permission } from '../../../api/contract/roles.ts';
import { fill } from '../../../base/placeholders.ts';
import { api, got } from '../../api.ts';
import {
  IconCircleCheck,
  IconCircleDashed,
  IconCreditCard,
  IconFolder,
  IconReceipt,
  IconRefresh,
  IconSchool,
  IconUsers,
} from '../../icons/icons.ts';
import { useMessages, useWords } from '../../locale/use-words.ts';
import { useMode } from '../../parts/bars.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { openingLive } from '../../parts/opening-live.tsx';
import { Listed, ProblemNote } from '../../parts/problem.tsx';
import { useSession } from '../../session.ts';
import { Empty, Head, Panel } from '../parts.tsx';
import { type ActionRunner, useAction, useRead } from '../use-action.tsx';
import { GatewayForm } from './gateway-form.tsx';

export const GoingLive = () => {
  const { t } = useWords('manager');
  const mode = useMode();
  if (mode === 'test') return <Open />;
  const Icon = mode === 'live' ? IconCircleCheck : IconSchool;
  return (
    <>
      <Head title={t.goingLive.title} />
      <Panel>
        <Empty icon={<Icon size={56} />}>{t.goingLive.not[mode]}</Empty>
      </Panel>
    </>
  );
};

const Open = () => {
  const { t } = useWords('manager');
  const list = useRead(['goingLive'], () => got(api['going-live'].$get()));
  const refresh = (): void => void list.refetch();
  return (
    <>
      <Head title={t.goingLive.title} subtitle={t.goingLive.intro}>
        {list.data && (
          <Button
            size="md"
            variant="default"
            leftSection={<IconRefresh size={20} />}
            loading={list.isFetching}
            onClick={refresh}
          >
            {t.goingLive.again}
          </Button>
        )}
      </Head>
      {list.data === undefined && !list.error && <Text mb="sm">{t.goingLive.checking}</Text>}
      <Listed query={list}>{(one) => <Rows list={one} isAsking={list.isFetching} refresh={refresh} />}</Listed>
    </>
  );
};

type RowsProps = { list: Checklist; isAsking: boolean; refresh(): void };

const Rows = ({ list, isAsking, refresh }: RowsProps) => {
  const { t, number } = useWords('manager');
  const runner = useAction('goingLive');
  const [isConfirming, confirm] = useState(false);
  const openCount = list.rows.filter(({ done }) => !done).length;
  const goLive = async (): Promise<void> => {
    const wentLive = await runner.run(async (headers) => {
      await got(api['going-live'].$post({ json: {} }, { headers }));
      return true;
    });
    if (wentLive) openingLive.set(true);
  };
  const dismiss = (): void => {
    runner.clear();
    confirm(false);
  };
  return (
    <div className="m-limits">
      <Stack gap="xs" component="ol" p={0} m={0} style={{ listStyle: 'none' }}>
        {list.rows.map((row) => (
          <GoingLiveItemRow key={row.item} row={row} list={list} refresh={refresh} />
        ))}
      </Stack>
      <aside className="m-aside">
        <Panel>
          <Text fw={600} mb="sm" role="status">
            {list.ready
              ? t.goingLive.ready
              : fill(t.goingLive.notReady, { count: number(openCount), total: number(list.rows.length) })}
          </Text>
          <Button
            size="xl"
            h="auto"
            mih={72}
            px="sm"
            fullWidth
            className="m-whole"
            color="green.9"
            disabled={!list.ready || isAsking}
            onClick={() => confirm(true)}
          >
            {t.goingLive.title}
          </Button>
        </Panel>
      </aside>
      {isConfirming && <ConfirmDialog runner={runner} close={dismiss} onConfirm={() => void goLive()} />}
    </div>
  );
};

const changes = [
  ['cards', IconCreditCard],
  ['empty', IconReceipt],
  ['kept', IconFolder],
  ['people', IconUsers],
] as const;

/** The confirmation before going live: what changes, and what stays. */
const ConfirmDialog = ({ runner, close, onConfirm }: { runner: ActionRunner; close(): void; onConfirm(): void }) => {
  const { t, shared } = useWords('manager');
  const texts = t.goingLive.confirm;
  return (
    <Dialog opened title={texts.title} onClose={close} size="lg">
      <List spacing="sm" listStyleType="none" styles={{ itemWrapper: { alignItems: 'flex-start' } }}>
        {changes.map(([change, Icon]) => (
          <List.Item key={change} icon={<Icon size={24} />}>
            <Text fw={change === 'cards' ? 700 : 400}>{texts[change]}</Text>
          </List.Item>
        ))}
      </List>
      {runner.error !== undefined && <ProblemNote error={runner.error} />}
      <Button variant="default" disabled={runner.busy} onClick={close} data-autofocus>
        {shared.cancel}
      </Button>
      <Button size="xl" h={72} color="green.9" loading={runner.busy} onClick={onConfirm}>
        {texts.go}
      </Button>
    </Dialog>
  );
};

// One requirement for going live: met, or what is missing, what to do, and where.

/** The pages of this till where each requirement can be met. */
const places: Readonly<Record<Exclude<GoingLiveItem, 'gateway'>, { path: string; needs: Permission }>> = {
  terminal: { path: '/technician', needs: 'pairTerminal' },
  people: { path: '/manager/staff', needs: 'manageStaff' },
  shop: { path: '/technician/configuration', needs: 'pairTerminal' },
};

type Props = { row: GoingLiveRow; list: Checklist; refresh(): void };

const GoingLiveItemRow = ({ row, list, refresh }: Props) => {
  const { t } = useWords('manager');
  const messages = useMessages();
  const { item, done, says, cure } = row;
  const Icon = done ? IconCircleCheck : IconCircleDashed;
  const colour = done ? 'green' : 'orange';
  return (
    <Paper component="li" withBorder p="md" style={{ borderInlineStart: `6px solid var(--mantine-color-${colour}-6)` }}>
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <Icon size={28} style={{ flex: 'none' }} color={`var(--mantine-color-${colour}-text)`} />
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
            <Text className="tg-wrap">{messages.text(says)}</Text>
            {!done && cure && <Text c="dimmed">{messages.text(cure)}</Text>}
            {!done && item !== 'gateway' && <Place item={item} />}
            {item === 'gateway' && !list.withoutGateway && <GatewayForm list={list} isDone={done} refresh={refresh} />}
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
