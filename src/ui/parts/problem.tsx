/** What went wrong: what happened, what it means for the money, what to do next. */
import { Alert, Button, Skeleton, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Component, type ReactNode } from 'react';
import { RequestRefused } from '../api.ts';
import { IconAlertTriangle } from '../icons/icons.ts';
import { useMessages, useWords } from '../locale/use-words.ts';

/** `retry`: what the button for another try does. */
export const ProblemNote = ({ error, retry }: { error: unknown; retry?: () => void }) => {
  const { shared } = useWords('signIn');
  const messages = useMessages();
  const problem = error instanceof RequestRefused ? messages.problem(error.problem) : undefined;
  return (
    <Alert color="red" icon={<IconAlertTriangle />} title={problem?.says ?? shared.crashTitle} role="alert">
      <Stack gap="xs" align="flex-start">
        {problem && <Text size="sm">{problem.money}</Text>}
        {problem && <Text size="sm">{problem.next}</Text>}
        {retry && (
          <Button size="sm" onClick={retry}>
            {shared.tryAgain}
          </Button>
        )}
      </Stack>
    </Alert>
  );
};

type Props<T> = {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>;
  isEmpty?: (value: T) => boolean;
  empty?: ReactNode;
  children: (value: T) => ReactNode;
};

/** A query in each of its states: loading, failed, empty, loaded. */
export const Listed = <T,>({ query, isEmpty, empty, children }: Props<T>) => {
  const { shared } = useWords('cashier');
  const { data, error, refetch } = query;
  if (data === undefined && error) return <ProblemNote error={error} retry={() => void refetch()} />;
  if (data === undefined)
    return (
      <Stack gap="xs" role="status" aria-label={shared.loading}>
        <Skeleton height={24} />
        <Skeleton height={24} />
        <Skeleton height={24} />
      </Stack>
    );
  if (isEmpty?.(data)) return <>{empty ?? <Text c="dimmed">{shared.nothingHere}</Text>}</>;
  return <>{children(data)}</>;
};

/** `head` is shown above the message, too. */
type CrashProps = { head?: ReactNode; children: ReactNode };

/**
 * Catches what a screen throws while it is drawn, and shows a message instead of a blank page. The console has the
 * details.
 */
export class CrashBoundary extends Component<CrashProps, { crashed: boolean }> {
  override state = { crashed: false };

  static getDerivedStateFromError(): { crashed: boolean } {
    return { crashed: true };
  }

  override render(): ReactNode {
    if (!this.state.crashed) return this.props.children;
    return (
      <>
        {this.props.head}
        <Crashed retry={() => this.setState({ crashed: false })} />
      </>
    );
  }
}

const Crashed = ({ retry }: { retry: () => void }) => {
  const { shared } = useWords('signIn');
  return (
    <Alert m="md" color="red" icon={<IconAlertTriangle />} title={shared.crashTitle} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text>{shared.crashMoney}</Text>
        <Text>{shared.crashNext}</Text>
        <Button size="sm" h={56} onClick={retry}>
          {shared.showAgain}
        </Button>
      </Stack>
    </Alert>
  );
};
