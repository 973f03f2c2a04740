/** One open item: what is known and the evidence, what happens automatically, and what a person can do. */
import { Alert, Button, Group, SimpleGrid, Stack, Text, Textarea, Timeline, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { OpenItem } from '../../../api/contract/books.ts';
import { fill } from '../../../base/placeholders.ts';
import { useMessages, useWords } from '../../locale/use-words.ts';
import { ProblemNote } from '../../parts/problem.tsx';
import { saleAt } from '../../screens.ts';
import { FormDialog } from '../form-dialog.tsx';
import { type OpenItemAction, useAct } from './line.tsx';
import { isEnding, isSaying } from './urgency.ts';

export const ItemDetail = ({ item }: { item: OpenItem }) => {
  const { t } = useWords('manager');
  const messages = useMessages();
  const act = useAct(item.receipt);
  const [saying, say] = useState<OpenItemAction>();
  return (
    <Stack>
      <Alert color={item.kind === 'waiting' || item.kind === 'behind' ? 'violet' : 'orange'} variant="light">
        <Text fw={600}>{t.openItems.means[item.kind]}</Text>
      </Alert>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Evidence item={item} />
        <Stack gap="md">
          <TitledText title={t.openItems.known} text={messages.text(item.told?.known, item.known)} />
          <TitledText
            title={t.openItems.byItself}
            text={[messages.text(item.told?.next, item.next), <Tries key="tries" item={item} />]}
          />
          <TitledText title={t.openItems.person} text={messages.text(item.told?.person, item.person)} />
        </Stack>
      </SimpleGrid>
      <UnpaidFacts item={item} />
      <Group gap="sm">
        {item.actions.map((action) =>
          action === 'chargeAgain' ? (
            <Button key={action} size="md" className="m-whole" component={Link} href={saleAt(item.receipt)}>
              {t.openItems.actions[action]}
            </Button>
          ) : (
            <Button
              key={action}
              size="md"
              className="m-whole"
              variant={needsDialog(action) ? 'default' : 'filled'}
              loading={act.runner.busy}
              onClick={() => (needsDialog(action) ? say(action) : void act.run(action))}
            >
              {t.openItems.actions[action]}
            </Button>
          ),
        )}
        <Text role="status">{act.told ?? ''}</Text>
      </Group>
      {act.runner.error !== undefined && saying === undefined && <ProblemNote error={act.runner.error} />}
      {saying !== undefined && isSaying(saying) && (
        <SayDialog item={item} action={saying} act={act} close={() => say(undefined)} />
      )}
      {saying !== undefined && isEnding(saying) && (
        <EndDialog item={item} action={saying} act={act} close={() => say(undefined)} />
      )}
    </Stack>
  );
};

/** Whether a dialog asks for a reason first. */
const needsDialog = (action: OpenItemAction): boolean => isSaying(action) || isEnding(action);

const TitledText = ({ title, text }: { title: string; text: ReactNode }) => (
  <div>
    <Title order={3} size="h5">
      {title}
    </Title>
    <Text component="div">{text}</Text>
  </div>
);

const Tries = ({ item }: { item: OpenItem }) => {
  const { t, number, dateTime } = useWords('manager');
  const words = [
    item.tries > 0 ? fill(t.openItems.tries, { count: number(item.tries) }) : undefined,
    item.nextAt === undefined ? undefined : fill(t.openItems.nextAt, { time: dateTime(item.nextAt) }),
  ].filter(Boolean);
  return words.length === 0 ? null : (
    <Text size="sm" c="dimmed">
      {words.join(' · ')}
    </Text>
  );
};

const Evidence = ({ item }: { item: OpenItem }) => {
  const { t, dateTime } = useWords('manager');
  const messages = useMessages();
  return (
    <div>
      <Title order={3} size="h5" mb="sm">
        {t.openItems.evidence}
      </Title>
      {item.evidence.length === 0 && <Text c="dimmed">{t.openItems.noEvidence}</Text>}
      <Timeline lh={1.4} active={item.evidence.length} bulletSize={14} lineWidth={2}>
        {item.evidence.map(({ at, entry, words, told }) => (
          <Timeline.Item key={entry} title={messages.text(told, words)}>
            <Text size="sm" c="dimmed">
              {dateTime(at)} · {fill(t.openItems.entry, { entry })}
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
    </div>
  );
};

// A person answers for an unpaid sale: settled otherwise, or written off, with a reason and for good.

type Props = {
  item: OpenItem;
  action: 'settleOtherwise' | 'writeOff';
  act: ReturnType<typeof useAct>;
  close(): void;
};

const EndDialog = ({ item, action, act, close }: Props) => {
  const { t, money } = useWords('manager');
  const [reason, setReason] = useState('');
  const words = t.openItems.ends[action];
  const isReady = reason.trim().length >= 3;
  const send = async (): Promise<void> => {
    if (await act.run(action, { reason: reason.trim() })) close();
  };
  return (
    <FormDialog
      title={fill(words.title, { receipt: item.receipt })}
      runner={act.runner}
      go={words.go}
      size="lg"
      isFinal
      {...{ isReady, send, close }}
    >
      <Alert
        color="orange"
        variant="light"
        title={fill(words.says, { amount: money(item.missing ?? item.sale.amount) })}
      >
        {t.openItems.endSigned}
      </Alert>
      <Textarea
        label={words.why}
        description={words.hint}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        maxLength={500}
        rows={3}
        required
        data-autofocus
      />
    </FormDialog>
  );
};

/** The amount still missing, and the sales that charged it again. */
const UnpaidFacts = ({ item }: { item: OpenItem }) => {
  const { t, money, list } = useWords('manager');
  if (item.missing === undefined) return null;
  return (
    <Text fw={600}>
      {t.openItems.missing}: <bdi dir="ltr">{money(item.missing)}</bdi>
      {item.again !== undefined && ` · ${fill(t.openItems.again, { receipts: list(item.again.map(String)) })}`}
    </Text>
  );
};

type SayProps = {
  item: OpenItem;
  action: 'sayCharged' | 'sayNotCharged';
  act: ReturnType<typeof useAct>;
  close(): void;
};

/** A person decides how a sale ended; a reason and evidence are required. */
const SayDialog = ({ item, action, act, close }: SayProps) => {
  const { t, money } = useWords('manager');
  const [statement, setSaid] = useState({ reason: '', evidence: '' });
  const reason = statement.reason.trim();
  const evidence = statement.evidence.trim();
  const isReady = reason !== '' && evidence !== '';
  const send = async (): Promise<void> => {
    if (await act.run(action, { reason, evidence })) close();
  };
  return (
    <FormDialog
      title={fill(t.openItems.sayTitle, { receipt: item.receipt })}
      runner={act.runner}
      go={t.openItems.sayGo}
      size="lg"
      isFinal
      {...{ isReady, send, close }}
    >
      <Alert color="orange" variant="light" title={fill(t.openItems[action], { amount: money(item.sale.amount) })}>
        {t.openItems.sayWhy}
      </Alert>
      <Textarea
        label={t.openItems.reason}
        value={statement.reason}
        onChange={({ currentTarget }) => setSaid({ ...statement, reason: currentTarget.value })}
        maxLength={500}
        rows={2}
        required
        data-autofocus
      />
      <Textarea
        label={t.openItems.evidenceSeen}
        description={t.openItems.evidenceHint}
        value={statement.evidence}
        onChange={({ currentTarget }) => setSaid({ ...statement, evidence: currentTarget.value })}
        maxLength={500}
        rows={3}
        required
      />
    </FormDialog>
  );
};
