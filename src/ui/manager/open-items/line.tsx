/** One open item in a line: what, when, how much, and the one thing to do about it. */
import { Box, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { OpenItem } from '../../../api/contract/books.ts';
import { fill } from '../../../base/placeholders.ts';
import { cardName } from '../../../locales/names.ts';
import { api, got } from '../../api.ts';
import { useMessages, useWords } from '../../locale/use-words.ts';
import { ProblemNote } from '../../parts/problem.tsx';
import { StateBadge } from '../../parts/state.tsx';
import { Money } from '../parts.tsx';
import { type ActionRunner, useAction } from '../use-action.tsx';
import { isEnding, isSaying } from './urgency.ts';

// A person's actions on an open item, and their results.

/** The actions on this page; charging again happens on the cashier's screen. */
export type OpenItemAction = Exclude<OpenItem['actions'][number], 'chargeAgain'>;
export type PersonDecision = { reason: string; evidence?: string };

/** `told`: called with the result of the last action. */
export const useAct = (
  receipt: number,
): {
  runner: ActionRunner;
  told?: string;
  run(action: OpenItemAction, personDecision?: PersonDecision): Promise<boolean>;
} => {
  const { t } = useWords('manager');
  const runner = useAction('openItems', 'today', 'closing');
  const [text, setText] = useState<string>();
  const run = async (action: OpenItemAction, decision?: PersonDecision): Promise<boolean> => {
    const answer = await runner.run((headers) =>
      got(
        api['open-items'][':receipt{[0-9]{1,9}}'].$post(
          { param: { receipt: String(receipt) }, json: { action, ...decision } },
          { headers },
        ),
      ),
    );
    if (answer === undefined) return false;
    setText(answer.item === undefined ? fill(t.openItems.settled, { receipt }) : t.openItems.asked);
    return true;
  };
  return { runner, run, told: text };
};

/** What it is, without what to do. */
export const ItemFacts = ({ item }: { item: OpenItem }) => {
  const { t, shared, dateTime } = useWords('manager');
  const messages = useMessages();
  const { sale, kind, receipt } = item;
  const card = [cardName(sale.brand, t.entryModes.GIFTCARD), sale.last4 && `·${sale.last4}`].filter(Boolean).join(' ');
  return (
    <Group gap="sm" className="m-item-facts">
      <Box className="m-item-state">
        <StateBadge state={item.state} label={t.openItems.kinds[kind]} />
      </Box>
      <Box className="m-item-words">
        <Text fw={600}>
          {fill(shared.receiptNumber, { receipt })} · {t.operations[sale.operation] ?? sale.operation} {card}
        </Text>
        <Text size="sm" c="dimmed">
          {dateTime(sale.at)} · {messages.text(item.told?.why, item.why) || t.openItems.means[kind]}
        </Text>
      </Box>
      <Text fw={700} size="lg">
        <Money amount={item.missing ?? sale.amount} />
      </Text>
    </Group>
  );
};

/** Actions done by one press, without a confirmation. */
const isAtOnce = (action: OpenItem['actions'][number]): action is 'askNow' | 'sendNow' | 'retry' =>
  action !== 'chargeAgain' && !isSaying(action) && !isEnding(action);

export const OpenItemLine = ({ item }: { item: OpenItem }) => {
  const { t } = useWords('manager');
  const decide = useAct(item.receipt);
  const first = item.actions.find(isAtOnce);
  const actionWithDialog = item.actions.find((action) => !isAtOnce(action));
  return (
    <Box py="xs" style={{ borderBottom: '1px solid var(--mantine-color-default-border)' }}>
      <Group gap="sm" className="m-item">
        <ItemFacts item={item} />
        {first !== undefined ? (
          <Button
            size="md"
            className="m-item-act m-whole"
            loading={decide.runner.busy}
            onClick={() => void decide.run(first)}
          >
            {t.openItems.actions[first]}
          </Button>
        ) : (
          <Button
            size="md"
            className="m-item-act m-whole"
            component={Link}
            href={`/manager/open-items/${item.receipt}`}
            variant="light"
          >
            {actionWithDialog ? t.openItems.decide : t.openItems.look}
          </Button>
        )}
      </Group>
      {decide.runner.error !== undefined && <ProblemNote error={decide.runner.error} />}
      {decide.told !== undefined && (
        <Text role="status" size="sm" c="dimmed" mt={4}>
          {decide.told}
        </Text>
      )}
    </Box>
  );
};
