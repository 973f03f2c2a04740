/** What is read from the till, in each of its states: loading, failed, empty, there. */
import { Skeleton, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useWords } from '../words/words.ts';
import { ProblemNote } from './problem.tsx';

type Props<T> = {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>;
  isEmpty?: (value: T) => boolean;
  empty?: ReactNode;
  children: (value: T) => ReactNode;
};

export const Listed = <T,>({ query, isEmpty, empty, children }: Props<T>) => {
  const { shared } = useWords('cashier');
  const { data, error, refetch } = query;
  if (data === undefined && error) return <ProblemNote error={error} again={() => void refetch()} />;
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
