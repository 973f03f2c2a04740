/** An address without its protocol: nothing was sent there yet, and a person says whether a terminal is there. */
import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconHelpCircle } from '@tabler/icons-react';
import { fill } from '../../words/fill.ts';
import { Refused } from '../api.ts';
import { ProblemNote } from '../parts/problem.tsx';
import { useWords } from '../words/words.ts';

type Props = { error: unknown; address: string; onYes: () => void; again?: () => void };

/** What went wrong; where only the yes is missing, the question for it. */
export const ProblemOrQuestion = ({ error, address, onYes, again }: Props) => {
  const { t } = useWords('technician');
  const isQuestion = error instanceof Refused && error.problem.code === 'terminal.protocolMissing';
  if (!isQuestion) return <ProblemNote error={error} {...(again && { again })} />;
  return (
    <Alert color="yellow" icon={<IconHelpCircle aria-hidden />} title={fill(t.probeTitle, { address })} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t.probeWhy}</Text>
        <Button size="lg" onClick={onYes}>
          {t.probeYes}
        </Button>
      </Stack>
    </Alert>
  );
};
