/** What went wrong: what happened, what it means for the money, what to do next. */
import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Refused } from '../api.ts';
import { useSaid } from '../words/said.ts';
import { useWords } from '../words/words.ts';

/** `again` offers another try. */
export const ProblemNote = ({ error, again }: { error: unknown; again?: () => void }) => {
  const { shared } = useWords('signIn');
  const said = useSaid();
  const problem = error instanceof Refused ? said.problem(error.problem) : undefined;
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={problem?.says ?? shared.crashTitle} role="alert">
      <Stack gap="xs" align="flex-start">
        {problem && <Text size="sm">{problem.money}</Text>}
        {problem && <Text size="sm">{problem.next}</Text>}
        {again && <Button onClick={again}>{shared.tryAgain}</Button>}
      </Stack>
    </Alert>
  );
};
