/** Everything that is not finished, most urgent first; each item opens to its evidence and actions. */
import { Box, Button, Group, Paper, Stack, Text, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import type { OpenItem } from '../../../api/contract/books.ts';
import { fill } from '../../../base/placeholders.ts';
import { api, got } from '../../api.ts';
import { IconChevronDown, IconChevronUp, IconCircleCheck, IconSend } from '../../icons/icons.ts';
import { useWords } from '../../locale/use-words.ts';
import { Listed, ProblemNote } from '../../parts/problem.tsx';
import { Empty, Head } from '../parts.tsx';
import { useAction, useRead } from '../use-action.tsx';
import { ItemDetail } from './detail.tsx';
import { ItemFacts } from './line.tsx';
import { byUrgency } from './urgency.ts';

/** More are drawn on request. */
const AT_ONCE = 50;

/** `first`: the receipt that is open at first. */
export const OpenItems = ({ first }: { first?: number }) => {
  const { t, number } = useWords('manager');
  const items = useRead(['openItems'], () => got(api['open-items'].$get()));
  const [most, setMost] = useState(AT_ONCE);
  const shown = byUrgency(items.data ?? []);
  return (
    <>
      <Head title={t.sections.openItems} subtitle={t.openItems.intro}>
        {shown.length > 0 && <SendAll />}
      </Head>
      {items.data !== undefined && items.error && <ProblemNote error={items.error} />}
      <Listed
        query={items}
        isEmpty={(all) => all.length === 0}
        empty={
          <Empty icon={<IconCircleCheck size={56} color="var(--mantine-color-green-6)" />}>{t.openItems.empty}</Empty>
        }
      >
        {() => (
          <Stack>
            <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
              {shown.slice(0, most).map((item) => (
                <Item key={item.receipt} item={item} isFirst={item.receipt === first} />
              ))}
            </Stack>
            {shown.length > most && (
              <Group justify="center">
                <Text c="dimmed">{fill(t.shown, { count: number(most), total: number(shown.length) })}</Text>
                <Button size="md" variant="light" onClick={() => setMost(most + AT_ONCE)}>
                  {fill(t.more, { count: number(Math.min(AT_ONCE, shown.length - most)) })}
                </Button>
              </Group>
            )}
          </Stack>
        )}
      </Listed>
    </>
  );
};

/** An item's detail is drawn only when it is opened, because the list may be long. */
const Item = ({ item, isFirst }: { item: OpenItem; isFirst: boolean }) => {
  const [isOpen, open] = useState(isFirst);
  const Chevron = isOpen ? IconChevronUp : IconChevronDown;
  return (
    <Paper withBorder component="li">
      <UnstyledButton className="m-item-head" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
        <Chevron size={20} aria-hidden style={{ flex: 'none' }} />
        <ItemFacts item={item} />
      </UnstyledButton>
      {isOpen && (
        <Box p="md" pt="xs">
          <ItemDetail item={item} />
        </Box>
      )}
    </Paper>
  );
};

export const SendAll = () => {
  const { t, shared, number } = useWords('manager');
  const runner = useAction('openItems', 'today', 'closing');
  const [sentText, setSentText] = useState<string>();
  const send = async (): Promise<void> => {
    setSentText(undefined);
    const counts = await runner.run((headers) => got(api['open-items'].send.$post({}, { headers })));
    if (counts === undefined) return;
    const facts = { done: number(counts.done), later: number(counts.later), parked: number(counts.parked) };
    setSentText(fill(t.openItems.sent, facts));
  };
  return (
    <Group gap="sm">
      <Text role="status">{runner.busy ? shared.sending : (sentText ?? '')}</Text>
      <Button size="md" leftSection={<IconSend size={20} />} loading={runner.busy} onClick={() => void send()}>
        {t.openItems.sendAll}
      </Button>
      {runner.error !== undefined && <ProblemNote error={runner.error} />}
    </Group>
  );
};
